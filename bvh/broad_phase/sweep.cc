#include "orbox/bvh/broad_phase/sweep.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "orbox/overlap/box_box.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/broad_phase/sweep.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// One box, in all lanes, against eight of a row.
struct SweptBox {
  F8 lo[3];
  F8 hi[3];
};

template <SweepOrder kOrder>
HWY_INLINE uint32_t MeetingLanes(const SweptBox& box, const SweepRows& rows,
                                 size_t j) {
  const F8 lo1 = LoadU8(rows.lo(1) + j);
  const F8 lo2 = LoadU8(rows.lo(2) + j);
  M8 meet = (LoadU8(rows.lo(0) + j) <= box.hi[0]) & (lo1 <= box.hi[1]) &
            (lo2 <= box.hi[2]) & (LoadU8(rows.hi(1) + j) >= box.lo[1]) &
            (LoadU8(rows.hi(2) + j) >= box.lo[2]);
  if constexpr (kOrder == SweepOrder::kNone) {
    meet = meet & (LoadU8(rows.hi(0) + j) >= box.lo[0]);
  }
  if constexpr (kOrder == SweepOrder::kColumn) {
    const F8 before = Set8(kBegunBefore);
    meet =
        meet & (Max(lo1, box.lo[1]) > before) & (Max(lo2, box.lo[2]) > before);
  }
  return Bits(meet);
}

// Those that meet for certain.
HWY_INLINE uint32_t StrictLanes(const SweptBox& box, const SweepRows& rows,
                                size_t j) {
  M8 strict = LoadU8(rows.lo(0) + j) < box.hi[0];
  for (size_t axis = 0; axis < 3; ++axis) {
    strict = strict & (LoadU8(rows.lo(axis) + j) < box.hi[axis]) &
             (LoadU8(rows.hi(axis) + j) > box.lo[axis]);
  }
  return Bits(strict);
}

template <SweepOrder kOrder>
void Loop(const SweepRows& rows, SweepRange range, const Bodies* exact,
          std::vector<BodyPair>* pairs) {
  const BodyId* const ids = rows.ids();
  for (size_t i = range.begin; i < range.end; ++i) {
    SweptBox box;
    for (size_t axis = 0; axis < 3; ++axis) {
      box.lo[axis] = Set8(rows.lo(axis)[i]);
      box.hi[axis] = Set8(rows.hi(axis)[i]);
    }
    const float end = rows.hi(0)[i];
    for (size_t j = i + 1; j < range.end; j += kLanesPerRow) {
      if (kOrder != SweepOrder::kNone && rows.lo(0)[j] > end) break;
      uint32_t bits = MeetingLanes<kOrder>(box, rows, j);
      if (range.end - j < kLanesPerRow) bits &= (1u << (range.end - j)) - 1;
      if (bits == 0) continue;
      if (exact != nullptr) {
        for (uint32_t touch = bits & ~StrictLanes(box, rows, j); touch != 0;
             touch &= touch - 1) {
          const BodyId other = ids[j + std::countr_zero(touch)];
          if (!Overlaps(exact->box(ids[i]), exact->box(other))) {
            bits ^= touch & (0 - touch);
          }
        }
      }
      for (; bits != 0; bits &= bits - 1) {
        const BodyId other = ids[j + std::countr_zero(bits)];
        pairs->push_back({std::min(ids[i], other), std::max(ids[i], other)});
      }
    }
  }
}

void SweepLoop(const SweepRows& rows, SweepRange range, SweepOrder order,
               const Bodies* exact, std::vector<BodyPair>* pairs) {
  switch (order) {
    case SweepOrder::kNone:
      return Loop<SweepOrder::kNone>(rows, range, exact, pairs);
    case SweepOrder::kAscending:
      return Loop<SweepOrder::kAscending>(rows, range, exact, pairs);
    case SweepOrder::kColumn:
      return Loop<SweepOrder::kColumn>(rows, range, exact, pairs);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SweepLoop);

void AppendMeeting(const SweepRows& rows, SweepRange range, SweepOrder order,
                   const Bodies* exact, std::vector<BodyPair>* pairs) {
  ORBOX_DYNAMIC_DISPATCH(SweepLoop)(rows, range, order, exact, pairs);
}

}  // namespace orbox
#endif  // HWY_ONCE
