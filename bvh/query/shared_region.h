// SPDX-License-Identifier: Apache-2.0

// How much do two solids share: how thick is the common region, and what is its
// volume?
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
// The solid of a mesh is that of mesh_relation.h: the points from which a ray
// to infinity crosses the surface an odd number of times. So it matters neither
// which way triangles face nor how many parts there are; a part inside another
// is a cavity, and so is what two parts share. Triangles with the same corners
// are one; but if as many of them face one way as the other, as the faces at
// which two parts are joined do, they are none. The surface that is left bounds
// the depth. A mesh that is open then has no solid and shares nothing.
//
// Both measures are enclosed from both sides by branch and bound over boxes of
// the common bounds, which ends when the bounds are as near as `error` asks, or
// after some thousand boxes for each size of a ball, and some hundred thousand
// for the volume: then they are wider. Nor are they narrower than 2^-13 of the
// common bounds' smallest side, and 2^-24 of their volume.
// All arithmetic is in double; what it rounds, some 2^-44 of the meshes' size,
// is part of the bounds, as is the height of triangles that are all but
// segments. For poses, the solids are those of the moved vertices. Options are
// those of query_options.h; one thread; `max_distance` has no effect as long as
// it is valid. Thread-safe.
#ifndef ORBOX_BVH_QUERY_SHARED_REGION_H_
#define ORBOX_BVH_QUERY_SHARED_REGION_H_

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

// How far bounds may be apart: the larger of the two. Negative or NaN counts as
// 0, and both 0 as a relative error of 2^-20.
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

// Whether the shared region is thicker than `thickness`. True is certain, and
// so is false but for a band: one that is thicker by less than a thousandth
// may count as either, and false comes out where the search is given up. A
// thickness below what is rounded, or NaN, counts as that.
ORBOX_EXPORT bool IsSharedThicker(const PosedTree& a, const PosedTree& b,
                                  double thickness,
                                  const QueryOptions& options = {});

ORBOX_EXPORT MeasureBounds VolumeOfShared(const PosedTree& a,
                                          const PosedTree& b,
                                          const MeasureError& error = {},
                                          const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_SHARED_REGION_H_
