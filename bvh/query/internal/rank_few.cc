// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/rank_few.h"

#include <limits>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/rank_few.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

void RankFewLoop(double (&distances)[kMostRanked], size_t count,
                 uint32_t (&ranks)[kMostRanked]) {
  for (size_t i = count; i % kDoubleLanes != 0; ++i) {
    distances[i] = std::numeric_limits<double>::infinity();
  }
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const D row = D::LoadU(distances + i);
    D nearer(0);
    for (size_t j = 0; j < count; ++j) {
      nearer = nearer + SelectOrZero(D(distances[j]) < row, D(1));
    }
    double counts[kDoubleLanes];
    nearer.StoreU(counts);
    for (size_t lane = 0; lane < kDoubleLanes; ++lane) {
      ranks[i + lane] = static_cast<uint32_t>(counts[lane]);
    }
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(RankFewLoop);

void RankFew(double (&distances)[kMostRanked], size_t count,
             uint32_t (&ranks)[kMostRanked]) {
  ORBOX_DYNAMIC_DISPATCH(RankFewLoop)(distances, count, ranks);
}

}  // namespace orbox
#endif  // HWY_ONCE
