// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "orbox/bvh/tree/node.h"

namespace orbox {
namespace {

// Fewer leaves are searched equally fast without a space of their own. Meshes
// that are equally fine everywhere have no detail trees: with leaves of that
// size everywhere, they would have a hundred million triangles.
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

// Finds the topmost nodes that are small.
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
               std::span<uint32_t> part_of_node) {
  const Node& node = nodes[index];
  for (uint32_t lane = 0; lane < node.inner_count; ++lane) {
    part_of_node[node.first_node + lane] = TreeParts::kBelow;
    MarkBelow(nodes, node.first_node + lane, part_of_node);
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
    // If detail is all over the mesh, the loop ends early.
    if (!IsDetail(all)) return 0;
    ++count;
  }
  return count;
}

std::shared_ptr<const TreeParts> FindParts(
    const Tree::Data& whole,
    absl::FunctionRef<Tree(std::span<const uint32_t> ids)> build) {
  const std::span<const Node> nodes(whole.nodes.data(), whole.nodes.size());
  const std::span<const Leaf> leaves(whole.leaves.data(), whole.leaves.size());
  std::vector<TreeParts::Part> parts;
  std::vector<uint32_t> part_of_node;
  for (const uint32_t root : SmallNodes(nodes).Run()) {
    const std::vector<uint32_t> ids =
        IdsIn(leaves.subspan(nodes[root].first_leaf, nodes[root].leaves_below));
    const Aabb bounds = BoundsOf(whole.mesh, ids);
    // Triangles that all coincide in one point have no size in any space.
    if (bounds.lo == bounds.hi) continue;
    part_of_node.resize(nodes.size(), TreeParts::kNone);
    part_of_node[root] = static_cast<uint32_t>(parts.size());
    MarkBelow(nodes, root, part_of_node);
    parts.push_back({root, build(ids)});
  }
  if (parts.empty()) return nullptr;
  return std::make_shared<const TreeParts>(std::move(parts),
                                           std::move(part_of_node));
}

std::shared_ptr<const TreeParts> MapParts(
    const TreeParts* parts, absl::FunctionRef<Tree(const Tree& part)> make) {
  if (parts == nullptr) return nullptr;
  std::vector<TreeParts::Part> made;
  made.reserve(parts->parts().size());
  for (const TreeParts::Part& part : parts->parts()) {
    made.push_back({part.node, make(part.tree)});
  }
  const auto table = parts->part_of_node();
  return std::make_shared<const TreeParts>(
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
