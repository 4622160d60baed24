// SPDX-License-Identifier: Apache-2.0

// Guesses of balls in solids whose faces have no common side: shells with a
// cavity, of each facing, and by parity. Compared with exact depths in boxes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/solids/internal/ball_search.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using solids::Box;

constexpr double kGuessBand = 0x1p-11;

// Distance of a point in a box from the outside; negative if p is outside.
double DepthIn(const Aabb& box, const Vec3& p) {
  const Vec3 depth = Min(p - box.lo, box.hi - p);
  return std::min(depth.x, std::min(depth.y, depth.z));
}

// Distance from a box; 0 in the box.
double DistanceFrom(const Aabb& box, const Vec3& p) {
  return Norm(Max(Max(box.lo - p, p - box.hi), Vec3{}));
}

// A box with a cavity, as a mesh whose triangles do not all have the inside
// behind them.
struct HollowBox {
  enum class Facing { kCavityTurned, kOuterTurned, kParity };

  Aabb outer;
  Aabb cavity;

  Mesh MeshOf(Facing facing) const {
    const Mesh a = Box(outer);
    const Mesh b = Box(cavity);
    switch (facing) {
      case Facing::kCavityTurned:
        return meshes::Joined(a, solids::TurnedOver(b));
      case Facing::kOuterTurned:
        return meshes::Joined(solids::TurnedOver(a), b);
      case Facing::kParity:
        break;
    }
    return meshes::Joined(a, b);
  }
  double DepthOf(const Vec3& p) const {
    return std::min(DepthIn(outer, p), DistanceFrom(cavity, p));
  }
  // Distance of a point outside from the shell; 0 in the shell.
  double DistanceOf(const Vec3& p) const {
    return std::max(DistanceFrom(outer, p), DepthIn(cavity, p));
  }
};

constexpr std::array<HollowBox::Facing, 3> kFacings = {
    HollowBox::Facing::kCavityTurned, HollowBox::Facing::kOuterTurned,
    HollowBox::Facing::kParity};

// A solid that holds its tree.
class HeldSolid {
 public:
  HeldSolid(const Mesh& mesh, const Pose& pose, InsideRule rule)
      : posed_(std::make_unique<PosedTree>(
            PosedTree::Create(trees::Make(mesh), pose).value())),
        solid_(std::make_unique<Solid>(*posed_, rule)) {}

  const Solid& solid() const { return *solid_; }

 private:
  std::unique_ptr<PosedTree> posed_;
  std::unique_ptr<Solid> solid_;
};

HeldSolid HeldHollowBox(const HollowBox& shell, HollowBox::Facing facing,
                        const Pose& pose) {
  return {shell.MeshOf(facing), pose,
          facing == HollowBox::Facing::kParity ? InsideRule::kParity
                                               : InsideRule::kWinding};
}

// A box in `bounds`, at most `share` as long on each side.
Aabb RandomBoxIn(const Aabb& bounds, double share, meshes::Random& random) {
  Aabb box;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double size = bounds.hi[axis] - bounds.lo[axis];
    const double length = size * random.Uniform(share / 8, share);
    box.lo[axis] = bounds.lo[axis] + random.Uniform(0, size - length);
    box.hi[axis] = box.lo[axis] + length;
  }
  return box;
}

HollowBox RandomHollowBox(meshes::Random& random) {
  HollowBox shell;
  shell.outer = RandomBoxIn({{0, 0, 0}, {4, 4, 4}}, 0.99, random);
  shell.cavity = RandomBoxIn(shell.outer, 0.9, random);
  return shell;
}

