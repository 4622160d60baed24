// SPDX-License-Identifier: Apache-2.0

// Triangles moved in lanes, to the last bit as poses move them, on every
// instruction set that the machine has.
#include "orbox/overlap/shapes/pose.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/lanes/pose_lanes_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/pose_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

Triangle Move(const Pose& pose, const Triangle& t) {
  return PoseLanes(pose).Apply(t);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <cstring>

#include "gtest/gtest.h"
#include "tests/support/trees.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

HWY_EXPORT(Move);

// Bit by bit, so that zeros have signs.
void ExpectMoved(const Pose& pose, const Triangle& t) {
  const Triangle moved = ORBOX_DYNAMIC_DISPATCH(Move)(pose, t);
  const Triangle expected = pose.Apply(t);
  EXPECT_EQ(std::memcmp(&moved, &expected, sizeof(Triangle)), 0);
}

Pose RandomPose(TriangleCases& cases) {
  return {{{cases.Gaussian(), cases.Gaussian(), cases.Gaussian()}},
          cases.Gaussian()};
}

Triangle Scaled(const Triangle& t, double scale) {
  return {t.a * scale, t.b * scale, t.c * scale};
}

TEST(PoseLanesTest, MoveAsPosesDo) {
  trees::OnEachInstructionSet([] {
    for (const TriangleKind kind : kTriangleKinds) {
      SCOPED_TRACE(NameOf(kind));
      TriangleCases cases(kind, 1);
      for (int i = 0; i < 200; ++i) {
        const Triangle t = cases.Next().first;
        const Pose pose = RandomPose(cases);
        ExpectMoved(pose, t);
        ExpectMoved(
            Pose::Rotation(Normalized(cases.Gaussian()), i, pose.rows[0]), t);
        ExpectMoved(Pose(), t);
        ExpectMoved({Pose().rows, pose.translation}, t);
        // Sixteen decimal places and more cancel.
        Pose back = pose;
        for (size_t k = 0; k < 3; ++k) {
          back.translation[k] = -Dot(pose.rows[k], t.b);
        }
        ExpectMoved(back, t);
      }
    }
  });
}

// Cases that double leaves undecided: ties, and sums of zero.
TEST(PoseLanesTest, LeaveTheRestToPoses) {
  trees::OnEachInstructionSet([] {
    TriangleCases cases(TriangleKind::kRandom, 2);
    for (int i = 0; i < 40; ++i) {
      const Triangle t = cases.Next().first;
      const Pose pose = RandomPose(cases);
      for (const double scale : {1e-59, 1e-30, 1e30, 1e59}) {
        ExpectMoved(pose, Scaled(t, scale));
        Triangle one = t;
        one.c.z *= scale;
        ExpectMoved(pose, one);
        Pose scaled = pose;
        scaled.rows[i % 3][i % 2] *= scale;
        ExpectMoved(scaled, t);
        scaled = pose;
        scaled.translation[i % 3] *= scale;
        ExpectMoved(scaled, t);
        ExpectMoved({Pose().rows, scaled.translation}, t);
        ExpectMoved({Pose().rows, scaled.translation}, Scaled(t, scale));
        ExpectMoved({Pose().rows, -t.b}, t);  // zeros
      }
    }
    // Halfway between doubles, and a little more than that.
    Pose sum;
    sum.rows = {{{1, 1, 0}, {1, 1, 1}, {-1, 1, 0}}};
    ExpectMoved(sum, {{1, 0x1p-53, 0}, {1, 3 * 0x1p-53, 0}, {1, 1, 0}});
    ExpectMoved(sum, {{1, 0x1p-53, 0x1p-200}, {-0.0, -0.0, -0.0}, {}});
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
