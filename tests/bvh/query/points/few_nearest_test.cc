// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/internal/few_nearest.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

bool ComesFirst(const SurfacePoint& x, const SurfacePoint& y) {
  return x.distance != y.distance ? x.distance < y.distance
                                  : x.triangle < y.triangle;
}

TEST(FewNearestTest, KeepsTheBestOfAnyNumber) {
  meshes::Random random(1);
  for (const size_t k : {size_t{1}, size_t{2}, size_t{10}, FewNearest::kMost}) {
    FewNearest best(k, 0);
    for (size_t offered = 0; offered < 5 * kMostRanked; ++offered) {
      best.Clear(std::numeric_limits<double>::infinity());
      std::vector<SurfacePoint> all;
      double bound = std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < offered; ++i) {
        // Many are as far as others.
        const double distance = static_cast<double>(random.Below(30));
        const auto id = static_cast<uint32_t>(0xfffffffe - (i * 7) % 1000);
        all.push_back({id, distance, {distance, 2, static_cast<double>(i)}});
        const double next = best.Offer(all.back());
        EXPECT_LE(next, bound);
        bound = next;
      }
      std::sort(all.begin(), all.end(), ComesFirst);
      const size_t wanted = std::min(k, offered);
      EXPECT_EQ(best.count(), wanted);
      if (offered >= k) {
        EXPECT_GE(bound, all[wanted - 1].distance);
      }
      std::vector<SurfacePoint> sorted(wanted);
      EXPECT_EQ(best.WriteSorted(sorted), wanted);
      for (size_t i = 0; i < wanted; ++i) {
        EXPECT_EQ(sorted[i].triangle, all[i].triangle);
        EXPECT_EQ(sorted[i].distance, all[i].distance);
        EXPECT_EQ(sorted[i].point, all[i].point);
      }
    }
  }
}

}  // namespace
}  // namespace orbox
