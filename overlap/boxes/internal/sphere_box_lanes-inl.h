// SPDX-License-Identifier: Apache-2.0

// Sphere-box tests, one pair per lane, for batches.
//
// Private; compiled once per instruction set, like float_ops-inl.h. The order
// of operations is that of the scalar functions named at each, so the results
// are equal in every bit.
#if defined(ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_
#undef ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_
#else
#define ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/boxes/internal/float_ops-inl.h"
#include "orbox/overlap/boxes/sphere_obb.h"
#include "orbox/overlap/boxes/variants.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Shapes in lanes: the rows of the spans in batch.h.
template <typename V>
struct SphereLanes {
  V row[4];
};
template <typename V>
struct AabbLanes {
  V row[6];
};
template <typename V>
struct ObbLanes {
  V row[15];
};

template <typename D, typename V>
HWY_INLINE V SumOfSquares(D, V x, V y, V z) {
  return ops::Add(ops::Add(ops::Mul(x, x), ops::Mul(y, y)), ops::Mul(z, z));
}

// OverlapsArvo. The distance on an axis is computed as the difference between
// the centre and its nearest point in the box. This gives Arvo's difference, or
// zero, in three operations.
template <typename D, typename V>
HWY_INLINE auto TestExact(D d, const SphereLanes<V>& s, const AabbLanes<V>& b) {
  V e[3];
  for (size_t i = 0; i < 3; ++i) {
    const V nearest = ops::Min(ops::Max(s.row[i], b.row[i]), b.row[i + 3]);
    e[i] = ops::Sub(s.row[i], nearest);
  }
  return ops::Le(SumOfSquares(d, e[0], e[1], e[2]),
                 ops::Mul(s.row[3], s.row[3]));
}

// OverlapsConservative for AABBs.
template <typename D, typename V>
HWY_INLINE auto TestConservative(D, const SphereLanes<V>& s,
                                 const AabbLanes<V>& b) {
  V e[3];
  for (size_t i = 0; i < 3; ++i) {
    e[i] = ops::Max(ops::Sub(b.row[i], s.row[i]),
                    ops::Sub(s.row[i], b.row[i + 3]));
  }
  return ops::Le(ops::Max(ops::Max(e[0], e[1]), e[2]), s.row[3]);
}

// Sets folded[i] to |(box's centre - sphere's centre) . axes[i]|.
template <typename D, typename V>
HWY_INLINE void FoldIntoFrame(D, const SphereLanes<V>& s, const ObbLanes<V>& b,
                              V folded[3]) {
  const V x = ops::Sub(b.row[0], s.row[0]);
  const V y = ops::Sub(b.row[1], s.row[1]);
  const V z = ops::Sub(b.row[2], s.row[2]);
  for (size_t i = 0; i < 3; ++i) {
    const V* const axis = &b.row[3 + 3 * i];
    folded[i] =
        ops::Abs(ops::Add(ops::Add(ops::Mul(x, axis[0]), ops::Mul(y, axis[1])),
                          ops::Mul(z, axis[2])));
  }
}

// OverlapsFolded.
template <typename D, typename V>
HWY_INLINE auto TestExact(D d, const SphereLanes<V>& s, const ObbLanes<V>& b) {
  V e[3];
  FoldIntoFrame(d, s, b, e);
  for (size_t i = 0; i < 3; ++i) {
    e[i] = ops::PositivePart(d, ops::Sub(e[i], b.row[12 + i]));
  }
  return ops::Le(SumOfSquares(d, e[0], e[1], e[2]),
                 ops::Mul(s.row[3], s.row[3]));
}

// OverlapsConservative for OBBs. After an overflow, each lane of `folded` and
// `reach` is infinite or NaN, so no comparison with "greater" holds.
template <typename D, typename V>
HWY_INLINE auto TestConservative(D d, const SphereLanes<V>& s,
                                 const ObbLanes<V>& b) {
  V folded[3];
  FoldIntoFrame(d, s, b, folded);
  const V largest = ops::Max(ops::Max(folded[0], folded[1]), folded[2]);
  const V margin =
      ops::Mul(largest, ops::Set(d, 32 * internal::kUnitRoundoff<float>));
  const V reach = ops::Add(
      ops::Add(s.row[3], ops::Set(d, std::numeric_limits<float>::min())),
      margin);
  for (size_t i = 0; i < 3; ++i) {
    folded[i] = ops::Sub(folded[i], b.row[12 + i]);
  }
  return ops::Not(
      ops::Gt(ops::Max(ops::Max(folded[0], folded[1]), folded[2]), reach));
}

template <Answer answer, typename D, typename S, typename B>
HWY_INLINE auto TestLanes(D d, const S& s, const B& b) {
  if constexpr (answer == Answer::kExact) {
    return TestExact(d, s, b);
  } else {
    return TestConservative(d, s, b);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_
