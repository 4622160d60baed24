// How near each triangle of a mesh comes to the other one, and its colour.
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_FACE_DISTANCES_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_FACE_DISTANCES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/query/mesh_within.h"
#include "tools/orbox/picture/color.h"

namespace orbox::cli {

// Infinite where nothing is known to be near.
using FaceDistances = std::vector<double>;

// Of the triangles of side 0 (A) or 1 (B) of the pairs: the smallest distance
// of the pairs that each is in.
FaceDistances FaceDistancesOf(std::span<const PairDistance> pairs, size_t side,
                              size_t triangle_count);

// That of the map where the distance is at most `within`, one of its own where
// it is zero, and `otherwise` beyond.
Color ColorOfDistance(double distance, const std::optional<double>& within,
                      const Color& otherwise);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_FACE_DISTANCES_H_
