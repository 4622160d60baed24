// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunk_gaps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/shapes/vec3.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/large/internal/chunk_gaps.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

using Row = Lanes<double, ChunkBoxRow::kWidth>;

// Computes GapOf (box_arithmetic.h) of a point and each box.
void PointGapsLoop(const Vec3& p, const ChunkBoxRow& row, double* gaps) {
  Row gap[3];
  for (size_t k = 0; k < 3; ++k) {
    const Row at = p[k];
    gap[k] =
        Max(Max(at - Row::Load(row.hi[k]), Row::Load(row.lo[k]) - at), Row(0));
  }
  const Row largest = Largest(gap[0], gap[1], gap[2]);
  const Row squares = gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
  // If squares would leave double's range, the largest axis suffices.
  const Row::Mask is_usual = (largest > 0x1p-400) & (largest < 0x1p400);
  const Row bound = Select(is_usual, Sqrt(squares), largest) * (1 - 0x1p-49);
  bound.Store(gaps);
}

void RayEntriesLoop(const RayEntry::Slabs& slabs, const ChunkBoxRow& row,
                    double* entries) {
  constexpr double kMost = std::numeric_limits<double>::max();
  // More than three roundings, also near 0.
  constexpr double kRelative = 0x1p-48;
  constexpr double kAbsolute = 0x1p-1060;
  Row entry = 0;
  Row exit = slabs.max_t;
  for (size_t k = 0; k < 3; ++k) {
    const Row lo = Row::Load(row.lo[k]) - slabs.origin[k];
    const Row hi = Row::Load(row.hi[k]) - slabs.origin[k];
    if (slabs.is_flat[k]) {
      const Row::Mask misses = (lo > 0) | (hi < 0);
      entry = Select(misses, kInfinity, entry);
      exit = Select(misses, 0, exit);
      continue;
    }
    const Row s = lo * slabs.inverse[k];
    const Row t = hi * slabs.inverse[k];
    // Values that overflow, or are NaN, bound nothing.
    const Row::Mask counts = (Abs(s) <= kMost) & (Abs(t) <= kMost);
    const Row from = Min(s, t);
    const Row to = Max(s, t);
    const Row low = from - (Abs(from) * kRelative + kAbsolute);
    const Row high = to + (Abs(to) * kRelative + kAbsolute);
    entry = Select(counts, Max(entry, low), entry);
    exit = Select(counts, Min(exit, high), exit);
  }
  Select(entry <= exit, entry, kInfinity).Store(entries);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(PointGapsLoop);
HWY_EXPORT(RayEntriesLoop);

namespace {

ChunkBoxRow RowOfOne(const Aabb& box) {
  ChunkBoxRow row;
  for (size_t k = 0; k < 3; ++k) {
    std::fill_n(row.lo[k], ChunkBoxRow::kWidth, box.lo[k]);
    std::fill_n(row.hi[k], ChunkBoxRow::kWidth, box.hi[k]);
  }
  return row;
}

}  // namespace

double GapFromPoint::operator()(const Aabb& box) const {
  return IsFinite(p_) ? GapOf({p_, p_}, box) : kInfinity;
}

void GapFromPoint::operator()(const ChunkBoxRow& row, double* gaps) const {
  if (IsFinite(p_)) {
    ORBOX_DYNAMIC_DISPATCH(PointGapsLoop)(p_, row, gaps);
  } else {
    std::fill_n(gaps, ChunkBoxRow::kWidth, kInfinity);
  }
}

RayEntry::RayEntry(const Ray& ray)
    : slabs_{.origin = ray.origin,
             .inverse = {},
             .max_t = ray.max_t,
             .is_flat = {},
             .is_valid = IsFinite(ray.origin) && IsFinite(ray.direction) &&
                         ray.direction != Vec3{}} {
  for (int k = 0; k < 3; ++k) {
    slabs_.is_flat[k] = ray.direction[k] == 0;
    // A number that is not normal has lost digits.
    const double inverse = 1 / ray.direction[k];
    slabs_.inverse[k] = std::isnormal(inverse) ? inverse : kInfinity;
  }
}

void RayEntry::operator()(const ChunkBoxRow& row, double* entries) const {
  if (slabs_.is_valid) {
    ORBOX_DYNAMIC_DISPATCH(RayEntriesLoop)(slabs_, row, entries);
  } else {
    std::fill_n(entries, ChunkBoxRow::kWidth, kInfinity);
  }
}

namespace {

// Upper bound of fewer than sixteen roundings of terms of this size in total,
// also near 0.
double ErrorOfTerms(double size) { return size * 0x1p-48 + 0x1p-1060; }

// Returns true if a point of the box may be in the half-space.
bool MayReach(const HalfSpace& h, const Aabb& box) {
  double least = 0;
  double size = std::abs(h.offset);
  for (int i = 0; i < 3; ++i) {
    const double lo = h.normal[i] * box.lo[i];
    const double hi = h.normal[i] * box.hi[i];
    least += std::min(lo, hi);
    size += std::max(std::abs(lo), std::abs(hi));
  }
  // NaN, after overflow, also gives true.
  return !(least - ErrorOfTerms(size) > h.offset);
}

bool MayBeIn(const Sphere& ball, const Aabb& box) {
  if (!IsFinite(ball.center) || !(ball.radius >= 0)) return false;
  return GapOf({ball.center, ball.center}, box) <= ball.radius;
}

bool MayBeIn(const Aabb& query, const Aabb& box) {
  return Overlaps(query, box);
}

// Tests the slabs that define the box.
bool MayBeIn(const Obb& query, const Aabb& box) {
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& axis = query.axes[i];
    const double center = Dot(axis, query.center);
    const double slack =
        ErrorOfTerms(Dot(Abs(axis), Abs(query.center)) + query.half_extents[i]);
    const double half = query.half_extents[i] + slack;
    if (!MayReach({axis, center + half}, box) ||
        !MayReach({-axis, half - center}, box)) {
      return false;
    }
  }
  return true;
}

bool MayBeIn(HalfSpaces set, const Aabb& box) {
  return std::all_of(set.begin(), set.end(),
                     [&](const HalfSpace& h) { return MayReach(h, box); });
}

}  // namespace

bool MayOverlap(const Region& region, const Aabb& box) {
  return std::visit([&](const auto& shape) { return MayBeIn(shape, box); },
                    region.shape());
}

double GapFromRegion::operator()(const Aabb& box) const {
  return MayOverlap(region_, box) ? 0 : kInfinity;
}

void GapFromRegion::operator()(const ChunkBoxRow& row, double* gaps) const {
  // Batches have hundreds of thousands of balls.
  if (const auto* ball = std::get_if<Sphere>(&region_.shape())) {
    GapFromPoint{ball->center}(row, gaps);
    for (size_t i = 0; i < ChunkBoxRow::kWidth; ++i) {
      gaps[i] = gaps[i] <= ball->radius ? 0 : kInfinity;
    }
    return;
  }
  for (size_t i = 0; i < ChunkBoxRow::kWidth; ++i) {
    gaps[i] = (*this)(row.box(i));
  }
}

double RayEntry::operator()(const Aabb& box) const {
  alignas(64) double entries[ChunkBoxRow::kWidth];
  (*this)(RowOfOne(box), entries);
  return entries[0];
}

}  // namespace orbox
#endif  // HWY_ONCE
