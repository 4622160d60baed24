// A bounding volume hierarchy over a mesh: built once, immutable, shared.
//
//   absl::StatusOr<Tree> tree = Build(mesh);           // build/build.h
//   auto hit = ClosestPoint(*tree, {0, 0, 1});         // query/closest_point.h
//
// A Tree is a value that shares its data: copies are cheap, and any number of
// threads may query them. It keeps its mesh, whose double vertices decide
// whatever the float volumes and leaves cannot.
//
// Tree space: the mesh's box moved to the origin and scaled by a power of two
// into [-1, 1]^3, so that floats resolve every model alike, whatever its unit
// and its place.
#ifndef ORBOX_BVH_TREE_TREE_H_
#define ORBOX_BVH_TREE_TREE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/compact.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Which volumes a tree may use. kMixed lets a cost model choose node by node.
enum class Volumes { kMixed, kSphere, kAabb, kObb };

// How a tree keeps its nodes and leaves: as node.h has them, with the corners
// of the leaves' triangles in double beside them; or as compact.h has them, and
// the mesh alone beside them. Answers do not depend on it.
enum class Storage { kWide, kCompact };

// No path from the root is longer: a traversal's stack is sized by it, and
// builders fall back to halving where their heuristic would go deeper.
inline constexpr int kMaxTreeDepth = 40;

// The map between the model's space and the tree's:  t = (p - origin) * scale.
struct TreeSpace {
  Vec3 origin;
  double scale = 1;    // a power of two
  double unscale = 1;  // 1 / scale, exactly

  // How far a leaf's coordinate may be from the vertex's.
  double leaf_error = 0x1p-24;

  // Within 2^-52 of the exact value for the points of the mesh, relative to
  // 2^-52 |t| + 2^-53 |p| * scale elsewhere.
  Vec3 FromModel(const Vec3& p) const { return (p - origin) * scale; }
};

class Tree {
 public:
  // What a builder hands over, or a reader. Nodes[0] is the anchor: its one
  // lane is the box of everything, its child nodes[1] is the root.
  struct Data {
    Mesh mesh;
    TreeSpace space;
    // Of Storage::kWide; otherwise empty.
    Array<Node> nodes;
    Array<Leaf> leaves;
    // The leaves' triangles as the mesh has them, kLanes a leaf, unused lanes
    // repeating the first: where floats do not decide, no index has to be
    // followed through the mesh, which would be waiting for memory twice.
    Array<Triangle> corners;
    // Of Storage::kCompact; otherwise empty.
    Array<CompactNode> compact_nodes;
    Array<CompactLeaf> compact_leaves;
    Volumes volumes = Volumes::kMixed;
    int depth = 0;  // nodes on the longest path, without the anchor
  };
  explicit Tree(Data data)
      : data_(std::make_shared<const Data>(std::move(data))) {}

  const Mesh& mesh() const { return data_->mesh; }
  const TreeSpace& space() const { return data_->space; }
  Storage storage() const {
    return data_->nodes.empty() ? Storage::kCompact : Storage::kWide;
  }

  // What a storage has; the others are empty.
  std::span<const Node> nodes() const { return data_->nodes; }
  std::span<const Leaf> leaves() const { return data_->leaves; }
  std::span<const Triangle> corners() const { return data_->corners; }
  std::span<const CompactNode> compact_nodes() const {
    return data_->compact_nodes;
  }
  std::span<const CompactLeaf> compact_leaves() const {
    return data_->compact_leaves;
  }

  // What either has, for those who are in no hurry.
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
  // Nodes, leaves and corners; without the mesh.
  size_t size_bytes() const {
    return nodes().size_bytes() + leaves().size_bytes() +
           corners().size_bytes() + compact_nodes().size_bytes() +
           compact_leaves().size_bytes();
  }
  Volumes volumes() const { return data_->volumes; }
  int depth() const { return data_->depth; }

  static constexpr uint32_t kRoot = 1;

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_TREE_H_
