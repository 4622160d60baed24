// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/tree_shape.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

double Surface(const Node& node, int lane) {
  const auto& r = node.rows;
  if (node.kind == VolumeKind::kSphere) {
    return 4 * std::numbers::pi * std::pow(double{r[3][lane]}, 2);
  }
  const double x = double{r[3][lane]} - r[0][lane];
  const double y = double{r[4][lane]} - r[1][lane];
  const double z = double{r[5][lane]} - r[2][lane];
  return 2 * (x * y + y * z + z * x);
}

// Descends child by child.
void Descend(const Tree& tree, uint32_t index, size_t depth, double everything,
             TreeShape* shape) {
  const Node node = tree.node(index);
  if (shape->levels.size() <= depth) shape->levels.resize(depth + 1);
  ++shape->levels[depth].nodes[static_cast<size_t>(node.kind)];
  for (int lane = 0; lane < node.count; ++lane) {
    const double visits = Surface(node, lane) / everything;
    if (lane < node.inner_count) {
      shape->expected_nodes += visits;
      Descend(tree, node.first_node + lane, depth + 1, everything, shape);
    } else {
      shape->expected_leaves += visits;
      ++shape->levels[depth].leaves;
    }
  }
}

void ExpectShape(const Tree& tree, const std::string& name) {
  SCOPED_TRACE(name);
  TreeShape expected;
  expected.expected_nodes = 1;
  Descend(tree, Tree::kRoot, 0, Surface(tree.node(0), 0), &expected);
  const TreeShape shape = ShapeOf(tree);
  ASSERT_EQ(shape.levels.size(), expected.levels.size());
  EXPECT_EQ(shape.levels.size(), static_cast<size_t>(tree.depth()));
  size_t nodes = 0, leaves = 0;
  for (size_t i = 0; i < shape.levels.size(); ++i) {
    EXPECT_EQ(shape.levels[i].nodes, expected.levels[i].nodes) << i;
    EXPECT_EQ(shape.levels[i].leaves, expected.levels[i].leaves) << i;
    for (const size_t of_kind : shape.levels[i].nodes) nodes += of_kind;
    leaves += shape.levels[i].leaves;
  }
  EXPECT_EQ(nodes, tree.node_count() - Tree::kRoot);
  EXPECT_EQ(leaves, tree.leaf_count());
  // Sums of the same terms in another order.
  const double rounding = 1e-9 * expected.expected_cost();
  EXPECT_NEAR(shape.expected_nodes, expected.expected_nodes, rounding);
  EXPECT_NEAR(shape.expected_leaves, expected.expected_leaves, rounding);
  EXPECT_EQ(shape.expected_cost(),
            shape.expected_nodes + shape.expected_leaves);
}

TEST(TreeShapeTest, IsWhatDescendingChildByChildFinds) {
  for (const Mesh& mesh :
       {meshes::Torus(60, 40), meshes::Soup(500, 0.1), meshes::Cube(),
        meshes::OneTriangle(), meshes::DegenerateMix(200)}) {
    for (const trees::Named& variant : trees::Variants(mesh)) {
      ExpectShape(variant.tree, variant.name);
    }
  }
}

TEST(TreeShapeTest, DoesNotDependOnTheUnitOrThePlace) {
  const Mesh mesh = meshes::Torus(40, 30);
  const TreeShape shape = ShapeOf(trees::Make(mesh));
  // A power of two, and a move that rounds no coordinate.
  const TreeShape scaled = ShapeOf(trees::Make(meshes::Scaled(mesh, 0x1p-20)));
  EXPECT_EQ(scaled.expected_nodes, shape.expected_nodes);
  EXPECT_EQ(scaled.expected_leaves, shape.expected_leaves);
}

TEST(TreeShapeTest, SmallerLeavesAreExpectedToCostMoreVisits) {
  const Mesh mesh = meshes::Torus(60, 40);
  const TreeShape full = ShapeOf(trees::Make(mesh, Volumes::kMixed, 8));
  const TreeShape single = ShapeOf(trees::Make(mesh, Volumes::kMixed, 1));
  EXPECT_GT(single.expected_cost(), full.expected_cost());
}

}  // namespace
}  // namespace orbox
