// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/point_distances.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/overlap/triangles/point_distances.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/point_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

void DistancesLoop(const Vec3& p, std::span<const Triangle> triangles,
                   std::span<PointTriangleDistance> results,
                   ArithmeticCounts* counts) {
  TriangleColumns columns;
  DistanceColumns distances;
  for (size_t first = 0; first < triangles.size(); first += kColumns) {
    const size_t count = std::min(kColumns, triangles.size() - first);
    for (size_t i = 0; i < kColumns; ++i) {
      columns.Set(i, triangles[first + (i < count ? i : 0)]);
    }
    const uint32_t certified =
        CertifiedDistances(p, columns, count, &distances);
    if (counts != nullptr) counts->by_double += std::popcount(certified);
    for (size_t i = 0; i < count; ++i) {
      results[first + i] = (certified >> i & 1) != 0
                               ? distances.Get(i)
                               : Distance(p, triangles[first + i], counts);
    }
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(DistancesLoop);

void Distances(const Vec3& p, std::span<const Triangle> triangles,
               std::span<PointTriangleDistance> results,
               ArithmeticCounts* counts) {
  ORBOX_DYNAMIC_DISPATCH(DistancesLoop)(p, triangles, results, counts);
}

}  // namespace orbox
#endif  // HWY_ONCE
