// SPDX-License-Identifier: Apache-2.0

// The parts into which other triangles divide a face, and a point of each, in
// exact arithmetic. Private: what interior_overlap.h rests on.
//
//   const std::optional<size_t> axis = AxisToSee(face);
//   for (const CellPoint& p : PointsOfCells(face, *axis, near)) ...
#ifndef ORBOX_BVH_QUERY_INTERNAL_FACE_CELLS_H_
#define ORBOX_BVH_QUERY_INTERNAL_FACE_CELLS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/query/internal/cell_point.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// An axis along which the triangle is seen as more than a segment, the one
// along which it is largest if possible; nothing where it has no area.
std::optional<size_t> AxisToSee(const Triangle& t);

// At least one point inside of each part of the face that is bounded by its
// edges and by what the others have in common with it, but for common points
// that are alone. Requires an axis along which the face is seen.
std::vector<CellPoint> PointsOfCells(const Triangle& face, size_t axis,
                                     std::span<const Triangle> others);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_FACE_CELLS_H_
