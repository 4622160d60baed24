// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/filter_pairs.h"

#include <algorithm>
#include <cstddef>

#include "orbox/overlap/boxes/box_box.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/broad_phase/internal/filter_pairs.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The relation of two boxes: disjoint on some axis (apart); of equal bounds on
// some axis (touch). Neither is set if their interiors overlap.
struct Relation {
  bool apart;
  bool touch;
};

HWY_INLINE Relation Relate(const MappedBox& a, const MappedBox& b) {
  using F4 = Lanes<float, 4>;
  // A difference of floats is 0 only if they are equal, and never has the wrong
  // sign.
  const F4 least =
      Min(F4::Load(a.hi) - F4::Load(b.lo), F4::Load(b.hi) - F4::Load(a.lo));
  return {Bits(least < F4(0)) != 0, Bits(least == F4(0)) != 0};
}

void KeepLoop(std::span<const BodyPair> candidates, const MappedBoxes& boxes,
              const Bodies& exact, std::vector<BodyPair>* pairs) {
  // Lists ascend by the first body, so its box is in the cache. The box of the
  // second body is prefetched.
  constexpr size_t kAhead = 16;
  // Room for one more pair, which is written but not counted.
  pairs->resize(candidates.size() + 1);
  BodyPair* out = pairs->data();
  for (size_t k = 0; k < candidates.size(); ++k) {
    const BodyPair ahead =
        candidates[std::min(k + kAhead, candidates.size() - 1)];
    hwy::Prefetch(&boxes[ahead.b]);
    const BodyPair pair = candidates[k];
    const Relation r = Relate(boxes[pair.a], boxes[pair.b]);
    bool meet = !r.apart;
    if (r.touch && meet) [[unlikely]] {
      meet = Overlaps(exact.box(pair.a), exact.box(pair.b));
    }
    *out = pair;
    out += meet;
  }
  pairs->resize(static_cast<size_t>(out - pairs->data()));
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(KeepLoop);

void KeepMeeting(std::span<const BodyPair> candidates, const MappedBoxes& boxes,
                 const Bodies& exact, std::vector<BodyPair>* pairs) {
  ORBOX_DYNAMIC_DISPATCH(KeepLoop)(candidates, boxes, exact, pairs);
}

}  // namespace orbox
#endif  // HWY_ONCE
