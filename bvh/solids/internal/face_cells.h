// SPDX-License-Identifier: Apache-2.0

// The cells into which other triangles divide a face, and a point of each, in
// exact arithmetic. Private; used by interior_overlap.h.
//
//   const std::optional<size_t> axis = AxisToSee(face);
//   for (const CellPoint& p : PointsOfCells(face, *axis, near)) ...
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_FACE_CELLS_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_FACE_CELLS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/solids/internal/cell_point.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Returns an axis along which the projection of the triangle is more than a
// segment, if possible the axis along which it is largest. Returns nothing if
// the triangle has no area.
std::optional<size_t> AxisToSee(const Triangle& t);

// Returns at least one point inside each cell of the face. Cells are bounded by
// the edges of the face and by its intersections with the other triangles,
// except isolated points. Requires an axis along which the projection of the
// face is more than a segment.
std::vector<CellPoint> PointsOfCells(const Triangle& face, size_t axis,
                                     std::span<const Triangle> others);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_FACE_CELLS_H_
