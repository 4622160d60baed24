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
#include "orbox/overlap/internal/lanes/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {
namespace {

// The order of operations is that of box_box.h, so the results are equal in
// every bit.

// Rows x, y, z that can be indexed.
struct Vector8 {
  F8 v[3];

  HWY_INLINE const F8& operator[](size_t i) const { return v[i]; }
};

HWY_INLINE F8 Dot(const Vector8& a, const Vector8& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
HWY_INLINE Vector8 Minus(const Vector8& a, const Vector8& b) {
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}
HWY_INLINE Vector8 InAllLanes(const Vec3f& a) {
  return {{Set8(a.x), Set8(a.y), Set8(a.z)}};
}
HWY_INLINE Vector8 FromRows(const float (*HWY_RESTRICT rows)[8]) {
  return {{Load8(rows[0]), Load8(rows[1]), Load8(rows[2])}};
}

struct AabbLanes {
  Vector8 lo;
  Vector8 hi;
};
struct ObbLanes {
  Vector8 center;
  Vector8 axes[3];
  Vector8 half;
};

HWY_INLINE AabbLanes InLanes(const Aabbf& box) {
  return {InAllLanes(box.lo), InAllLanes(box.hi)};
}
HWY_INLINE AabbLanes InLanes(const AabbBlock<8>& boxes) {
  return {FromRows(boxes.rows), FromRows(boxes.rows + 3)};
}
HWY_INLINE ObbLanes InLanes(const Obbf& box) {
  return {InAllLanes(box.center),
          {InAllLanes(box.axes[0]), InAllLanes(box.axes[1]),
           InAllLanes(box.axes[2])},
          InAllLanes(box.half_extents)};
}
HWY_INLINE ObbLanes InLanes(const ObbBlock<8>& boxes) {
  return {FromRows(boxes.rows),
          {FromRows(boxes.rows + 3), FromRows(boxes.rows + 6),
           FromRows(boxes.rows + 9)},
          FromRows(boxes.rows + 12)};
}

// Eight of internal::RelativeBoxes.
struct RelativeLanes {
  F8 r[3][3];
  Vector8 ta;
  Vector8 tb;
  Vector8 ha;
  Vector8 hb;
  F8 margin;
};

HWY_INLINE F8 Sum(const Vector8& a) { return a[0] + a[1] + a[2]; }

HWY_INLINE F8 Margin(const Vector8& t, const Vector8& ha, const Vector8& hb) {
  const Vector8 size{{Abs(t[0]), Abs(t[1]), Abs(t[2])}};
  return Set8(256 * std::numeric_limits<float>::epsilon()) *
         (Sum(ha) + Sum(hb) + Sum(size) +
          Set8(std::numeric_limits<float>::min()));
}

HWY_INLINE RelativeLanes Relate(const ObbLanes& a, const ObbLanes& b) {
  RelativeLanes rel;
  const Vector8 t = Minus(b.center, a.center);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) rel.r[i][j] = Dot(a.axes[i], b.axes[j]);
    rel.ta.v[i] = Dot(t, a.axes[i]);
    rel.tb.v[i] = Dot(t, b.axes[i]);
  }
  rel.ha = a.half;
  rel.hb = b.half;
  rel.margin = Margin(t, rel.ha, rel.hb);
  return rel;
}

HWY_INLINE RelativeLanes Relate(const AabbLanes& a, const ObbLanes& b) {
  RelativeLanes rel;
  const Vector8 lo = Minus(b.center, a.hi);
  const Vector8 hi = Minus(b.center, a.lo);
  const F8 half = Set8(0.5f);
  for (size_t i = 0; i < 3; ++i) {
    rel.ta.v[i] = lo[i] * half + hi[i] * half;
    rel.ha.v[i] = hi[i] * half - lo[i] * half;
    for (size_t j = 0; j < 3; ++j) rel.r[i][j] = b.axes[j][i];
  }
  for (size_t j = 0; j < 3; ++j) rel.tb.v[j] = Dot(rel.ta, b.axes[j]);
  rel.hb = b.half;
  rel.margin = Margin(rel.ta, rel.ha, rel.hb);
  return rel;
}

// Returns the boxes that a face normal separates.
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

// Returns the boxes that a product of two edges separates.
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

HWY_INLINE uint32_t Meeting(Sat axes, const RelativeLanes& rel) {
  uint32_t apart = ApartAlongFaces(rel);
  if (axes == Sat::kFull && apart != kAll) apart |= ApartAcrossEdges(rel);
  return kAll & ~apart;
}

uint32_t AabbToAabbs(const Aabbf& box, const AabbBlock<8>& boxes) {
  const AabbLanes a = InLanes(box);
  const AabbLanes b = InLanes(boxes);
  M8 meet = Zero8() <= Zero8();
  for (size_t i = 0; i < 3; ++i) {
    meet = meet & (a.lo[i] <= b.hi[i]) & (b.lo[i] <= a.hi[i]);
  }
  return Bits(meet);
}
uint32_t AabbToObbs(Sat axes, const Aabbf& box, const ObbBlock<8>& boxes) {
  return Meeting(axes, Relate(InLanes(box), InLanes(boxes)));
}
uint32_t ObbToAabbs(Sat axes, const Obbf& box, const AabbBlock<8>& boxes) {
  return Meeting(axes, Relate(InLanes(boxes), InLanes(box)));
}
uint32_t ObbToObbs(Sat axes, const Obbf& box, const ObbBlock<8>& boxes) {
  return Meeting(axes, Relate(InLanes(box), InLanes(boxes)));
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
