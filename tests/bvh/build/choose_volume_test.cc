// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/choose_volume.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// Steiner's formula against the definition: the share of points of a region
// that are within r of the box.
TEST(ChooseVolumeTest, DilatedVolumesAreThoseOfSamples) {
  meshes::Random random(4);
  const Vec3 edges{0.6, 0.3, 0.1};
  const double r = 0.2;
  int inside = 0;
  constexpr int kSamples = 400'000;
  for (int i = 0; i < kSamples; ++i) {
    const Vec3 p = random.Point(-0.5, 0.5);
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
      const double gap = std::max(std::abs(p[k]) - edges[k] / 2, 0.0);
      squared += gap * gap;
    }
    inside += squared <= r * r;
  }
  // Five standard deviations of the sample's share.
  EXPECT_NEAR(DilatedBoxVolume(edges, r),
              static_cast<double>(inside) / kSamples, 5 * 0.5 / 632);
  EXPECT_DOUBLE_EQ(DilatedSphereVolume(0.5, 0.5), 4.0 / 3 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(DilatedBoxVolume({}, 1), DilatedSphereVolume(0, 1));
}

}  // namespace
}  // namespace orbox
