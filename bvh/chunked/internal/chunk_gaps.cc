// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/internal/chunk_gaps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/bvh/query/internal/box_gap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/chunked/internal/chunk_gaps.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RowTag = hn::CappedTag<double, ChunkBoxRow::kWidth>;

// GapOf (box_gap.h) of a point and each box.
void PointGapsLoop(const Vec3& p, const ChunkBoxRow& row, double* gaps) {
  const RowTag d;
  using V = hn::Vec<RowTag>;
  const V zero = hn::Zero(d);
  const V down = hn::Set(d, 1 - 0x1p-49);
  for (size_t i = 0; i < ChunkBoxRow::kWidth; i += hn::Lanes(d)) {
    V gap[3];
    for (size_t k = 0; k < 3; ++k) {
      const V at = hn::Set(d, p[k]);
      gap[k] = hn::Max(hn::Max(hn::Sub(at, hn::Load(d, row.hi[k] + i)),
                               hn::Sub(hn::Load(d, row.lo[k] + i), at)),
                       zero);
    }
    const V largest = hn::Max(hn::Max(gap[0], gap[1]), gap[2]);
    const V squares =
        hn::Add(hn::Add(hn::Mul(gap[0], gap[0]), hn::Mul(gap[1], gap[1])),
                hn::Mul(gap[2], gap[2]));
    // Where squares would leave double's range, one axis suffices.
    const auto is_usual = hn::And(hn::Gt(largest, hn::Set(d, 0x1p-400)),
                                  hn::Lt(largest, hn::Set(d, 0x1p400)));
    hn::Store(
        hn::Mul(down, hn::IfThenElse(is_usual, hn::Sqrt(squares), largest)), d,
        gaps + i);
  }
}

void RayEntriesLoop(const RayEntry::Slabs& slabs, const ChunkBoxRow& row,
                    double* entries) {
  const RowTag d;
  using V = hn::Vec<RowTag>;
  const V zero = hn::Zero(d);
  const V infinity = hn::Set(d, kInfinity);
  const V most = hn::Set(d, std::numeric_limits<double>::max());
  // More than three roundings, next to 0 too.
  const V relative = hn::Set(d, 0x1p-48);
  const V absolute = hn::Set(d, 0x1p-1060);
  for (size_t i = 0; i < ChunkBoxRow::kWidth; i += hn::Lanes(d)) {
    V entry = zero;
    V exit = infinity;
    for (size_t k = 0; k < 3; ++k) {
      const V origin = hn::Set(d, slabs.origin[k]);
      const V lo = hn::Sub(hn::Load(d, row.lo[k] + i), origin);
      const V hi = hn::Sub(hn::Load(d, row.hi[k] + i), origin);
      if (slabs.is_flat[k]) {
        const auto misses = hn::Or(hn::Gt(lo, zero), hn::Lt(hi, zero));
        entry = hn::IfThenElse(misses, infinity, entry);
        exit = hn::IfThenElse(misses, zero, exit);
        continue;
      }
      const V inverse = hn::Set(d, slabs.inverse[k]);
      const V s = hn::Mul(lo, inverse);
      const V t = hn::Mul(hi, inverse);
      // What overflows, or is not a number, says nothing.
      const auto counts =
          hn::And(hn::Le(hn::Abs(s), most), hn::Le(hn::Abs(t), most));
      const V from = hn::Min(s, t);
      const V to = hn::Max(s, t);
      const V low =
          hn::Sub(from, hn::Add(hn::Mul(hn::Abs(from), relative), absolute));
      const V high =
          hn::Add(to, hn::Add(hn::Mul(hn::Abs(to), relative), absolute));
      entry = hn::IfThenElse(counts, hn::Max(entry, low), entry);
      exit = hn::IfThenElse(counts, hn::Min(exit, high), exit);
    }
    hn::Store(hn::IfThenElse(hn::Le(entry, exit), entry, infinity), d,
              entries + i);
  }
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
             .is_flat = {},
             .is_valid = IsFinite(ray.origin) && IsFinite(ray.direction) &&
                         ray.direction != Vec3{}} {
  for (int k = 0; k < 3; ++k) {
    slabs_.is_flat[k] = ray.direction[k] == 0;
    // What is not normal has lost digits.
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

double RayEntry::operator()(const Aabb& box) const {
  alignas(64) double entries[ChunkBoxRow::kWidth];
  (*this)(RowOfOne(box), entries);
  return entries[0];
}

}  // namespace orbox
#endif  // HWY_ONCE
