// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/binned_sah.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

std::vector<Primitive> PrimitivesOf(const Mesh& mesh) {
  std::vector<Primitive> primitives(mesh.triangle_count());
  for (uint32_t id = 0; id < primitives.size(); ++id) {
    const Aabb box = BoundsOf(mesh.triangle(id));
    for (size_t k = 0; k < 3; ++k) {
      primitives[id].box.v[k] = static_cast<float>(box.lo[k]);
      primitives[id].box.v[k + 4] = -static_cast<float>(box.hi[k]);
    }
    primitives[id].set_id(id);
  }
  return primitives;
}

// The ids below each node, and how deep it all is.
struct Shape {
  std::multiset<std::vector<uint32_t>> nodes;
  int depth = 0;

  friend bool operator==(const Shape&, const Shape&) = default;
};

size_t Walk(const BinaryTree& tree, const std::vector<Primitive>& primitives,
            size_t index, uint32_t max_leaf, int depth, Shape* shape) {
  const BinaryNode& node = tree[index];
  std::vector<uint32_t> ids;
  BoxRow box;
  for (uint32_t i = node.range.begin; i < node.range.end; ++i) {
    ids.push_back(primitives[i].id());
    for (size_t k = 0; k < 8; ++k) {
      box.v[k] = std::min(box.v[k], primitives[i].box.v[k]);
    }
  }
  EXPECT_EQ(node.half_area, box.HalfArea());
  std::sort(ids.begin(), ids.end());
  shape->nodes.insert(std::move(ids));
  shape->depth = std::max(shape->depth, depth);
  EXPECT_GE(node.range.size(), 1u);
  EXPECT_EQ(node.is_leaf(), node.range.size() <= max_leaf);
  if (node.is_leaf()) return index + 1;
  const BinaryNode& left = tree[index + 1];
  const BinaryNode& right = tree[index + node.right];
  EXPECT_EQ(left.range.begin, node.range.begin);
  EXPECT_EQ(left.range.end, right.range.begin);
  EXPECT_EQ(right.range.end, node.range.end);
  EXPECT_EQ(Walk(tree, primitives, index + 1, max_leaf, depth + 1, shape),
            index + node.right);
  return Walk(tree, primitives, index + node.right, max_leaf, depth + 1, shape);
}

Shape ShapeOf(std::vector<Primitive> primitives, uint32_t max_leaf = 8,
              int threads = 1) {
  const BinaryTree tree =
      BuildBinnedSah(primitives, {.max_leaf = max_leaf}, Workers(threads));
  Shape shape;
  EXPECT_EQ(Walk(tree, primitives, 0, max_leaf, 0, &shape), tree.size());
  EXPECT_LE(shape.depth, kMaxBinaryDepth);
  return shape;
}

TEST(BinnedSahTest, TreesKeepTheirLaws) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    for (const uint32_t max_leaf : {1, 3, 8}) {
      const Shape shape = ShapeOf(PrimitivesOf(m.mesh), max_leaf);
      EXPECT_TRUE(shape.nodes.count([&] {
        std::vector<uint32_t> all(m.mesh.triangle_count());
        std::iota(all.begin(), all.end(), 0);
        return all;
      }()));
    }
  }
}

// The order of the triangles, the instruction set and the number of threads
// make no difference.
TEST(BinnedSahTest, OnlyTheSetOfTrianglesMatters) {
  const std::vector<Primitive> primitives =
      PrimitivesOf(meshes::Soup(20'000, 0.05));
  const Shape shape = ShapeOf(primitives);
  std::vector<Primitive> shuffled = primitives;
  meshes::Random random(1);
  for (size_t i = shuffled.size(); i > 1; --i) {
    std::swap(shuffled[i - 1], shuffled[random.Below(i)]);
  }
  EXPECT_EQ(ShapeOf(shuffled), shape);
  EXPECT_EQ(ShapeOf(primitives, 8, 0), shape);
  trees::OnEachInstructionSet([&] { EXPECT_EQ(ShapeOf(primitives), shape); });
}

// Few primitives that are swept stay in order, and no place to part them is
// cheaper, on any instruction set.
TEST(BinnedSahTest, SweptPrimitivesArePartedAtTheBestPlace) {
  for (const uint32_t count : {2u, 3u, 8u, 9u, 16u, 17u, kMostSwept}) {
    for (const uint32_t max_leaf : {1u, 3u, 8u}) {
      SCOPED_TRACE(testing::Message() << count << " by " << max_leaf);
      const std::vector<Primitive> primitives =
          PrimitivesOf(meshes::Soup(count, 0.2));
      const auto cost_of = [&](uint32_t begin, uint32_t end) {
        BoxRow box;
        for (uint32_t i = begin; i < end; ++i) {
          for (size_t k = 0; k < 8; ++k) {
            box.v[k] = std::min(box.v[k], primitives[i].box.v[k]);
          }
        }
        const uint32_t leaves = (end - begin + max_leaf - 1) / max_leaf;
        return box.HalfArea() * static_cast<float>(leaves);
      };
      trees::OnEachInstructionSet([&] {
        std::vector<Primitive> swept = primitives;
        const BinaryTree tree = BuildBinnedSah(
            swept, {.max_leaf = max_leaf, .swept = kMostSwept}, Workers(1));
        for (uint32_t i = 0; i < count; ++i) EXPECT_EQ(swept[i].id(), i);
        Shape shape;
        EXPECT_EQ(Walk(tree, swept, 0, max_leaf, 0, &shape), tree.size());
        for (size_t i = 0; i < tree.size(); ++i) {
          if (tree[i].is_leaf()) continue;
          const PrimitiveRange left = tree[i + 1].range;
          const PrimitiveRange right = tree[i + tree[i].right].range;
          const float cost =
              cost_of(left.begin, left.end) + cost_of(right.begin, right.end);
          for (uint32_t m = left.begin + 1; m < right.end; ++m) {
            EXPECT_LE(cost, (cost_of(left.begin, m) + cost_of(m, right.end)) *
                                (1 + 1e-6f));
          }
        }
      });
    }
  }
}

// Two clouds far apart are parted first, wherever the middle is.
TEST(BinnedSahTest, ClustersAreParted) {
  const Mesh near = meshes::Icosphere(2);
  const Mesh mesh = meshes::Joined(
      near,
      meshes::Moved(meshes::Torus(40, 20), Pose::Translation({1e12, 0, 0})));
  std::vector<Primitive> primitives = PrimitivesOf(mesh);
  const BinaryTree tree = BuildBinnedSah(primitives, {}, Workers(1));
  EXPECT_EQ(tree[1].range.size(), near.triangle_count());
}

TEST(BinnedSahTest, HalvesOfTheSameFillAllLeavesButOne) {
  for (const size_t n : {9, 100, 4097}) {
    const Shape shape = ShapeOf(PrimitivesOf(meshes::Identical(n)));
    const auto leaves =
        std::count_if(shape.nodes.begin(), shape.nodes.end(),
                      [](const auto& ids) { return ids.size() <= 8; });
    EXPECT_EQ(static_cast<size_t>(leaves), (n + 7) / 8);
  }
}

}  // namespace
}  // namespace orbox