TEST(BallGuessTest, BallsAreWhereTheExactDepthHasRoomForThem) {
  meshes::Random random(21);
  std::array<size_t, 2> found{};
  std::array<size_t, 2> guessed{};
  for (size_t i = 0; i < 600; ++i) {
    SCOPED_TRACE(i);
    const HollowBox a = RandomHollowBox(random);
    const HollowBox b = RandomHollowBox(random);
    const Pose pose = meshes::RandomRigidPose(random, 5);
    const HollowBox::Facing facing = kFacings[i % kFacings.size()];
    const HeldSolid x = HeldHollowBox(a, facing, pose);
    const HeldSolid y = HeldHollowBox(b, facing, pose);
    ASSERT_EQ(x.solid().facing(), 0);
    ASSERT_EQ(y.solid().facing(), 0);
    const double radius = random.Uniform(0.01, 0.2);
    const QueryOptions options;
    const Execution run(options);
    for (const bool is_outside : {false, true}) {
      BallSearch search =
          is_outside ? BallSearch::FirstOutsideSecond(x.solid(), y.solid())
                     : BallSearch::Shared(x.solid(), y.solid());
      const auto depth = [&](const Vec3& p) {
        return std::min(a.DepthOf(p),
                        is_outside ? b.DistanceOf(p) : b.DepthOf(p));
      };
      const std::optional<Sphere> guess = search.Guess(radius, kGuessBand, run);
      if (guess) {
        ++guessed[is_outside];
        EXPECT_GT(guess->radius, radius);
        EXPECT_GE(depth(pose.Inverse()->Apply(guess->center)),
                  guess->radius - 1e-9);
      }
      found[is_outside] += search.Find(radius, kGuessBand, run).ball ? 1 : 0;
    }
  }
  // Guesses that are never made would hold, too.
  EXPECT_GT(guessed[0] * 2, found[0]);
  EXPECT_GT(guessed[1] * 2, found[1]);
}

// A bar, far longer than the wall is thick: the middle of no triangle is near
// the region that the two share. The candidates on the wrong side of a face are
// in the cavity, or outside.
TEST(BallGuessTest, ABarThroughTheWallOfAShellIsFoundWhereFacesCross) {
  const HollowBox shell{{{0, 0, 0}, {40, 40, 40}}, {{1, 1, 1}, {39, 39, 39}}};
  const Aabb bar{{5, 5, -100}, {5.5, 5.5, 20}};
  const Pose pose = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {10, -5, 7});
  for (const HollowBox::Facing facing : kFacings) {
    SCOPED_TRACE(static_cast<int>(facing));
    const HeldSolid x = HeldHollowBox(shell, facing, pose);
    const HeldSolid y(Box(bar), pose, x.solid().rule());
    const QueryOptions options;
    const Execution run(options);
    for (const bool is_first : {true, false}) {
      BallSearch search = is_first ? BallSearch::Shared(x.solid(), y.solid())
                                   : BallSearch::Shared(y.solid(), x.solid());
      const std::optional<Sphere> guess = search.Guess(0.1, kGuessBand, run);
      ASSERT_TRUE(guess);
      const Vec3 center = pose.Inverse()->Apply(guess->center);
      EXPECT_GE(std::min(shell.DepthOf(center), DepthIn(bar, center)),
                guess->radius - 1e-9);
    }
  }
}

// A block in the cavity, flush with its walls, shares nothing with the shell.
TEST(BallGuessTest, NothingIsGuessedInACavity) {
  const HollowBox shell{{{0, 0, 0}, {4, 4, 4}}, {{1, 1, 1}, {3, 3, 3}}};
  const Aabb block{{1, 1, 1}, {3, 2, 3}};
  for (const HollowBox::Facing facing : kFacings) {
    SCOPED_TRACE(static_cast<int>(facing));
    const HeldSolid x = HeldHollowBox(shell, facing, Pose());
    const HeldSolid y(Box(block), Pose(), x.solid().rule());
    const QueryOptions options;
    const Execution run(options);
    EXPECT_FALSE(
        BallSearch::Shared(x.solid(), y.solid()).Guess(0.1, kGuessBand, run));
    EXPECT_FALSE(
        BallSearch::Shared(y.solid(), x.solid()).Guess(0.1, kGuessBand, run));
  }
}

}  // namespace
}  // namespace orbox
