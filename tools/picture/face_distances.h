// SPDX-License-Identifier: Apache-2.0

// Distances of a mesh's triangles from the other mesh, and their colours.
//
//   const FaceDistances of_a = FaceDistancesOf(pairs, 0, triangle_count);
//   const Color color = ColorOfDistance(of_a[0], within, MapColor(1));
#ifndef ORBOX_TOOLS_PICTURE_FACE_DISTANCES_H_
#define ORBOX_TOOLS_PICTURE_FACE_DISTANCES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/query/pairs/pair_within.h"
#include "tools/picture/color.h"

namespace orbox::picture {

// Distance of each triangle. Infinite for a triangle that is not known to be
// near.
using FaceDistances = std::vector<double>;

// Returns, for each triangle of side 0 (A) or 1 (B), the smallest distance of
// the pairs that contain it.
FaceDistances FaceDistancesOf(std::span<const PairDistance> pairs, size_t side,
                              size_t triangle_count);

// Returns the colour of a distance: a separate colour for 0, the colour of the
// map up to `within`, and `otherwise` beyond.
Color ColorOfDistance(double distance, const std::optional<double>& within,
                      const Color& otherwise);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_FACE_DISTANCES_H_
