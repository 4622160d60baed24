// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/detail_trees.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "orbox/bvh/tree/node.h"

namespace orbox {
namespace {

// With fewer leaves, a separate space does not make searches faster. Meshes
// that are equally fine everywhere have no detail trees: with leaves as small
// as detail everywhere, they would have a hundred million triangles.
constexpr uint32_t kLeastLeaves = 4;

// Returns half the diagonal of a child's box, or the radius of its ball.
double SizeOf(const Node& node, uint32_t lane) {
  if (node.kind == VolumeKind::kSphere) return node.rows[3][lane];
  double squared = 0;
  for (size_t k = 0; k < 3; ++k) {
    const double edge =
        static_cast<double>(node.rows[k + 3][lane]) - node.rows[k][lane];
    squared += edge * edge;
  }
  return 0.5 * std::sqrt(squared);
}

// Finds the topmost nodes that are detail.
class SmallNodes {
 public:
  explicit SmallNodes(std::span<const Node> nodes) : nodes_(nodes) {}

  std::vector<uint32_t> Run() {
    Visit(Tree::kRoot);
    std::sort(roots_.begin(), roots_.end());
    return std::move(roots_);
  }

 private:
  void Visit(uint32_t index) {
    const Node& node = nodes_[index];
    for (uint32_t lane = 0; lane < node.inner_count; ++lane) {
      const uint32_t child = node.first_node + lane;
      if (nodes_[child].leaves_below < kLeastLeaves) continue;
      if (SizeOf(node, lane) < kDetail) {
        roots_.push_back(child);
      } else {
        Visit(child);
      }
    }
  }

  const std::span<const Node> nodes_;
  std::vector<uint32_t> roots_;
};

void MarkBelow(std::span<const Node> nodes, uint32_t index,
               std::span<uint32_t> detail_of_node) {
  const Node& node = nodes[index];
  for (uint32_t lane = 0; lane < node.inner_count; ++lane) {
    detail_of_node[node.first_node + lane] = DetailTrees::kBelow;
    MarkBelow(nodes, node.first_node + lane, detail_of_node);
  }
}

std::vector<uint32_t> IdsIn(std::span<const Leaf> leaves) {
  std::vector<uint32_t> ids;
  ids.reserve(leaves.size() * kLanes);
  for (const Leaf& leaf : leaves) {
    for (const uint32_t id : leaf.ids) {
      if (id != kNoTriangle) ids.push_back(id);
    }
  }
  // Sorted, so that a detail tree does not depend on the order of leaves in the
  // whole tree.
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

uint32_t DetailInOneSpot(std::span<const Primitive> primitives) {
  constexpr size_t kLooks = 16;
  size_t seen = 0;
  for (size_t i = 0; i < kLooks; ++i) {
    seen += IsDetail(primitives[i * primitives.size() / kLooks].box) ? 1 : 0;
  }
  if (seen < kLooks / 2) return 0;
  BoxRow all;
  uint32_t count = 0;
  for (const Primitive& p : primitives) {
    if (!IsDetail(p.box)) continue;
    for (size_t k = 0; k < 8; ++k) all.v[k] = std::min(all.v[k], p.box.v[k]);
    // If detail is everywhere in the mesh, the loop ends early.
    if (!IsDetail(all)) return 0;
    ++count;
  }
  return count;
}

std::shared_ptr<const DetailTrees> FindDetailTrees(
    const Tree::Data& whole,
    absl::FunctionRef<Tree(std::span<const uint32_t> ids)> build) {
  const std::span<const Node> nodes(whole.nodes.data(), whole.nodes.size());
  const std::span<const Leaf> leaves(whole.leaves.data(), whole.leaves.size());
  std::vector<DetailTrees::Detail> detail_trees;
  std::vector<uint32_t> detail_of_node;
  for (const uint32_t root : SmallNodes(nodes).Run()) {
    const std::vector<uint32_t> ids =
        IdsIn(leaves.subspan(nodes[root].first_leaf, nodes[root].leaves_below));
    const Aabb bounds = BoundsOf(whole.mesh, ids);
    // Triangles that all coincide in one point have no extent in any space.
    if (bounds.lo == bounds.hi) continue;
    detail_of_node.resize(nodes.size(), DetailTrees::kNone);
    detail_of_node[root] = static_cast<uint32_t>(detail_trees.size());
    MarkBelow(nodes, root, detail_of_node);
    detail_trees.push_back({root, build(ids)});
  }
  if (detail_trees.empty()) return nullptr;
  return std::make_shared<const DetailTrees>(std::move(detail_trees),
                                             std::move(detail_of_node));
}

std::shared_ptr<const DetailTrees> MapDetailTrees(
    const DetailTrees* detail_trees,
    absl::FunctionRef<Tree(const Tree& detail)> make) {
  if (detail_trees == nullptr) return nullptr;
  std::vector<DetailTrees::Detail> made;
  made.reserve(detail_trees->all().size());
  for (const DetailTrees::Detail& detail : detail_trees->all()) {
    made.push_back({detail.node, make(detail.tree)});
  }
  const auto table = detail_trees->detail_of_node();
  return std::make_shared<const DetailTrees>(
      std::move(made), std::vector<uint32_t>(table.begin(), table.end()));
}

Aabb BoundsOf(const Mesh& mesh, std::span<const uint32_t> ids) {
  Aabb bounds = BoundsOf(mesh.triangle(ids.front()));
  for (const uint32_t id : ids.subspan(1)) {
    bounds = Union(bounds, BoundsOf(mesh.triangle(id)));
  }
  return bounds;
}

Aabb BoundsOfHeld(const Tree& tree, const Mesh& mesh) {
  Aabb bounds = BoundsOf(mesh.triangle(tree.leaf_ids(0)[0]));
  for (size_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    for (const uint32_t id : tree.leaf_ids(leaf)) {
      if (id != kNoTriangle) {
        bounds = Union(bounds, BoundsOf(mesh.triangle(id)));
      }
    }
  }
  return bounds;
}

}  // namespace orbox
