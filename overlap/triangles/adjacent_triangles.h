// SPDX-License-Identifier: Apache-2.0

// Overlap of two triangles beyond the corners that they share.
//
//   CornerSet shared = CommonCorners(s, t);          // by position
//   bool folded = OverlapsBeyond(s, t, shared.points());
//
// Neighbours in a mesh always overlap: in a corner or in an edge. These
// functions test whether the two triangles have a common point outside the
// convex hull of their shared corners. Examples are triangles at a corner that
// pass through each other or overlap in a plane, and an edge that is folded
// flat. The result is exact for every finite input. A degenerate triangle
// counts as a segment or a point. Triangles that share all corners are equal
// sets, so they have no common point outside. The result does not depend on the
// order of the triangles or of their corners. Pure and thread-safe. Costs four
// orientation tests for a shared corner and one for a shared edge. Costs more
// for triangles in one plane, and tens of microseconds for degenerate
// triangles.
#ifndef ORBOX_OVERLAP_TRIANGLES_ADJACENT_TRIANGLES_H_
#define ORBOX_OVERLAP_TRIANGLES_ADJACENT_TRIANGLES_H_

#include <array>
#include <cstddef>
#include <span>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A set of up to three different points.
class CornerSet {
 public:
  std::span<const Vec3> points() const { return {points_.data(), count_}; }
  size_t size() const { return count_; }
  bool Contains(const Vec3& p) const;

  // Adds p unless the set contains it. Requires fewer than three points.
  void Add(const Vec3& p) {
    if (!Contains(p)) points_[count_++] = p;
  }

 private:
  size_t count_ = 0;
  std::array<Vec3, 3> points_;
};

// Returns the triangle's corners, each once.
ORBOX_EXPORT CornerSet CornersOf(const Triangle& t);

// Returns the points that are corners of both triangles.
ORBOX_EXPORT CornerSet CommonCorners(const Triangle& s, const Triangle& t);

// Returns true if the triangles have a common point outside of the convex hull
// of `shared`, which is empty, a point, a segment or a triangle. Requires that
// `shared` contains at most three different points, each of them a corner of
// both triangles.
ORBOX_EXPORT bool OverlapsBeyond(const Triangle& s, const Triangle& t,
                                 std::span<const Vec3> shared,
                                 ArithmeticCounts* counts = nullptr);

// Implementation.

inline bool CornerSet::Contains(const Vec3& p) const {
  for (size_t i = 0; i < count_; ++i) {
    if (points_[i] == p) return true;
  }
  return false;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_ADJACENT_TRIANGLES_H_
