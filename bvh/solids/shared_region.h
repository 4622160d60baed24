// SPDX-License-Identifier: Apache-2.0

// Measures the region that two solids share: its thickness and its volume.
//
//   SharedThickness s = ThicknessOfShared(a, b, {.relative = 0.01});
//   Report(s.thickness.lower, s.thickness.upper, s.center);
//   if (IsSharedThicker(a, b, 0.001)) ...            // ends early
//   MeasureBounds volume = VolumeOfShared(a, b, {.relative = 0.01});
//
// The thickness is the diameter of the largest ball inside both solids. It is
// twice the maximum, over all points, of the smaller one of the point's two
// depths. Examples: 0 if the solids touch, the thickness of a plate that is
// flush in a wall, the diameter of a pipe in a wall, and 5 mm for slabs that
// overlap by 5 mm. If a solid moves by x, the thickness changes by no more than
// 2 x. The ball's centre is the place to look at.
//
// The solid of a closed mesh whose faces agree is the set of points with a
// winding number other than 0. Winding numbers of overlapping shells add up, a
// cavity faces the opposite way of the shell around it, and a mesh may face
// inward as a whole. Faces agree if each edge is used equally often in both
// directions. If they do not agree, or if `inside` says so, parity decides.
//
// Depths are distances from the boundary of the inside. Walls between two
// overlapping shells, and faces at which two shells are joined, are no
// boundary. There are two exceptions. A single connected component that crosses
// itself keeps its walls, so that its thickness is that of the region between
// them. By parity, the faces at which shells are flush remain boundary for the
// balls that are sought: a lower bound may be far below the thickness, and the
// upper bound is then the width of the common bounds. An open mesh has no solid
// and shares nothing.
//
// Both measures are enclosed. The search ends when the bounds are as close as
// `error` requires. It gives up earlier after some thousand patches for each
// size of a ball, and after some hundred thousand boxes for the volume; the
// bounds are then wider. For meshes of up to 20,000 triangles together, exact
// arithmetic decides if solids only touch. The bounds of a thickness are no
// closer than 2^-17 of the smallest side of the common bounds, those of a
// volume no closer than 2^-24 of the volume of the common bounds.
//
// All arithmetic is in double. The bounds include its rounding, some 2^-44 of
// the coordinates, and the height of nearly degenerate triangles. For poses,
// the solids are those of the moved vertices. Each query has a form with run
// options (query_options.h), and runs in one thread. Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_SHARED_REGION_H_
#define ORBOX_BVH_SOLIDS_SHARED_REGION_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The exact value is no less than `lower` and no more than `upper`.
struct MeasureBounds {
  double lower = 0;
  double upper = 0;

  friend bool operator==(const MeasureBounds&, const MeasureBounds&) = default;
};

// Largest permitted difference of two bounds: the larger one of `relative` and
// `absolute`. A negative value or NaN counts as 0. If both are 0, the relative
// error is 2^-20.
struct MeasureError {
  double relative = 0.01;  // of the lower bound
  double absolute = 0;     // a length; for a volume, its cube
};

struct SharedThickness {
  MeasureBounds thickness;
  // The centre of a ball inside both solids with the diameter thickness.lower,
  // if that is not 0.
  Vec3 center;
};

ORBOX_EXPORT SharedThickness ThicknessOfShared(
    const PosedTree& a, const PosedTree& b, const MeasureError& error = {},
    InsideRule inside = InsideRule::kWinding);
ORBOX_EXPORT absl::StatusOr<SharedThickness> ThicknessOfShared(
    const PosedTree& a, const PosedTree& b, const MeasureError& error,
    InsideRule inside, const RunOptions& options);

// Tests whether the shared region is thicker than `thickness`. For a region
// that is thicker by less than a thousandth, either result is possible. Returns
// false if the search gives up. All other results are certain. A thickness
// below the rounding error, or NaN, is raised to the rounding error.
ORBOX_EXPORT bool IsSharedThicker(const PosedTree& a, const PosedTree& b,
                                  double thickness,
                                  InsideRule inside = InsideRule::kWinding);
ORBOX_EXPORT absl::StatusOr<bool> IsSharedThicker(const PosedTree& a,
                                                  const PosedTree& b,
                                                  double thickness,
                                                  InsideRule inside,
                                                  const RunOptions& options);

ORBOX_EXPORT MeasureBounds VolumeOfShared(
    const PosedTree& a, const PosedTree& b, const MeasureError& error = {},
    InsideRule inside = InsideRule::kWinding);
ORBOX_EXPORT absl::StatusOr<MeasureBounds> VolumeOfShared(
    const PosedTree& a, const PosedTree& b, const MeasureError& error,
    InsideRule inside, const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_SHARED_REGION_H_
