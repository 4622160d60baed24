// SPDX-License-Identifier: Apache-2.0

// Measures the region that two solids share: its thickness and its volume.
//
//   SharedThickness s = ThicknessOfShared(a, b, {.relative = 0.01});
//   Report(s.thickness.lower, s.thickness.upper, s.center);
//   if (IsSharedThicker(a, b, 0.001)) ...            // ends early
//   MeasureBounds volume = VolumeOfShared(a, b, {.relative = 0.01});
//
// The thickness is the diameter of the largest ball inside both solids: twice
// the maximum over all points of the smaller one of their depths. It is 0 where
// solids touch, the thickness of a plate that is flush in a wall, the diameter
// of a pipe in it, and 5 mm for slabs that overlap by 5 mm. If a solid moves by
// x, it changes by no more than 2 x. The ball's centre is where to look.
//
// The solid of a closed mesh whose faces agree is the set of points with a
// winding number other than 0. Shells that overlap add up, a cavity faces the
// other way than what it is in, and a mesh may face inward as a whole. Faces
// agree if each edge is used as often one way as the other; where they do not,
// parity decides, as it does where `inside` of the options asks for it. Depths
// are measured from where the inside ends. Walls between
// two overlapping shells, and faces at which two shells are joined, are no
// boundary. (A single connected component that crosses itself keeps the walls
// that it has, and so does a mesh by parity faces that lie on each other:
// measures may then be too small, never too large.) A mesh that is
// open has no solid and shares nothing.
//
// Both measures are enclosed from both sides, until the bounds are as near as
// `error` asks, or a search gives up: after some thousand patches for each size
// of a ball, and some hundred thousand boxes for the volume. Then they are
// wider. Thicknesses are no narrower than 2^-17 of the common bounds' smallest
// side, volumes than 2^-24 of the common bounds'.
// All arithmetic is in double. Its rounding, some 2^-44 of the meshes' size, is
// part of the bounds, as is the height of triangles that are all but segments.
// For poses, the solids are those of the moved vertices. Options are those of
// query_options.h; one thread; `max_distance` has no effect as long as it is
// valid. Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_SHARED_REGION_H_
#define ORBOX_BVH_SOLIDS_SHARED_REGION_H_

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
  double absolute = 0;     // a length; of a volume, its cube
};

struct SharedThickness {
  MeasureBounds thickness;
  // The centre of a ball inside both with the diameter thickness.lower, if that
  // is not 0.
  Vec3 center;
};

ORBOX_EXPORT SharedThickness ThicknessOfShared(
    const PosedTree& a, const PosedTree& b, const MeasureError& error = {},
    const QueryOptions& options = {});

// Tests whether the shared region is thicker than `thickness`. A region that is
// thicker by less than a thousandth may count as either, and false is returned
// where the search gives up. Otherwise the answer is certain. A thickness below
// the rounding, or NaN, counts as that.
ORBOX_EXPORT bool IsSharedThicker(const PosedTree& a, const PosedTree& b,
                                  double thickness,
                                  const QueryOptions& options = {});

ORBOX_EXPORT MeasureBounds VolumeOfShared(const PosedTree& a,
                                          const PosedTree& b,
                                          const MeasureError& error = {},
                                          const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_SHARED_REGION_H_
