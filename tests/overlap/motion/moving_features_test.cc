// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/moving_features.h"

#include <cmath>
#include <cstddef>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

enum class Ends { kShrink, kShrinkAside, kAnywhere };

// Points within the largest coordinate 1; or such that come to one place at
// about 10/17, the closer to each other the fewer digits they have.
MovingFeatures RandomFeatures(Ends ends, int i, meshes::Random& random) {
  MovingFeatures f{i % 2 == 0 ? MovingFeatureKind::kCornerFace
                              : MovingFeatureKind::kEdgeEdge,
                   {}};
  const Vec3 aside = random.Point(-0.5, 0.5);
  const double size = std::ldexp(0.5, -static_cast<int>(random.Below(12)));
  for (MovingPoint& p : f.points) {
    const Vec3 v = random.Point(-1, 1) * size;
    if (ends == Ends::kAnywhere) {
      p = {v, random.Point(-0.5, 0.5)};
    } else if (ends == Ends::kShrink) {
      p = {v, v * -0.7};
    } else {
      p = {v + aside, v * -0.7 - aside};
    }
  }
  return f;
}

// The decisions of doubles are right. Doubles decide nearly all cases, even if
// features meet within the rounding errors of their ends.
TEST(MovingFeaturesTest, DoublesAgreeWithExactNumbers) {
  meshes::Random random(1);
  for (const Ends ends : {Ends::kAnywhere, Ends::kShrink, Ends::kShrinkAside}) {
    for (const double tolerance : {0x1p-40, 0x1p-50, 0.25}) {
      const TimeCells cells(tolerance);
      int contacts = 0;
      int open_at_once = 0;
      int open = 0;
      for (int i = 0; i < 100 && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const MovingFeatures f = RandomFeatures(ends, i, random);
        const FeatureContact once = ContactInDouble(f, 1, cells, Windows::kOne);
        const FeatureContact many =
            once.may_decide ? ContactInDouble(f, 1, cells, Windows::kMany)
                            : once;
        Arithmetic used = Arithmetic::kDouble;
        const FeatureContact exact = ContactExactly(f, cells, &used);
        for (const FeatureContact& contact : {once, many}) {
          if (contact.verdict == FeatureVerdict::kUndecided) continue;
          ASSERT_EQ(contact.verdict, exact.verdict);
          if (exact.verdict == FeatureVerdict::kNone) continue;
          EXPECT_EQ(contact.earliest, exact.earliest);
          EXPECT_EQ(contact.latest, exact.latest);
        }
        if (exact.verdict == FeatureVerdict::kContact) {
          ++contacts;
          EXPECT_EQ(cells.StartOf(exact.earliest), exact.earliest);
          EXPECT_EQ(cells.EndOf(exact.earliest), exact.latest);
        }
        open_at_once += once.verdict == FeatureVerdict::kUndecided ? 1 : 0;
        open += many.verdict == FeatureVerdict::kUndecided ? 1 : 0;
      }
      EXPECT_GT(contacts, 3);
      EXPECT_LE(open, 15);
      EXPECT_TRUE(ends == Ends::kAnywhere || open_at_once > 60);
    }
  }
}

}  // namespace
}  // namespace orbox
