// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/sphere_sse.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "gtest/gtest.h"
#include "orbox/overlap/boxes/sphere_aabb.h"
#include "orbox/overlap/boxes/sphere_obb.h"
#include "tests/support/shape_generator.h"

namespace orbox {
namespace {

// The exact kernel on AABBs in plain C++: branch elimination without exits.
bool PlainSum(const Spheref& s, const Aabbf& b) {
  const Vec3f zero;
  const Vec3f e = Max(b.lo - s.center, zero) + Max(s.center - b.hi, zero);
  return SquaredNorm(e) <= s.radius * s.radius;
}

TEST(SphereSseTest, SameBitsAsTheScalarFunctions) {
  ShapeGenerator<float> generator(/*seed=*/31);
  int overlapping = 0;
  constexpr int kPairs = 300'000;
  for (int n = 0; n < kPairs; ++n) {
    const auto [s, b] = generator.NextAabb();
    ASSERT_EQ(OverlapsSse(s, b), PlainSum(s, b));
    ASSERT_EQ(OverlapsConservativeSse(s, b), OverlapsConservative(s, b));
    const auto [t, o] = generator.NextObb();
    ASSERT_EQ(OverlapsSse(t, o), OverlapsFolded(t, o));
    ASSERT_EQ(OverlapsConservativeSse(t, o), OverlapsConservative(t, o));
    overlapping += OverlapsSse(s, b);
  }
  EXPECT_GT(overlapping, kPairs / 10);
  EXPECT_LT(overlapping, kPairs * 9 / 10);
}

// The fourth lane holds a neighbouring member, whose value must not matter. The
// last bytes read are the object's own (a sanitizer would report others).
TEST(SphereSseTest, TheLaneThatIsNoAxisDoesNotMatter) {
  const float infinity = std::numeric_limits<float>::infinity();
  auto boxes = std::make_unique<Aabbf[]>(2);
  for (float neighbour : {-infinity, -1e30f, 0.0f, 1e30f, infinity}) {
    // The load of hi begins with lo.z, that of lo ends with hi.x.
    boxes[1] = {{-1, -1, std::min(neighbour, 1.0f)},
                {std::max(neighbour, -1.0f), 1, 1}};
    const Spheref far{{0, 4, 0}, 2};
    EXPECT_FALSE(OverlapsSse(far, boxes[1]));
    EXPECT_FALSE(OverlapsConservativeSse(far, boxes[1]));
  }
  boxes[1] = {{-1, -1, -1}, {1, 1, 1}};
  EXPECT_TRUE(OverlapsSse(Spheref{{0, 3, 0}, 2}, boxes[1]));
  auto obb = std::make_unique<Obbf>();
  obb->half_extents = {1, 2, 3};
  EXPECT_TRUE(OverlapsSse(Spheref{{0, 0, 4}, 1}, *obb));
  EXPECT_FALSE(OverlapsSse(Spheref{{0, 0, 4}, 0.5f}, *obb));
  EXPECT_TRUE(OverlapsConservativeSse(Spheref{{1.5f, 2.5f, 0}, 0.5f}, *obb));
  EXPECT_FALSE(OverlapsConservativeSse(Spheref{{1.5f, 2.5f, 0}, 0.25f}, *obb));
}

}  // namespace
}  // namespace orbox
