// SPDX-License-Identifier: Apache-2.0

// Do two triangles that share corners meet elsewhere, too?
//
//   CornerSet shared = CommonCorners(s, t);          // by position
//   bool folded = OverlapsBeyond(s, t, shared.points());
//
// Neighbours in a mesh always meet: in a corner or in an edge. What matters is
// whether they have a point in common that is not in the convex hull of what
// they share: a corner whose triangles pass through each other or lie on each
// other, an edge that is folded flat. Decided exactly for every finite input;
// degenerate triangles are handled as what they are. Triangles that share all
// corners are one set, and have nothing beyond it. The answer depends on the
// order of neither the triangles nor their corners. Pure and thread-safe. Costs
// four orientations at a corner and one at an edge, more in one plane, and tens
// of microseconds for degenerate triangles.
#ifndef ORBOX_OVERLAP_TRIANGLES_ADJACENT_TRIANGLES_H_
#define ORBOX_OVERLAP_TRIANGLES_ADJACENT_TRIANGLES_H_

#include <array>
#include <cstddef>
#include <span>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Up to three different points.
class CornerSet {
 public:
  std::span<const Vec3> points() const { return {points_.data(), count_}; }
  size_t size() const { return count_; }
  bool Contains(const Vec3& p) const;

  // Adds a point that is not in it yet; the set holds fewer than three.
  void Add(const Vec3& p) {
    if (!Contains(p)) points_[count_++] = p;
  }

 private:
  size_t count_ = 0;
  std::array<Vec3, 3> points_;
};

// The triangle's corners, each once.
ORBOX_EXPORT CornerSet CornersOf(const Triangle& t);

// The points that are corners of both.
ORBOX_EXPORT CornerSet CommonCorners(const Triangle& s, const Triangle& t);

// Whether the triangles have a common point outside of the convex hull of
// `shared`: of nothing, a point, a segment or a triangle. Requires that each of
// `shared`, at most three different points, is a corner of both.
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
