// SPDX-License-Identifier: Apache-2.0

// Planes between leaves, against all pairs of triangles.
#include <cstdint>
#include <utility>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/tree/tree.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bvh/traverse/separating_plane_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/separating_plane-inl.h"

#ifndef ORBOX_TESTS_BVH_TRAVERSE_PARTING_TYPES
#define ORBOX_TESTS_BVH_TRAVERSE_PARTING_TYPES
namespace orbox {

using LeafIndices = std::vector<std::pair<uint32_t, uint32_t>>;

}  // namespace orbox
#endif  // ORBOX_TESTS_BVH_TRAVERSE_PARTING_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the pairs of leaves that planes separate.
LeafIndices SeparatedLeaves(const PosedTree& a, const PosedTree& b) {
  const RelativeSpace a_in_b = RelativeSpace::Of(a, b);
  const TreeMemory of_a(a.tree());
  const TreeMemory of_b(b.tree());
  SeparatingPlane plane(a_in_b);
  LeafIndices separated;
  for (uint32_t i = 0; i < a.tree().leaf_count(); ++i) {
    for (uint32_t j = 0; j < b.tree().leaf_count(); ++j) {
      Leaf a_room;
      Leaf b_room;
      if (plane.AreSeparated(of_a.ReadLeaf(i, a_room),
                             of_b.ReadLeaf(j, b_room))) {
        separated.emplace_back(i, j);
      }
    }
  }
  return separated;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

HWY_EXPORT(SeparatedLeaves);

bool DoLeavesMeet(const PosedTree& a, uint32_t i, const PosedTree& b,
                  uint32_t j) {
  for (const uint32_t s : a.tree().leaf_ids(i)) {
    for (const uint32_t t : b.tree().leaf_ids(j)) {
      if (s != kNoTriangle && t != kNoTriangle &&
          Overlaps(a.triangle(s), b.triangle(t))) {
        return true;
      }
    }
  }
  return false;
}

// Returns the number of pairs of leaves that were separated.
size_t Check(const PosedTree& a, const PosedTree& b) {
  const LeafIndices separated = ORBOX_DYNAMIC_DISPATCH(SeparatedLeaves)(a, b);
  for (const auto& [i, j] : separated) {
    EXPECT_FALSE(DoLeavesMeet(a, i, b, j)) << i << " " << j;
  }
  return separated.size();
}

TEST(SeparatingPlaneTest, WhatAPlanePartsDoesNotMeet) {
  const Tree ring = trees::Make(meshes::Torus(12, 6));
  const size_t leaves = ring.leaf_count();
  trees::OnEachInstructionSet([&] {
    meshes::Random random(1);
    size_t separated = 0;
    size_t pairs = 0;
    for (const trees::Named& v : trees::Variants(meshes::Icosphere(2))) {
      SCOPED_TRACE(v.name);
      for (int i = 0; i < 6; ++i) {
        Pose skewed = meshes::RandomRigidPose(random, 1);
        if (i % 3 == 0) skewed.rows[1] = skewed.rows[1] * 3;
        if (i % 3 == 1) {
          for (Vec3& row : skewed.rows) row = row * 0.01;
        }
        separated += Check(
            PosedTree::Create(ring, skewed).value(),
            PosedTree::Create(v.tree, meshes::RandomRigidPose(random, 0.5))
                .value());
        pairs += leaves * v.tree.leaf_count();
      }
    }
    EXPECT_GT(separated, pairs / 2);
  });
}

// Planes that touch, or are apart by less than floats resolve, separate nothing
// that overlaps. Also tests meshes that coincide, are points, or are far away.
TEST(SeparatingPlaneTest, TouchingIsNotParted) {
  const Tree cube = trees::Make(meshes::Cube());
  const Tree points = trees::Make(meshes::DegenerateMix(40));
  trees::OnEachInstructionSet([&] {
    for (const double far : {0.0, 1e3, 1e9, 1e18}) {
      for (const double gap : {0.0, 0x1p-52, -0x1p-40, 0x1p-20}) {
        for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1},
                                Vec3{0, 0, 0}, Vec3{0.5, -1, 0.25}}) {
          const Vec3 origin{far, 0, -far};
          const PosedTree b =
              PosedTree::Create(cube, Pose::Translation(origin)).value();
          for (const Tree& tree : {cube, points}) {
            Check(PosedTree::Create(tree,
                                    Pose::Translation(origin + way * (1 + gap)))
                      .value(),
                  b);
          }
        }
        Check(
            cube,
            PosedTree::Create(cube, Pose::Translation({far, gap, 0})).value());
      }
    }
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
