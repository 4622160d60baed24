// SPDX-License-Identifier: Apache-2.0

// All pairs of two nodes' boxes at once, against one box and eight at a time.
#include <cstddef>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/tree/tree.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bvh/traverse/node_box_pairs_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/node_box_pairs-inl.h"
#include "orbox/bvh/traverse/internal/volume-inl.h"

#ifndef ORBOX_TESTS_BVH_TRAVERSE_NODE_PAIR_TYPES
#define ORBOX_TESTS_BVH_TRAVERSE_NODE_PAIR_TYPES
namespace orbox {

struct PairKeys {
  uint32_t rows;  // near
  uint32_t touching_rows;
  alignas(32) float together[8][8];
  alignas(32) float separations[8][8];
  alignas(32) float alone[8][8];
};

}  // namespace orbox
#endif  // ORBOX_TESTS_BVH_TRAVERSE_NODE_PAIR_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

PairKeys KeysOf(const Tree& a, uint32_t a_index, const Tree& b,
                uint32_t b_index, const RelativeSpace& a_in_b, float limit) {
  PairKeys keys;
  const Node& node = b.nodes()[b_index];
  NodeBoxPairs pair(a.nodes()[a_index], node, a_in_b);
  keys.rows = pair.RowsNear(limit);
  keys.touching_rows = pair.RowsTouching(limit);
  pair.TurnB();
  for (uint32_t i = 0; i < 8; ++i) {
    Store8(pair.Keys(static_cast<int>(i)), keys.together[i]);
    Store8(pair.Separations(static_cast<int>(i)), keys.separations[i]);
    const OneVolume volume = VolumeAt(a.nodes()[a_index], i);
    Store8(BoundToChildren<false>(volume, a_in_b, node, 0).key, keys.alone[i]);
  }
  return keys;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

HWY_EXPORT(KeysOf);

void Check(const Tree& a, const Tree& b, const RelativeSpace& a_in_b,
           float limit) {
  for (size_t i = 0; i < std::min<size_t>(a.nodes().size(), 12); ++i) {
    for (size_t j = 0; j < std::min<size_t>(b.nodes().size(), 12); ++j) {
      const PairKeys keys = ORBOX_DYNAMIC_DISPATCH(KeysOf)(
          a, static_cast<uint32_t>(i), b, static_cast<uint32_t>(j), a_in_b,
          limit);
      for (int row = 0; row < 8; ++row) {
        for (int lane = 0; lane < 8; ++lane) {
          // The slack allows for the rounding of either.
          EXPECT_NEAR(keys.together[row][lane], keys.alone[row][lane],
                      a_in_b.slack);
          if (keys.together[row][lane] <= limit - a_in_b.slack) {
            EXPECT_TRUE(keys.rows >> row & 1) << i << " " << j << " " << row;
          }
          // The distance along three axes is above none of them, nor above the
          // largest by more than sqrt(3).
          const float key = keys.together[row][lane];
          const float separation = keys.separations[row][lane];
          if (key <= 0) {
            EXPECT_EQ(separation, key);
          } else {
            EXPECT_LE(separation, key * 1.0001f);
            EXPECT_GE(separation, key * 0.5773f);
          }
          if (separation <= limit - a_in_b.slack) {
            EXPECT_TRUE(keys.touching_rows >> row & 1)
                << i << " " << j << " " << row;
          }
        }
      }
    }
  }
}

TEST(NodePairTest, KeysAreThoseOfOneBoxAgainstEight) {
  meshes::Random random(3);
  const Mesh torus = meshes::Torus(30, 12);
  const Mesh grid = meshes::Scaled(meshes::Grid(20, 0.3), 7);
  for (const Volumes volumes_a : {Volumes::kAabb, Volumes::kObb}) {
    for (const Volumes volumes_b : {Volumes::kAabb, Volumes::kObb}) {
      const Tree a = trees::Make(torus, volumes_a);
      const Tree b = trees::Make(grid, volumes_b);
      for (int round = 0; round < (kSanitized ? 1 : 4); ++round) {
        const Pose pose =
            Pose::Rotation(random.Direction(), 1 + round, random.Point(-2, 2));
        const RelativeSpace a_in_b =
            RelativeSpace::Of(PosedTree::Create(a, pose).value(), b);
        trees::OnEachInstructionSet([&] {
          Check(a, b, a_in_b, 0.1f);
          Check(a, b, a_in_b, 0.5f);
        });
      }
    }
  }
}

Vec3 Lerp(const Vec3& lo, const Vec3& hi, meshes::Random& random) {
  Vec3 p;
  for (size_t k = 0; k < 3; ++k) {
    p[k] = lo[k] + random.Uniform(0, 1) * (hi[k] - lo[k]);
  }
  return p;
}

// A point of a child's box, in tree space.
Vec3 PointIn(const Node& node, int lane, meshes::Random& random) {
  const Vec3 lo{node.rows[0][lane], node.rows[1][lane], node.rows[2][lane]};
  const Vec3 hi{node.rows[3][lane], node.rows[4][lane], node.rows[5][lane]};
  const Vec3 p = Lerp(lo, hi, random);
  const Matrix3<float>& f = node.frame;
  return {f[0][0] * p.x + f[1][0] * p.y + f[2][0] * p.z,
          f[0][1] * p.x + f[1][1] * p.y + f[2][1] * p.z,
          f[0][2] * p.x + f[1][2] * p.y + f[2][2] * p.z};
}

Vec3 MovedBy(const RelativeSpace& map, const Vec3& p) {
  Vec3 moved;
  for (size_t k = 0; k < 3; ++k) {
    const double* const r = map.precise_turn[k];
    moved[k] = r[0] * p.x + r[1] * p.y + r[2] * p.z + map.precise_shift[k];
  }
  return moved;
}

// Neither bound is above the distance of any two points of the boxes, whichever
// side is skewed.
void CheckSkewed(const PosedTree& posed_a, const PosedTree& posed_b) {
  meshes::Random random(5);
  const Tree& a = posed_a.tree();
  const Tree& b = posed_b.tree();
  const RelativeSpace a_in_b = RelativeSpace::Of(posed_a, posed_b);
  ASSERT_TRUE(a_in_b.is_skewed);
  const auto kLimit = std::numeric_limits<float>::max();
  int apart = 0;
  for (uint32_t i = 1; i < std::min<size_t>(a.nodes().size(), 6); ++i) {
    for (uint32_t j = 1; j < std::min<size_t>(b.nodes().size(), 6); ++j) {
      const PairKeys keys =
          ORBOX_DYNAMIC_DISPATCH(KeysOf)(a, i, b, j, a_in_b, kLimit);
      for (int row = 0; row < a.nodes()[i].count; ++row) {
        for (int lane = 0; lane < b.nodes()[j].count; ++lane) {
          apart += keys.together[row][lane] > 0 ? 1 : 0;
          for (int sample = 0; sample < 8; ++sample) {
            const Vec3 p = PointIn(a.nodes()[i], row, random);
            const Vec3 q = PointIn(b.nodes()[j], lane, random);
            const double distance = Norm(MovedBy(a_in_b, p) - q) + a_in_b.slack;
            EXPECT_LE(keys.together[row][lane], distance);
            EXPECT_LE(keys.alone[row][lane], distance);
          }
        }
      }
    }
  }
  EXPECT_GT(apart, 20);
}

TEST(NodePairTest, KeysOfSkewedBoxesAreLowerBounds) {
  meshes::Random random(4);
  const Mesh torus = meshes::Torus(30, 12);
  const Mesh grid = meshes::Grid(20, 0.3);
  for (const Volumes volumes : {Volumes::kAabb, Volumes::kObb}) {
    const Tree a = trees::Make(torus, volumes);
    const Tree b = trees::Make(grid, volumes);
    for (int round = 0; round < 4; ++round) {
      Pose skewed =
          Pose::Rotation(random.Direction(), round, random.Point(-2, 2));
      skewed.rows[0] *= 3;
      skewed.rows[1] *= 0.75;
      const PosedTree posed_a = PosedTree::Create(a, skewed).value();
      const PosedTree posed_b = PosedTree::Create(b, skewed).value();
      CheckSkewed(posed_a, b);
      CheckSkewed(a, posed_b);
      const Pose other = Pose::Rotation({0, 0.6, 0.8}, 1);
      CheckSkewed(PosedTree::Create(a, other).value(), posed_b);
    }
  }
}

// Poses of all scales that trees are posed at, similar ones and skewed ones.
TEST(RelativeSpaceTest, BothMapsAreWhatThePosesSay) {
  meshes::Random random(7);
  const Tree a = trees::Make(meshes::Torus(30, 12), Volumes::kMixed);
  const Tree b =
      trees::Make(meshes::Scaled(meshes::Grid(20, 0.3), 7), Volumes::kMixed);
  for (const double scale : {1.0, 0.37, 0x1p-140, 0x1p190}) {
    for (const double stretch : {1.0, 3.0}) {
      for (int round = 0; round < 5; ++round) {
        const auto pose_of = [&](double in_direction) {
          Pose pose = Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                                     random.Point(-2 * scale, 2 * scale));
          for (Vec3& row : pose.rows) row = row * scale;
          pose.rows[0] = pose.rows[0] * in_direction;
          return pose;
        };
        const PosedTree posed_a =
            PosedTree::Create(a, pose_of(stretch)).value();
        const PosedTree posed_b = PosedTree::Create(b, pose_of(1)).value();
        RelativeSpace there;
        RelativeSpace back;
        RelativeSpace::SetBoth(posed_a, posed_b, &there, &back);
        EXPECT_EQ(there.is_skewed, stretch != 1);
        EXPECT_EQ(back.is_skewed, stretch != 1);
        for (int sample = 0; sample < 20; ++sample) {
          const Vec3 p = random.Point(-1, 1);
          const Vec3 q = MovedBy(there, p);
          EXPECT_LT(Norm(MovedBy(back, q) - p), 1e-12 * (1 + Norm(q)));
          // Both are one point of the world.
          const auto in_world = [](const PosedTree& t, const Vec3& v) {
            const TreeSpace& space = t.tree().space();
            return t.pose().Apply(space.origin + v * space.unscale);
          };
          EXPECT_LT(
              Norm((in_world(posed_b, q) - in_world(posed_a, p)) * (1 / scale)),
              1e-12 * (1 + Norm(q)));
        }
      }
    }
  }
}

// Rows that are far away are skipped.
TEST(NodePairTest, RowsThatAreFarAreNotNear) {
  const Tree a = trees::Make(meshes::Torus(30, 12), Volumes::kAabb);
  const RelativeSpace a_in_b = RelativeSpace::Of(
      PosedTree::Create(a, Pose::Translation({10, 0, 0})).value(), a);
  const PairKeys keys =
      ORBOX_DYNAMIC_DISPATCH(KeysOf)(a, Tree::kRoot, a, Tree::kRoot, a_in_b, 1);
  EXPECT_EQ(keys.rows, 0u);
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
