// SPDX-License-Identifier: Apache-2.0

// A piece of a surface of ball centres: the balls touch a given triangle, edge
// or corner. Private: the cells of ball_search.h.
//
//   BallPatch patch = BallPatch::OfFace(polygon);
//   BallPatch::OfArc(p, q, {m, n, n}, radius);
//   auto [one, other] = patch.Halves();
//
// The centres of balls that touch a face are on a polygon. The centres of balls
// that touch an edge or a corner are on a part of a cylinder or sphere. Each
// patch is inside the hull of points(), which is flat for a face.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_BALL_PATCH_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_BALL_PATCH_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class BallPatch {
 public:
  static constexpr size_t kMostPoints = 16;

  // A convex polygon with a unit normal.
  static BallPatch OfFace(const Triangle& t, const Vec3& normal);
  // The points x + radius * m, with x from p to q, and m a direction between
  // the three given ones. For an edge, the second and the third direction are
  // equal; for a corner, p and q are equal.
  static BallPatch OfArc(const Vec3& p, const Vec3& q,
                         const std::array<Vec3, 3>& directions, double radius);

  std::span<const Vec3> points() const { return {points_.data(), count_}; }
  bool is_empty() const { return count_ == 0; }
  bool is_face() const { return radius_ == 0; }
  // Requires a face.
  const Vec3& normal() const { return normal_; }
  const Aabb& box() const { return box_; }
  // All of the patch is within this distance of center(), which is a point of
  // the patch.
  const Vec3& center() const { return center_; }
  double reach() const { return reach_; }
  // An arc whose angle is so wide that its hull is a poor bound.
  bool is_wide() const { return is_wide_; }

  // Cuts off the parts of a face outside of the box. Drops an arc whose hull is
  // outside.
  void ClipTo(const Aabb& box);

  // Cuts a face along the plane Dot(n, p) = at. Returns false if either part
  // would have less than this share of the height along n, or too many corners.
  bool Cut(const Vec3& n, double at, double least_share, BallPatch* below,
           BallPatch* above) const;

  // Returns two parts, which may overlap by rounding. An arc is cut across its
  // length or, if `by_angle`, across its widest angle.
  std::pair<BallPatch, BallPatch> Halves(bool by_angle) const;

 private:
  void Add(const Vec3& p) { points_[count_++] = p; }
  // Returns the part of a face where sign * (Dot(n, p) - at) <= 0. Returns the
  // whole face if the part would have too many corners.
  BallPatch Part(const Vec3& n, double at, double sign) const;
  void Measure();

  std::array<Vec3, kMostPoints> points_;
  uint32_t count_ = 0;
  bool is_wide_ = false;
  Vec3 normal_;
  Aabb box_;
  Vec3 center_;
  double reach_ = 0;
  // Used by arcs alone.
  double radius_ = 0;
  std::array<Vec3, 2> ends_;
  std::array<Vec3, 3> directions_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_BALL_PATCH_H_
