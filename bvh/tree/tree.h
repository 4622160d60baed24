// SPDX-License-Identifier: Apache-2.0

// A bounding volume hierarchy over a mesh: built once, immutable, shared.
//
//   absl::StatusOr<Tree> tree = Build(mesh);           // build/build.h
//   auto hit = ClosestPoint(*tree, {0, 0, 1});         // query/closest_point.h
//
// A Tree is a value that shares its data: copies are cheap, and any number of
// threads may query them. It keeps its mesh; the mesh's double vertices decide
// whatever the float volumes and leaves cannot.
//
// Tree space: the mesh's box, moved to the origin and scaled by a power of two
// into [-1, 1]^3, so that floats resolve every model alike, whatever its unit
// and its place.
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

// Which volumes a tree may use. kMixed lets a cost model choose node by node.
enum class Volumes { kMixed, kSphere, kAabb, kObb };

// How a tree stores its nodes and leaves: in the form of node.h, with the
// corners of the leaves' triangles in double; or in the form of compact.h,
// without them. Answers do not depend on it.
enum class Storage { kWide, kCompact };

// The most nodes on a path from the root. It sizes the stack of a traversal;
// builders halve instead of splitting by cost if they would go deeper.
inline constexpr int kMaxTreeDepth = 40;

// The map between the model's space and the tree's:  t = (p - origin) * scale.
struct TreeSpace {
  Vec3 origin;
  double scale = 1;    // a power of two
  double unscale = 1;  // 1 / scale, exactly

  // The largest difference of a leaf's coordinate from the vertex's.
  double leaf_error = 0x1p-24;

  // Within 2^-52 of the exact value for the points of the mesh, and within
  // 2^-52 |t| + 2^-53 |p| * scale elsewhere.
  Vec3 FromModel(const Vec3& p) const { return (p - origin) * scale; }
};

class TreeParts;

class Tree {
 public:
  // The data from a builder or a reader. Nodes[0] is the anchor: its one lane
  // is the box of the whole mesh, its child nodes[1] is the root.
  struct Data {
    Mesh mesh;
    TreeSpace space;
    // For Storage::kWide; otherwise empty.
    Array<Node> nodes;
    Array<Leaf> leaves;
    // The corners of the leaves' triangles in double, kLanes a leaf; unused
    // lanes repeat the first. If floats do not decide, a query finds the
    // corners here, and waits for memory once: through the mesh's indices it
    // would wait twice.
    Array<Triangle> corners;
    // For Storage::kCompact; otherwise empty.
    Array<CompactNode> compact_nodes;
    Array<CompactLeaf> compact_leaves;
    Volumes volumes = Volumes::kMixed;
    int depth = 0;  // nodes on the longest path, without the anchor
    // Null where floats of the tree's space serve everywhere.
    std::shared_ptr<const TreeParts> parts;
  };
  explicit Tree(Data data)
      : data_(std::make_shared<const Data>(std::move(data))) {}

  const Mesh& mesh() const { return data_->mesh; }
  const TreeSpace& space() const { return data_->space; }
  Storage storage() const {
    return data_->nodes.empty() ? Storage::kCompact : Storage::kWide;
  }

  // The form in use; the others are empty.
  std::span<const Node> nodes() const { return data_->nodes; }
  std::span<const Leaf> leaves() const { return data_->leaves; }
  std::span<const Triangle> corners() const { return data_->corners; }
  std::span<const CompactNode> compact_nodes() const {
    return data_->compact_nodes;
  }
  std::span<const CompactLeaf> compact_leaves() const {
    return data_->compact_leaves;
  }

  // For either form; slower.
  size_t node_count() const { return nodes().size() + compact_nodes().size(); }
  size_t leaf_count() const {
    return leaves().size() + compact_leaves().size();
  }
  // Require an index below the count.
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
  // The bytes of nodes, leaves and corners, without the mesh.
  size_t size_bytes() const;
  Volumes volumes() const { return data_->volumes; }
  int depth() const { return data_->depth; }

  // Null where there are none.
  const TreeParts* parts() const { return data_->parts.get(); }

  static constexpr uint32_t kRoot = 1;

 private:
  std::shared_ptr<const Data> data_;
};

// Detail that is far smaller than its mesh, such as a screw in a hall: floats
// of the tree's space hardly tell its triangles apart. Below some nodes the
// same triangles have a tree of their own, in a space around them alone, and
// that tree may have parts again. A query that comes to such a node goes on in
// the part. What is below the node in the tree itself holds as well, and takes
// longer to search. Tree files have no parts.
class TreeParts {
 public:
  // Over the mesh of the whole tree, but its leaves hold only what is below
  // `node` there, which is below no other part's.
  struct Part {
    uint32_t node;
    Tree tree;
  };

  // `part_of_node` says for each node of the whole tree: kNone; i, where it is
  // the root of parts[i]; or kBelow, where it is below one.
  TreeParts(std::vector<Part> parts, std::vector<uint32_t> part_of_node)
      : parts_(std::move(parts)), part_of_node_(std::move(part_of_node)) {}
  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kBelow = 0xfffffffe;

  std::span<const Part> parts() const { return parts_; }
  std::span<const uint32_t> part_of_node() const { return part_of_node_; }

  // The part whose root the node is, or null.
  const Tree* At(uint32_t node) const {
    const uint32_t part = part_of_node_[node];
    return part < kBelow ? &parts_[part].tree : nullptr;
  }
  bool IsBelowRoot(uint32_t node) const {
    return part_of_node_[node] == kBelow;
  }

 private:
  std::vector<Part> parts_;
  std::vector<uint32_t> part_of_node_;
};

// Implementation.

inline size_t Tree::size_bytes() const {
  size_t bytes = nodes().size_bytes() + leaves().size_bytes() +
                 corners().size_bytes() + compact_nodes().size_bytes() +
                 compact_leaves().size_bytes();
  if (parts() != nullptr) {
    bytes += parts()->part_of_node().size_bytes();
    for (const TreeParts::Part& part : parts()->parts()) {
      bytes += part.tree.size_bytes();
    }
  }
  return bytes;
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_TREE_H_
