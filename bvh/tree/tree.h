// SPDX-License-Identifier: Apache-2.0

// A bounding volume hierarchy over a mesh: built once, immutable, shared.
//
//   absl::StatusOr<Tree> tree = Build(mesh);           // build/build.h
//   // query/points/closest_point.h
//   auto hit = ClosestPoint(*tree, {0, 0, 1});
//
// A Tree is a value that shares its data: copies are cheap, and any number of
// threads may query them. A tree contains its mesh. If the float volumes and
// leaves do not decide a query, the double vertices of the mesh do.
//
// Tree space: the box of the mesh, translated to the origin and scaled by a
// power of two into [-1, 1]^3. In this space, floats resolve all models equally
// well, in any unit and at any position.
#ifndef ORBOX_BVH_TREE_TREE_H_
#define ORBOX_BVH_TREE_TREE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/compact.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Kinds of volumes that a tree may use. With kMixed, a cost model chooses per
// node.
enum class Volumes { kMixed, kSphere, kAabb, kObb };

// Form of a tree's nodes and leaves: that of node.h, with the corners of the
// leaves' triangles in double; or that of compact.h, without these corners.
// Results of queries do not depend on it.
enum class Storage { kWide, kCompact };

// Upper bound of the number of nodes on a path from the root. It bounds the
// stack of a traversal. If splits by cost would make the tree deeper, builders
// split into halves instead.
inline constexpr int kMaxTreeDepth = 40;

// The map from the model's space to the tree's space: t = (p - origin) * scale.
struct TreeSpace {
  Vec3 origin;
  double scale = 1;    // a power of two
  double unscale = 1;  // 1 / scale, exactly

  // Bound of the difference between a leaf's coordinate and the vertex's.
  double leaf_error = 0x1p-24;

  // Maps a point to tree space. The error is at most 2^-52 for the points of
  // the mesh, and at most 2^-52 |t| + 2^-53 |p| * scale elsewhere.
  Vec3 FromModel(const Vec3& p) const { return (p - origin) * scale; }
};

class DetailTrees;

class Tree {
 public:
  // The data from a builder or a reader. nodes[0] is the anchor: its one lane
  // is the box of the whole mesh, and its child nodes[1] is the root.
  struct Data {
    Mesh mesh;
    TreeSpace space;
    // For Storage::kWide; otherwise empty.
    Array<Node> nodes;
    Array<Leaf> leaves;
    // Corners of the leaves' triangles in double, kLanes per leaf. Unused lanes
    // repeat the first. If floats do not decide, a query reads the corners
    // here, which is one access to memory. Through the indices of the mesh it
    // would need two, one after the other.
    Array<Triangle> corners;
    // For Storage::kCompact; otherwise empty.
    Array<CompactNode> compact_nodes;
    Array<CompactLeaf> compact_leaves;
    Volumes volumes = Volumes::kMixed;
    int depth = 0;  // nodes on the longest path, without the anchor
    // Detail trees; null if the floats of the tree's space suffice everywhere.
    std::shared_ptr<const DetailTrees> detail_trees;
  };
  explicit Tree(Data data)
      : data_(std::make_shared<const Data>(std::move(data))) {}

  const Mesh& mesh() const { return data_->mesh; }
  const TreeSpace& space() const { return data_->space; }
  Storage storage() const {
    return data_->nodes.empty() ? Storage::kCompact : Storage::kWide;
  }

  // The arrays of the form in use. The arrays of the other form are empty.
  std::span<const Node> nodes() const { return data_->nodes; }
  std::span<const Leaf> leaves() const { return data_->leaves; }
  std::span<const Triangle> corners() const { return data_->corners; }
  std::span<const CompactNode> compact_nodes() const {
    return data_->compact_nodes;
  }
  std::span<const CompactLeaf> compact_leaves() const {
    return data_->compact_leaves;
  }

  // Valid for both forms, but slower than the arrays.
  size_t node_count() const { return nodes().size() + compact_nodes().size(); }
  size_t leaf_count() const {
    return leaves().size() + compact_leaves().size();
  }
  // The functions below require an index below the respective count.
  Node node(size_t i) const {
    return storage() == Storage::kWide ? nodes()[i]
                                       : Expanded(compact_nodes()[i]);
  }
  Leaf leaf(size_t i) const {
    return storage() == Storage::kWide ? leaves()[i]
                                       : Expanded(compact_leaves()[i]);
  }
  std::span<const uint32_t, kLanes> leaf_ids(size_t i) const {
    return storage() == Storage::kWide
               ? std::span<const uint32_t, kLanes>(leaves()[i].ids)
               : std::span<const uint32_t, kLanes>(compact_leaves()[i].ids);
  }
  // Returns the bytes of nodes, leaves and corners, without the mesh.
  size_t size_bytes() const;
  Volumes volumes() const { return data_->volumes; }
  int depth() const { return data_->depth; }

  // Returns the detail trees; null if there are none.
  const DetailTrees* detail_trees() const { return data_->detail_trees.get(); }

  static constexpr uint32_t kRoot = 1;

 private:
  std::shared_ptr<const Data> data_;
};

// Detail trees: for detail that is much smaller than its mesh, such as a screw
// in a hall. Floats in the tree's space do not resolve the triangles of such
// detail. So the triangles below some nodes are also in a separate tree, whose
// space is that of these triangles only. A detail tree may again have detail
// trees. A query that reaches such a node continues in the detail tree. The
// nodes below it in the original tree are also valid, but take longer to
// search. Tree files contain no detail trees.
class DetailTrees {
 public:
  // A detail tree over the mesh of the whole tree. Its leaves contain only the
  // triangles below `node` of the whole tree. No triangle is in two detail
  // trees.
  struct Detail {
    uint32_t node;
    Tree tree;
  };

  // `detail_of_node` is, for each node of the whole tree: i if the node is the
  // root of details[i]; kBelow if it is below such a root; otherwise kNone.
  DetailTrees(std::vector<Detail> details, std::vector<uint32_t> detail_of_node)
      : details_(std::move(details)),
        detail_of_node_(std::move(detail_of_node)) {}
  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kBelow = 0xfffffffe;

  std::span<const Detail> all() const { return details_; }
  std::span<const uint32_t> detail_of_node() const { return detail_of_node_; }

  // Returns the detail tree whose root is this node, or null.
  const Tree* At(uint32_t node) const {
    const uint32_t detail = detail_of_node_[node];
    return detail < kBelow ? &details_[detail].tree : nullptr;
  }
  bool IsBelowRoot(uint32_t node) const {
    return detail_of_node_[node] == kBelow;
  }

 private:
  std::vector<Detail> details_;
  std::vector<uint32_t> detail_of_node_;
};

// Implementation.

inline size_t Tree::size_bytes() const {
  size_t bytes = nodes().size_bytes() + leaves().size_bytes() +
                 corners().size_bytes() + compact_nodes().size_bytes() +
                 compact_leaves().size_bytes();
  if (detail_trees() != nullptr) {
    bytes += detail_trees()->detail_of_node().size_bytes();
    for (const DetailTrees::Detail& detail : detail_trees()->all()) {
      bytes += detail.tree.size_bytes();
    }
  }
  return bytes;
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_TREE_H_
