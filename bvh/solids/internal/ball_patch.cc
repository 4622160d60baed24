// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/ball_patch.h"

#include <cmath>

#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

BallPatch BallPatch::OfFace(const Triangle& t, const Vec3& normal) {
  BallPatch patch;
  for (size_t k = 0; k < 3; ++k) patch.Add(t[k]);
  patch.normal_ = normal;
  patch.Measure();
  return patch;
}

BallPatch BallPatch::OfArc(const Vec3& p, const Vec3& q,
                           const std::array<Vec3, 3>& directions,
                           double radius) {
  BallPatch patch;
  patch.radius_ = radius;
  patch.ends_ = {p, q};
  patch.directions_ = directions;
  Vec3 axis = directions[0] + directions[1] + directions[2];
  if (directions[1] == directions[2]) axis = directions[0] + directions[1];
  axis = DirectionOf(axis);
  double cosine = 1;
  for (const Vec3& m : directions) cosine = std::min(cosine, Dot(axis, m));
  patch.is_wide_ = !(cosine > 0.5);
  // A unit vector between other unit vectors is a sum of multiples of them. The
  // multiples add up to at least 1, and at most 1 / cosine.
  const double outer = radius / std::max(cosine, 0.5) * (1 + 0x1p-40);
  const size_t direction_count = directions[1] == directions[2] ? 2 : 3;
  const size_t end_count = p == q ? 1 : 2;
  for (size_t i = 0; i < end_count; ++i) {
    for (size_t k = 0; k < direction_count; ++k) {
      patch.Add(patch.ends_[i] + directions[k] * radius);
      patch.Add(patch.ends_[i] + directions[k] * outer);
    }
  }
  patch.Measure();
  patch.center_ = (p + q) * 0.5 + axis * radius;
  double squared = 0;
  for (const Vec3& x : patch.points()) {
    squared = std::max(squared, SquaredNorm(x - patch.center_));
  }
  patch.reach_ = std::sqrt(squared);
  return patch;
}

void BallPatch::Measure() {
  if (count_ == 0) return;
  box_ = {points_[0], points_[0]};
  Vec3 sum;
  for (const Vec3& p : points()) {
    box_ = {Min(box_.lo, p), Max(box_.hi, p)};
    sum += p - points_[0];
  }
  center_ = points_[0] + sum * (1.0 / count_);
  double squared = 0;
  for (const Vec3& p : points()) {
    squared = std::max(squared, SquaredNorm(p - center_));
  }
  reach_ = std::sqrt(squared) * (1 + 0x1p-50);
}

BallPatch BallPatch::Part(const Vec3& n, double at, double sign) const {
  BallPatch part;
  part.normal_ = normal_;
  for (uint32_t i = 0, last = count_ - 1; i < count_; last = i++) {
    const double h = sign * (Dot(n, points_[i]) - at);
    const double g = sign * (Dot(n, points_[last]) - at);
    if (part.count_ + 2 > kMostPoints) return *this;
    if ((h > 0) != (g > 0)) {
      part.Add(points_[last] + (points_[i] - points_[last]) * (g / (g - h)));
    }
    if (!(h > 0)) part.Add(points_[i]);
  }
  part.Measure();
  return part;
}

void BallPatch::ClipTo(const Aabb& box) {
  if (is_empty()) return;
  if (!Overlaps(box_, box)) {
    count_ = 0;
    return;
  }
  if (!is_face()) return;
  for (size_t axis = 0; axis < 3 && !is_empty(); ++axis) {
    Vec3 n;
    n[axis] = 1;
    if (box_.hi[axis] > box.hi[axis]) *this = Part(n, box.hi[axis], 1);
    if (is_empty()) return;
    if (box_.lo[axis] < box.lo[axis]) *this = Part(n, box.lo[axis], -1);
  }
}

bool BallPatch::Cut(const Vec3& n, double at, double least_share,
                    BallPatch* below, BallPatch* above) const {
  if (!is_face() || count_ > 10) return false;
  double lo = kInfinity;
  double hi = -kInfinity;
  for (const Vec3& p : points()) {
    const double h = Dot(n, p);
    lo = std::min(lo, h);
    hi = std::max(hi, h);
  }
  const double least = (hi - lo) * least_share;
  if (!(at - lo > least && hi - at > least)) return false;
  *below = Part(n, at, 1);
  *above = Part(n, at, -1);
  return !below->is_empty() && !above->is_empty();
}

std::pair<BallPatch, BallPatch> BallPatch::Halves(bool by_angle) const {
  if (is_face()) {
    // Cuts across the longest distance between two corners.
    double longest = -1;
    Vec3 along;
    Vec3 middle;
    for (uint32_t i = 0; i < count_; ++i) {
      for (uint32_t k = i + 1; k < count_; ++k) {
        const double squared = SquaredNorm(points_[k] - points_[i]);
        if (squared <= longest) continue;
        longest = squared;
        along = points_[k] - points_[i];
        middle = (points_[k] + points_[i]) * 0.5;
      }
    }
    const double at = Dot(along, middle);
    return {Part(along, at, 1), Part(along, at, -1)};
  }
  // Finds the widest of the angles, or the length.
  size_t widest = 0;
  double chord = -1;
  for (size_t k = 0; k < 3; ++k) {
    const double c = Norm(directions_[(k + 1) % 3] - directions_[k]);
    if (c > chord) {
      chord = c;
      widest = k;
    }
  }
  const double length = Norm(ends_[1] - ends_[0]);
  // Angles up to this are not worth a cut.
  constexpr double kNarrow = 0x1p-8;
  const bool is_angle_cut =
      is_wide_ || (by_angle ? chord > kNarrow || length == 0
                            : length < radius_ * chord * 0x1p-6);
  if (!is_angle_cut) {
    const Vec3 middle = (ends_[0] + ends_[1]) * 0.5;
    return {OfArc(ends_[0], middle, directions_, radius_),
            OfArc(middle, ends_[1], directions_, radius_)};
  }
  const size_t next = (widest + 1) % 3;
  const Vec3 m = DirectionOf(directions_[widest] + directions_[next]);
  std::array<Vec3, 3> one = directions_;
  std::array<Vec3, 3> other = directions_;
  if (directions_[1] == directions_[2]) {
    one = {directions_[0], m, m};
    other = {m, directions_[1], directions_[1]};
  } else {
    one[next] = m;
    other[widest] = m;
  }
  return {OfArc(ends_[0], ends_[1], one, radius_),
          OfArc(ends_[0], ends_[1], other, radius_)};
}

}  // namespace orbox
