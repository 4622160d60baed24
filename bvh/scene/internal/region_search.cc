// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/region_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "orbox/bvh/query/internal/box_gap.h"
#include "orbox/bvh/query/internal/feed_region.h"
#include "orbox/bvh/query/region_overlap.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

constexpr Aabb kEverything{{-kMost, -kMost, -kMost}, {kMost, kMost, kMost}};

// Returns a bound of the error of a dozen sums and products, none above `size`
// in magnitude.
double ErrorOf(double size) {
  return 0x1p-48 * size + std::numeric_limits<double>::min();
}

// Returns a bound of the error by underflow, for products of normals and
// coordinates up to `size`.
double UnderflowOf(double size) {
  return 0x1p10 * std::numeric_limits<double>::denorm_min() * (1 + size);
}

double SumOf(const Vec3& v) { return v.x + v.y + v.z; }

// Returns a box that contains the oriented box, whose axes may differ a little
// from right angles.
Aabb BoxAround(const Obb& box) {
  constexpr double kRight = 0x1p-22;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double off = Dot(box.axes[i], box.axes[j]) - (i == j ? 1 : 0);
      // If the axes are far from right angles, the intersection of the slabs
      // may be of any size.
      if (!(std::abs(off) <= kRight)) return kEverything;
    }
  }
  Aabb around;
  for (int i = 0; i < 3; ++i) {
    // The inverse of the axes differs from their transpose by less than 8
    // kRight, including all other rounding.
    double half = 0;
    for (int j = 0; j < 3; ++j) {
      half += (std::abs(box.axes[j][i]) + 16 * kRight) * box.half_extents[j];
    }
    const double reach = half + ErrorOf(half + std::abs(box.center[i]));
    around.lo[i] = std::max(box.center[i] - reach, -kMost);
    around.hi[i] = std::min(box.center[i] + reach, kMost);
  }
  return around;
}

}  // namespace

RegionSearch::RegionSearch(const Region& region) {
  std::visit([this](const auto& shape) { Add(shape); }, region.shape());
}

void RegionSearch::Add(const Sphere& ball) {
  if (!IsFinite(ball.center) || !(ball.radius >= 0)) return;
  shape_ = ball;
  box_ = Grown({ball.center, ball.center}, ball.radius);
}

void RegionSearch::Add(const Aabb& box) {
  for (int i = 0; i < 3; ++i) {
    // Also false if there is a NaN. A box at infinity contains nothing.
    if (!(box.lo[i] <= box.hi[i])) return;
    if (box.lo[i] == kInfinity || box.hi[i] == -kInfinity) return;
  }
  box_ = {Max(box.lo, kEverything.lo), Min(box.hi, kEverything.hi)};
  shape_ = box_;
  for (int i = 0; i < 3; ++i) {
    Vec3 normal;
    normal[i] = 1;
    if (box_.hi[i] < kMost) planes_.push_back({normal, box_.hi[i]});
    if (box_.lo[i] > -kMost) planes_.push_back({-normal, -box_.lo[i]});
  }
}

void RegionSearch::Add(const Obb& box) {
  if (!IsFinite(box.center) || !IsFinite(box.half_extents)) return;
  for (int i = 0; i < 3; ++i) {
    if (!IsFinite(box.axes[i]) || !(box.half_extents[i] >= 0)) return;
  }
  shape_ = box;
  box_ = BoxAround(box);
  for (int i = 0; i < 3; ++i) {
    const Vec3& axis = box.axes[i];
    const double half = box.half_extents[i];
    const double size = Dot(Abs(axis), Abs(box.center)) + half;
    if (!(size < kMost)) continue;  // the exact test decides
    const double reach = half + ErrorOf(size);
    planes_.push_back({axis, reach + Dot(axis, box.center)});
    planes_.push_back({-axis, reach - Dot(axis, box.center)});
  }
}

void RegionSearch::Add(HalfSpaces set) {
  auto proper = ProperHalfSpaces(set);
  if (!proper.has_value()) return;
  planes_ = *std::move(proper);
  shape_ = HalfSpaces(planes_);
  box_ = kEverything;
}

