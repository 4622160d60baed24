// SPDX-License-Identifier: Apache-2.0

// The distance of each triangle of a mesh from the other mesh, and its colour.
//
//   const FaceDistances of_a = FaceDistancesOf(pairs, 0, triangle_count);
//   const Color color = ColorOfDistance(of_a[0], within, MapColor(1));
#ifndef ORBOX_TOOLS_PICTURE_FACE_DISTANCES_H_
#define ORBOX_TOOLS_PICTURE_FACE_DISTANCES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/query/pair_within.h"
#include "tools/picture/color.h"

namespace orbox::picture {

// Infinite for a triangle that is not known to be near.
using FaceDistances = std::vector<double>;

// For each triangle of side 0 (A) or 1 (B): the smallest distance of the pairs
// that contain it.
FaceDistances FaceDistancesOf(std::span<const PairDistance> pairs, size_t side,
                              size_t triangle_count);

// The colour of the map if the distance is at most `within`, a separate one if
// it is zero, and `otherwise` beyond.
Color ColorOfDistance(double distance, const std::optional<double>& within,
                      const Color& otherwise);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_FACE_DISTANCES_H_
