#include "orbox/bvh/query/internal/feed_region.h"

#include <algorithm>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/feed_aabb.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/region_leaf-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Counters>
using Query = BoxQuery<Aabb, Counters>;

void AabbLoop(const Tree& tree, const Aabb& box, IdSink& sink,
              TraversalStatistics* statistics) {
  RunRegion<Query>(tree, box, sink, statistics);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(AabbLoop);

void FeedRegion(const Tree& tree, const Aabb& box, IdSink& sink,
                TraversalStatistics* statistics) {
  // What is outside the mesh's bounds does not matter: infinite sides become
  // finite, and a NaN fails the comparison.
  const Aabb& bounds = tree.mesh().bounds();
  Aabb cut;
  for (int k = 0; k < 3; ++k) {
    if (!(box.lo[k] <= box.hi[k])) return;
    cut.lo[k] = std::max(box.lo[k], bounds.lo[k]);
    cut.hi[k] = std::min(box.hi[k], bounds.hi[k]);
    if (!(cut.lo[k] <= cut.hi[k])) return;
  }
  ORBOX_DYNAMIC_DISPATCH(AabbLoop)(tree, cut, sink, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
