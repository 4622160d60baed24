// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/in_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

constexpr Vec3 kNowhere = {kInfinity, kInfinity, kInfinity};

// From this share of the tree's size on, an error makes tests useless.
constexpr double kMostError = 0x1p-8;

std::optional<RegionPlanes> Planes(const Sphere&) { return std::nullopt; }

std::optional<RegionPlanes> Planes(const Aabb& box) {
  RegionPlanes planes;
  for (size_t i = 0; i < 3; ++i) {
    // Also false for NaN. A box at infinity contains nothing.
    if (!(box.lo[i] <= box.hi[i])) return std::nullopt;
    if (box.lo[i] == kInfinity || box.hi[i] == -kInfinity) return std::nullopt;
    Vec3 normal;
    normal[i] = 1;
    if (box.hi[i] < kInfinity) {
      planes.half_spaces.push_back({normal, box.hi[i]});
    }
    if (box.lo[i] > -kInfinity) {
      planes.half_spaces.push_back({-normal, -box.lo[i]});
    }
  }
  planes.errors.assign(planes.half_spaces.size(), 0);
  return planes;
}

std::optional<RegionPlanes> Planes(const Obb& box) {
  if (!IsFinite(box.center) || !IsFinite(box.half_extents)) return std::nullopt;
  RegionPlanes planes;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& axis = box.axes[i];
    const double half = box.half_extents[i];
    if (!IsFinite(axis) || !(half >= 0)) return std::nullopt;
    // A slab without a direction contains everything.
    if (axis == Vec3{}) continue;
    const double at = Dot(axis, box.center);
    // Error of about twelve sums and products, and underflow.
    const double error = 0x1p-48 * (Dot(Abs(axis), Abs(box.center)) + half) +
                         std::numeric_limits<double>::min();
    for (const double side : {1.0, -1.0}) {
      HalfSpace h{axis * side, half + at * side};
      const bool is_finite = std::isfinite(h.offset) && std::isfinite(error);
      if (!is_finite) h.offset = 0;
      planes.half_spaces.push_back(h);
      planes.errors.push_back(is_finite ? error : kInfinity);
    }
  }
  return planes;
}

std::optional<RegionPlanes> Planes(HalfSpaces set) {
  auto proper = ProperHalfSpaces(set);
  if (!proper.has_value()) return std::nullopt;
  const size_t count = proper->size();
  return RegionPlanes{*std::move(proper), std::vector<double>(count)};
}

}  // namespace

void PointInModel::Move() {
  const TreeSpace& space = moved->tree().space();
  const IntoModel into(*moved);
  const IntoModel::Point q = into.At(at);
  per_length = into.RadiusOf(1) * (1 + 0x1p-50);
  // Distances are off by 1.5 skew of themselves, and the scale is rounded. The
  // tree is in the cube of half size unscale about its origin.
  const double farthest =
      2 * (MaxCoordinate(Abs(q.at - space.origin)) + space.unscale);
  error = (q.error + (2 * moved->skew() + 0x1p-45) * farthest) * (1 + 0x1p-50);
  at = q.at;
  // Larger errors than the tree cost no more than nothing known, but far points
  // have a search of their own (FarSearch).
  if (moved->stretch() != 1 || !IsFinite(at) ||
      !(error * space.scale <= 0x1p10)) {
    at = kNowhere;
    error = 0;
  }
}

void RayInModel::Move(const PosedTree& posed, const Ray& ray) {
  const TreeSpace& space = posed.tree().space();
  const IntoModel::MovedRay moved =
      IntoModel(posed).At(ray, space.origin, space.unscale);
  room_.ray = moved.ray;
  error_ = moved.error;
  if (!(error_ * space.scale <= kMostError) || !IsFinite(moved.ray.direction)) {
    room_.ray = {kNowhere, {1, 0, 0}};
    error_ = 0;
  }
  ray_ = &room_.ray;
}

SweptSphere InModel(TreeAtPose tree, const SweptSphere& ball) {
  if (tree.moved() == nullptr) return ball;
  const IntoModel into(*tree.moved());
  const IntoModel::Point from = into.At(ball.from);
  const IntoModel::Point to = into.At(ball.to);
  const double radius =
      (into.RadiusOf(ball.radius) + std::max(from.error, to.error)) *
      (1 + 0x1p-50);
  if (!std::isfinite(from.error + to.error) || !IsFinite(to.at - from.at) ||
      !std::isfinite(radius) || from.at == to.at) {
    return {kNowhere, {}, 0};
  }
  return {from.at, to.at, radius};
}

void BallInModel::Move(const PosedTree& posed) {
  const IntoModel into(posed);
  const IntoModel::Point q = into.At(ball.center);
  center = q.at;
  error = q.error;
  outer = into.RadiusOf(ball.radius) * (1 + 0x1p-50);
  inner = into.InnerRadiusOf(ball.radius) * (1 - 0x1p-50);
  if (!IsFinite(center) ||
      !(error * posed.tree().space().scale <= kMostError)) {
    center = kNowhere;
    error = 0;
  }
}

bool Overlaps(const ConvexInModel& set, const Triangle& t,
              ArithmeticCounts* counts) {
  return std::visit(
      [&](const auto& shape) { return Overlaps(shape, t, counts); },
      set.region);
}

std::optional<std::vector<HalfSpace>> ProperHalfSpaces(HalfSpaces set) {
  std::vector<HalfSpace> proper;
  proper.reserve(set.size());
  for (const HalfSpace& h : set) {
    if (!IsFinite(h.normal) || std::isnan(h.offset)) return std::nullopt;
    const bool is_zero = h.normal == Vec3{};
    if (h.offset < 0 && (is_zero || std::isinf(h.offset))) return std::nullopt;
    if (!is_zero && std::isfinite(h.offset)) proper.push_back(h);
  }
  return proper;
}

std::optional<RegionPlanes> PlanesOf(const Region::Shape& region) {
  return std::visit([](const auto& shape) { return Planes(shape); }, region);
}

RegionPlanes InModel(const PosedTree& posed, const RegionPlanes& planes) {
  const IntoModel into(posed);
  RegionPlanes set;
  set.half_spaces.reserve(planes.half_spaces.size());
  set.errors.reserve(planes.errors.size());
  for (size_t i = 0; i < planes.half_spaces.size(); ++i) {
    const IntoModel::MovedHalfSpace moved =
        into.At(planes.half_spaces[i], planes.errors[i]);
    set.half_spaces.push_back(moved.half_space);
    set.errors.push_back(moved.error);
  }
  return set;
}

}  // namespace orbox
