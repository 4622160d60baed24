// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/feed_region.h"

#include <cmath>
#include <vector>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/feed_half_spaces.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/region_leaf-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Counters>
using HalfSpaceQuery = ConvexSetQuery<HalfSpaces, Counters>;

void HalfSpaceLoop(const Tree& tree, const HalfSpaces& set, IdSink& sink,
                   const Watch& watch) {
  RunRegion<HalfSpaceQuery>(tree, set, sink, watch);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(HalfSpaceLoop);

std::optional<std::vector<HalfSpace>> ProperHalfSpaces(HalfSpaces set) {
  std::vector<HalfSpace> proper;
  proper.reserve(set.size());
  for (const HalfSpace& h : set) {
    if (!IsFinite(h.normal) || std::isnan(h.offset)) return std::nullopt;
    const bool is_zero = h.normal == Vec3{};
    if (h.offset < 0 && (is_zero || std::isinf(h.offset))) return std::nullopt;
    if (!is_zero && std::isfinite(h.offset)) proper.push_back(h);
  }
  return proper;
}

void FeedRegion(const Tree& tree, HalfSpaces set, IdSink& sink,
                const Watch& watch) {
  const auto proper = ProperHalfSpaces(set);
  if (!proper.has_value()) return;
  ORBOX_DYNAMIC_DISPATCH(HalfSpaceLoop)(tree, *proper, sink, watch);
}

}  // namespace orbox
#endif  // HWY_ONCE