// Returns true if certainly no point of the bounds is in the region.
bool RegionSearch::Leaves(const Aabb& bounds) const {
  const Vec3 reach = Max(Abs(bounds.lo), Abs(bounds.hi));
  return std::any_of(planes_.begin(), planes_.end(), [&](const HalfSpace& h) {
    double least = 0;
    for (int i = 0; i < 3; ++i) {
      least += std::min(h.normal[i] * bounds.lo[i], h.normal[i] * bounds.hi[i]);
    }
    const double size = Dot(Abs(h.normal), reach) + std::abs(h.offset);
    return least - ErrorOf(size) > h.offset;
  });
}

void RegionSearch::VisitBodies(const Scene& scene,
                               absl::FunctionRef<Visit(BodyId)> visit) const {
  if (!shape_.has_value()) return;
  bool stopped = false;
  scene.broad_phase().FindBodies(box_, [&](BodyId body) {
    if (stopped || Leaves(scene.bounds(body))) return;
    stopped = visit(body) == Visit::kStop;
  });
}

bool RegionSearch::Contains(const Aabb& bounds) const {
  const Aabb* box = std::get_if<Aabb>(&*shape_);
  return box != nullptr && Min(box->lo, bounds.lo) == box->lo &&
         Max(box->hi, bounds.hi) == box->hi;
}

bool RegionSearch::OverlapsExactly(const Triangle& t) const {
  return std::visit([&](const auto& shape) { return Overlaps(shape, t); },
                    *shape_);
}

std::optional<std::vector<HalfSpace>> RegionSearch::BeforePose(
    const PosedTree& body) const {
  const Aabb& mesh = body.tree().mesh().bounds();
  const Vec3 reach = Max(Abs(mesh.lo), Abs(mesh.hi));
  const Pose& pose = body.pose();
  std::vector<HalfSpace> before;
  for (const HalfSpace& h : planes_) {
    // Dot(normal, R v + t) <= offset, written as a half-space of v.
    HalfSpace moved;
    double size = std::abs(h.offset);
    for (int i = 0; i < 3; ++i) {
      moved.normal += pose.rows[i] * h.normal[i];
      size += std::abs(h.normal[i]) *
              (Dot(Abs(pose.rows[i]), reach) + std::abs(pose.translation[i]));
    }
    const double error =
        0x1p-48 * size + UnderflowOf(SumOf(reach) + SumOf(Abs(h.normal)));
    moved.offset = h.offset - Dot(h.normal, pose.translation) + error;
    // Also false if there is a NaN.
    if (!(size < 0x1p1000) || !IsFinite(moved.normal) ||
        !std::isfinite(moved.offset)) {
      return std::nullopt;
    }
    before.push_back(moved);
  }
  return before;
}

void RegionSearch::VisitTriangles(const Scene& scene, BodyId id,
                                  IdVisitor visitor, const Watch& watch) {
  const PosedTree& body = scene.body(id);
  const auto test = [&](uint32_t triangle) {
    return OverlapsExactly(body.triangle(triangle)) ? visitor(triangle)
                                                    : Visit::kContinue;
  };
  if (!body.is_moved()) {
    std::visit(
        [&](const auto& shape) {
          VisitOverlaps(body.tree(), Region(shape), visitor, watch.Alone());
        },
        *shape_);
  } else if (const Sphere* ball = std::get_if<Sphere>(&*shape_)) {
    if (!probe_.has_value()) probe_.emplace(ball->center);
    VisitWithin(body, *probe_, ball->radius, visitor, watch);
  } else if (Contains(scene.bounds(id))) {
    VisitAllTriangles(body, visitor);
  } else if (const auto planes = BeforePose(body)) {
    VisitOverlaps(body.tree(), Region(*planes), test, watch.Alone());
  } else {
    VisitAllTriangles(body, test);
  }
}

}  // namespace orbox
