// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/sweep.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "orbox/overlap/boxes/box_box.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/broad_phase/internal/sweep.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Eight consecutive boxes, each compared with one later box. The loop over
// later boxes thus ends once per eight boxes, with an eighth of the
// mispredicted branches.
struct EightBoxes {
  F8 lo[3];
  F8 hi[3];
  // For kColumn: the other box's lo must be above this.
  F8 begins[2];
  // The largest end of the eight on axis 0.
  float end;
};

template <SweepOrder kOrder>
HWY_INLINE EightBoxes LoadBoxes(const SweepRows& rows, size_t i) {
  EightBoxes boxes;
  for (size_t axis = 0; axis < 3; ++axis) {
    boxes.lo[axis] = LoadU8(rows.lo(axis) + i);
    boxes.hi[axis] = LoadU8(rows.hi(axis) + i);
  }
  if constexpr (kOrder == SweepOrder::kColumn) {
    // If this box begins here, any lo is above the limit.
    for (size_t k = 0; k < 2; ++k) {
      boxes.begins[k] = Select(boxes.lo[1 + k] > Set8(kBegunBefore),
                               Set8(2 * kBegunBefore), Set8(kBegunBefore));
    }
  }
  boxes.end = -LowestValue(Zero8() - boxes.hi[0]);
  return boxes;
}

// Returns the least overlap of box j with each of the eight, over all axes. A
// difference of floats is 0 only if they are equal, and never has the wrong
// sign.
template <SweepOrder kOrder>
HWY_INLINE F8 LeastOverlap(const EightBoxes& boxes, const SweepRows& rows,
                           size_t j) {
  const F8 lo1 = Set8(rows.lo(1)[j]);
  const F8 lo2 = Set8(rows.lo(2)[j]);
  F8 least = boxes.hi[0] - Set8(rows.lo(0)[j]);
  least = Min(least, boxes.hi[1] - lo1);
  least = Min(least, Set8(rows.hi(1)[j]) - boxes.lo[1]);
  least = Min(least, boxes.hi[2] - lo2);
  least = Min(least, Set8(rows.hi(2)[j]) - boxes.lo[2]);
  if constexpr (kOrder == SweepOrder::kNone) {
    least = Min(least, Set8(rows.hi(0)[j]) - boxes.lo[0]);
  } else if constexpr (kOrder == SweepOrder::kColumn) {
    const F8 one = lo1 - boxes.begins[0];
    const F8 other = lo2 - boxes.begins[1];
    // A difference of 0 is not above.
    const M8 owned = Min(one, other) > Zero8();
    least = Select(owned, least, Set8(-1.0f));
  }
  return least;
}

// Returns the `touching` lanes whose boxes are disjoint in double.
uint32_t Apart(const SweepRows& rows, size_t i, size_t j, uint32_t touching,
               const Bodies& exact) {
  uint32_t apart = 0;
  for (uint32_t rest = touching; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const BodyId a = rows.ids()[i + static_cast<size_t>(lane)];
    if (!Overlaps(exact.box(a), exact.box(rows.ids()[j]))) apart |= 1u << lane;
  }
  return apart;
}

// Collects pairs before they are appended to a vector, so many at a time that
// the vector's growth costs nothing.
class PairBuffer {
 public:
  explicit PairBuffer(std::vector<BodyPair>* pairs) : pairs_(pairs) {}

  // Pairs `body` with the lanes of `others` among `bits`.
  HWY_INLINE void Add(const U8& others, BodyId body, uint32_t bits) {
    CompressStore8(others, bits, others_ + count_);
    const size_t count = static_cast<size_t>(std::popcount(bits));
    StoreAll(Set8(body), bodies_ + count_);
    count_ += count;
    if (count_ > kSize - kLanesPerRow) Flush();
  }

  // Number of pairs, including those in the vector before.
  size_t found() const { return pairs_->size() + count_; }

  void Flush() {
    const size_t old = pairs_->size();
    if (pairs_->capacity() < old + count_) pairs_->reserve(2 * old + kSize);
    for (size_t k = 0; k < count_; ++k) {
      pairs_->push_back(
          {std::min(bodies_[k], others_[k]), std::max(bodies_[k], others_[k])});
    }
    count_ = 0;
  }

 private:
  static constexpr size_t kSize = 1024;

  static HWY_INLINE void StoreAll(const U8& a, uint32_t* HWY_RESTRICT p) {
    for (size_t k = 0; k < kParts; ++k) {
      hn::StoreU(a.part[k], IntPart(), p + k * kPartLanes);
    }
  }

  std::vector<BodyPair>* pairs_;
  size_t count_ = 0;
  // A compressing store may write one row more than it counts.
  uint32_t bodies_[kSize + kLanesPerRow];
  uint32_t others_[kSize + kLanesPerRow];
};

template <SweepOrder kOrder>
SweepOutcome Loop(const SweepRows& rows, const Bodies* exact,
                  std::vector<BodyPair>* pairs, const SweepLimit& limit) {
  const size_t size = rows.size();
  PairBuffer buffer(pairs);
  size_t steps = 0;
  bool is_complete = true;
  size_t found_before = buffer.found();
  for (size_t i = 0; i < size; i += kLanesPerRow) {
    const EightBoxes boxes = LoadBoxes<kOrder>(rows, i);
    const U8 ids = LoadU8(rows.ids() + i);
    size_t j = i + 1;
    for (; j < size; ++j) {
      if (kOrder != SweepOrder::kNone && rows.lo(0)[j] > boxes.end) break;
      const F8 least = LeastOverlap<kOrder>(boxes, rows, j);
      uint32_t bits = Bits(least >= Zero8());
      // Within the eight, box j is compared only with those before it.
      const uint32_t before = j - i < kLanesPerRow ? (1u << (j - i)) - 1 : 0xff;
      bits &= before;
      // With kNone, few boxes overlap, and the branch predictor expects that.
      if (kOrder == SweepOrder::kNone && bits == 0) continue;
      const uint32_t touching = bits & ~Bits(least > Zero8());
      if (touching != 0 && exact != nullptr) [[unlikely]] {
        bits &= ~Apart(rows, i, j, touching, *exact);
        steps += static_cast<size_t>(std::popcount(touching));
      }
      buffer.Add(ids, rows.ids()[j], bits);
    }
    steps += j - i - 1;
    const size_t found = buffer.found();
    steps -= std::min(steps, (found - found_before) / 2);
    found_before = found;
    const size_t earned = limit.steps_per_box * i;
    if ((steps > limit.steps && steps - limit.steps > earned) ||
        found > limit.pairs) {
      is_complete = false;
      break;
    }
  }
  buffer.Flush();
  return {steps, is_complete};
}

SweepOutcome SweepLoop(const SweepRows& rows, SweepOrder order,
                       const Bodies* exact, std::vector<BodyPair>* pairs,
                       const SweepLimit& limit) {
  switch (order) {
    case SweepOrder::kNone:
      return Loop<SweepOrder::kNone>(rows, exact, pairs, limit);
    case SweepOrder::kAscending:
      return Loop<SweepOrder::kAscending>(rows, exact, pairs, limit);
    case SweepOrder::kColumn:
      return Loop<SweepOrder::kColumn>(rows, exact, pairs, limit);
  }
  return {};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SweepLoop);

SweepOutcome AppendMeeting(const SweepRows& rows, SweepOrder order,
                           const Bodies* exact, std::vector<BodyPair>* pairs,
                           const SweepLimit& limit) {
  return ORBOX_DYNAMIC_DISPATCH(SweepLoop)(rows, order, exact, pairs, limit);
}

}  // namespace orbox
#endif  // HWY_ONCE
