// SPDX-License-Identifier: Apache-2.0

// Moving triangles that have corners in common: what touches beyond those
// (moving_triangles.h).
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// Coordinates are whole and times have six bits, so that the library's exact
// test of resting triangles has the exact corners.
TEST(FirstContactBeyondTest, AgreesWithSamples) {
  meshes::Random random(7);
  int contacts = 0;
  for (int i = 0; i < 400 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    MovingTriangle s{{random.LatticePoint(4), random.LatticePoint(4),
                      random.LatticePoint(4)},
                     {random.LatticePoint(4), random.LatticePoint(4),
                      random.LatticePoint(4)}};
    MovingTriangle t{{random.LatticePoint(4), random.LatticePoint(4),
                      random.LatticePoint(4)},
                     {random.LatticePoint(4), random.LatticePoint(4),
                      random.LatticePoint(4)}};
    std::vector<SharedCorner> shared{{0, 1}};
    if (random.Below(2) == 0) shared.push_back({2, 0});
    for (const SharedCorner& pair : shared) {
      t.from[pair.of_second] = s.from[pair.of_first];
      t.to[pair.of_second] = s.to[pair.of_first];
    }
    const auto contact = FirstContactBeyond(s, t, shared);
    contacts += contact.has_value() ? 1 : 0;
    for (int k = 0; k <= 64; ++k) {
      const double time = k / 64.0;
      CornerSet points;
      const Triangle here = At(s, time);
      for (const SharedCorner& pair : shared) points.Add(here[pair.of_first]);
      if (contact && time < contact->earliest) {
        EXPECT_FALSE(OverlapsBeyond(here, At(t, time), points.points())) << k;
      } else if (!contact) {
        EXPECT_FALSE(OverlapsBeyond(here, At(t, time), points.points())) << k;
      }
    }
    if (contact) {
      EXPECT_EQ(
          FirstContactBeyond(t, s,
                             shared.size() == 1
                                 ? std::vector<SharedCorner>{{1, 0}}
                                 : std::vector<SharedCorner>{{0, 2}, {1, 0}}),
          contact);
    }
  }
  EXPECT_GT(contacts, 20);
  EXPECT_LT(contacts, 380);
}

// A hinge that closes: its halves are on each other at the end.
TEST(FirstContactBeyondTest, AHingeFolds) {
  const Triangle where{{0, 0, 0}, {2, 0, 0}, {1, 3, 0}};
  const MovingTriangle still{where, where};
  const MovingTriangle wing{{{0, 0, 0}, {2, 0, 0}, {1, -2, 1}},
                            {{0, 0, 0}, {2, 0, 0}, {1, 4, -1}}};
  const std::vector<SharedCorner> shared{{0, 0}, {1, 1}};
  const auto contact = FirstContactBeyond(still, wing, shared);
  ASSERT_TRUE(contact);
  EXPECT_LE(contact->earliest, 0.5);
  EXPECT_GE(contact->latest, 0.5);
  MovingTriangle open = wing;
  open.to.c.z = 0x1p-60;
  EXPECT_FALSE(FirstContactBeyond(still, open, shared));
}

}  // namespace
}  // namespace orbox
