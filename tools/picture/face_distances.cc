// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/face_distances.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "tools/picture/palette.h"

namespace orbox::picture {

FaceDistances FaceDistancesOf(std::span<const PairDistance> pairs, size_t side,
                              size_t triangle_count) {
  FaceDistances distances(triangle_count,
                          std::numeric_limits<double>::infinity());
  for (const PairDistance& pair : pairs) {
    const uint32_t id = side == 0 ? pair.triangles.a : pair.triangles.b;
    distances[id] = std::min(distances[id], pair.distance);
  }
  return distances;
}

Color ColorOfDistance(double distance, const std::optional<double>& within,
                      const Color& otherwise) {
  if (distance == 0) return FromHex(kColorOfMeeting);
  if (!within.has_value() || !(distance <= *within)) return otherwise;
  return MapColor(distance / *within);
}

}  // namespace orbox::picture
