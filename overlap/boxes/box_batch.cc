// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/box_batch.h"

#include <cstddef>
#include <limits>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/overlap/boxes/box_batch.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "orbox/overlap/boxes/internal/sphere_box_lanes-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {
namespace {

// The order of operations is that of box_box.h, so results are equal bit for
// bit.

HWY_INLINE AabbLanes<F8> InLanes(const Aabbf& box) {
  return {V8::Of(box.lo), V8::Of(box.hi)};
}
HWY_INLINE AabbLanes<F8> InLanes(const AabbBlock<8>& boxes) {
  return LoadAabbs(boxes.rows);
}
HWY_INLINE ObbLanes<F8> InLanes(const Obbf& box) {
  return {V8::Of(box.center),
          {V8::Of(box.axes[0]), V8::Of(box.axes[1]), V8::Of(box.axes[2])},
          V8::Of(box.half_extents)};
}
HWY_INLINE ObbLanes<F8> InLanes(const ObbBlock<8>& boxes) {
  return {Load8x3(boxes.rows),
          {Load8x3(boxes.rows + 3), Load8x3(boxes.rows + 6),
           Load8x3(boxes.rows + 9)},
          Load8x3(boxes.rows + 12)};
}

// Eight internal::RelativeBoxes, one per lane.
struct RelativeLanes {
  F8 r[3][3];
  V8 ta;
  V8 tb;
  V8 ha;
  V8 hb;
  F8 margin;
};

HWY_INLINE F8 Sum(const V8& a) { return a.x + a.y + a.z; }

// Returns the coordinates of v along the axes of b.
HWY_INLINE V8 Along(const V8& v, const ObbLanes<F8>& b) {
  return {Dot(v, b.axes[0]), Dot(v, b.axes[1]), Dot(v, b.axes[2])};
}

HWY_INLINE F8 Margin(const V8& t, const V8& ha, const V8& hb) {
  return Set8(256 * std::numeric_limits<float>::epsilon()) *
         (Sum(ha) + Sum(hb) + Sum(Abs(t)) +
          Set8(std::numeric_limits<float>::min()));
}

HWY_INLINE RelativeLanes Relate(const ObbLanes<F8>& a, const ObbLanes<F8>& b) {
  RelativeLanes rel;
  const V8 t = b.center - a.center;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) rel.r[i][j] = Dot(a.axes[i], b.axes[j]);
  }
  rel.ta = Along(t, a);
  rel.tb = Along(t, b);
  rel.ha = a.half_extents;
  rel.hb = b.half_extents;
  rel.margin = Margin(t, rel.ha, rel.hb);
  return rel;
}

HWY_INLINE RelativeLanes Relate(const AabbLanes<F8>& a, const ObbLanes<F8>& b) {
  RelativeLanes rel;
  const F8 half = Set8(0.5f);
  const V8 lo = (b.center - a.hi) * half;
  const V8 hi = (b.center - a.lo) * half;
  rel.ta = lo + hi;
  rel.ha = hi - lo;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) rel.r[i][j] = b.axes[j][i];
  }
  rel.tb = Along(rel.ta, b);
  rel.hb = b.half_extents;
  rel.margin = Margin(rel.ta, rel.ha, rel.hb);
  return rel;
}

// Returns the mask of the boxes that a face normal separates from the other
// box.
HWY_INLINE uint32_t ApartAlongFaces(const RelativeLanes& rel) {
  M8 apart = Zero8() > Zero8();
  for (size_t i = 0; i < 3; ++i) {
    F8 a_reach = rel.ha[i] + rel.margin;
    F8 b_reach = rel.hb[i] + rel.margin;
    for (size_t j = 0; j < 3; ++j) {
      a_reach = a_reach + rel.hb[j] * Abs(rel.r[i][j]);
      b_reach = b_reach + rel.ha[j] * Abs(rel.r[j][i]);
    }
    apart = apart | (Abs(rel.ta[i]) > a_reach) | (Abs(rel.tb[i]) > b_reach);
  }
  return Bits(apart);
}

// Returns the mask of the boxes that the product of two edges separates from
// the other box.
HWY_INLINE uint32_t ApartAcrossEdges(const RelativeLanes& rel) {
  M8 apart = Zero8() > Zero8();
  for (size_t i = 0; i < 3; ++i) {
    const size_t p = (i + 1) % 3;
    const size_t q = (i + 2) % 3;
    for (size_t j = 0; j < 3; ++j) {
      const size_t j1 = (j + 1) % 3;
      const size_t j2 = (j + 2) % 3;
      const F8 gap = rel.ta[q] * rel.r[p][j] - rel.ta[p] * rel.r[q][j];
      const F8 reach = rel.ha[p] * Abs(rel.r[q][j]) +
                       rel.ha[q] * Abs(rel.r[p][j]) +
                       rel.hb[j1] * Abs(rel.r[i][j2]) +
                       rel.hb[j2] * Abs(rel.r[i][j1]) + rel.margin;
      apart = apart | (Abs(gap) > reach);
    }
  }
  return Bits(apart);
}

inline constexpr uint32_t kAll = 0xff;

HWY_INLINE uint32_t OverlappingLanes(Sat axes, const RelativeLanes& rel) {
  uint32_t apart = ApartAlongFaces(rel);
  if (axes == Sat::kFull && apart != kAll) apart |= ApartAcrossEdges(rel);
  return kAll & ~apart;
}

uint32_t AabbToAabbs(const Aabbf& box, const AabbBlock<8>& boxes) {
  const AabbLanes<F8> a = InLanes(box);
  const AabbLanes<F8> b = InLanes(boxes);
  M8 overlap = Zero8() <= Zero8();
  for (size_t i = 0; i < 3; ++i) {
    overlap = overlap & (a.lo[i] <= b.hi[i]) & (b.lo[i] <= a.hi[i]);
  }
  return Bits(overlap);
}
uint32_t AabbToObbs(Sat axes, const Aabbf& box, const ObbBlock<8>& boxes) {
  return OverlappingLanes(axes, Relate(InLanes(box), InLanes(boxes)));
}
uint32_t ObbToAabbs(Sat axes, const Obbf& box, const AabbBlock<8>& boxes) {
  return OverlappingLanes(axes, Relate(InLanes(boxes), InLanes(box)));
}
uint32_t ObbToObbs(Sat axes, const Obbf& box, const ObbBlock<8>& boxes) {
  return OverlappingLanes(axes, Relate(InLanes(box), InLanes(boxes)));
}

}  // namespace
}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {
namespace {

HWY_EXPORT(AabbToAabbs);
HWY_EXPORT(AabbToObbs);
HWY_EXPORT(ObbToAabbs);
HWY_EXPORT(ObbToObbs);

}  // namespace

uint32_t TestBlock(const Aabbf& box, const AabbBlock<8>& boxes) {
  return ORBOX_DYNAMIC_DISPATCH(AabbToAabbs)(box, boxes);
}

uint32_t TestBlock(Sat axes, const Aabbf& box, const ObbBlock<8>& boxes) {
  return ORBOX_DYNAMIC_DISPATCH(AabbToObbs)(axes, box, boxes);
}

uint32_t TestBlock(Sat axes, const Obbf& box, const AabbBlock<8>& boxes) {
  return ORBOX_DYNAMIC_DISPATCH(ObbToAabbs)(axes, box, boxes);
}

uint32_t TestBlock(Sat axes, const Obbf& box, const ObbBlock<8>& boxes) {
  return ORBOX_DYNAMIC_DISPATCH(ObbToObbs)(axes, box, boxes);
}

}  // namespace orbox
#endif  // HWY_ONCE
