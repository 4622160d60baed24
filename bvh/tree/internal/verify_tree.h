// Is what a file holds a tree whose answers are right? Everything that queries
// rely on, verified for bytes that anyone may have made.
//
//   absl::Status status = VerifyTree(header, parts, workers);
//
// O(triangles * depth), most of it in vectors of eight. Messages say what is
// wrong, and leave the name of the file to the caller.
#ifndef ORBOX_BVH_TREE_INTERNAL_VERIFY_TREE_H_
#define ORBOX_BVH_TREE_INTERNAL_VERIFY_TREE_H_

#include <atomic>
#include <cstddef>
#include <limits>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/tree/internal/tree_file_format.h"
#include "orbox/bvh/tree/node.h"

namespace orbox::tree_internal {

// All of the below, in their order. Requires counts that fit each other, as
// CheckFront (tree_file_front.h) sees to. kInvalidArgument for what is wrong.
absl::Status VerifyTree(const TreeFileHeader& header, const TreeParts& parts,
                        const Workers& workers);

// Vertices are finite, and triangles have indices below their number.
absl::Status VerifyMesh(const TreeParts& parts, const Workers& workers);

// What a compact tree's nodes and leaves stand for, as those of a wide one with
// the mesh's own coordinates in its leaves; each number of a compact leaf is
// within header.space.leaf_error of those. Takes the memory of a wide tree.
// Requires a verified mesh; ids are left as they are.
absl::StatusOr<TreeParts> ExpandedParts(const TreeFileHeader& header,
                                        const TreeParts& parts,
                                        const Workers& workers);

// The law of Node (tree/node.h) but for volumes: from the anchor down, nodes
// and leaves lie in the order in which builders place them, depth first, each
// node's children side by side; so each is reached once, and nothing is left.
// Kinds are those that `header.volumes` allows, frames are orthonormal, numbers
// finite and of the size that tree space has, unused lanes as they should be.
absl::Status VerifyStructure(const TreeFileHeader& header,
                             const TreeParts& parts);

// The law of Leaf: ids ascend, rows and corners are what the mesh says; each
// triangle is in one leaf; the header's bounds and number of degenerate
// triangles are the mesh's. Requires a verified mesh and structure, and
// header.space to be the one of header.bounds.
absl::Status VerifyLeaves(const TreeFileHeader& header, const TreeParts& parts,
                          const Workers& workers);

// Each volume contains all triangles below it. Requires all of the above.
absl::Status VerifyVolumes(std::span<const Node> nodes,
                           std::span<const Leaf> leaves,
                           const Workers& workers);

// The lowest number that any thread has reported.
class Lowest {
 public:
  void Report(size_t value) {
    size_t seen = lowest_.load(std::memory_order_relaxed);
    while (value < seen && !lowest_.compare_exchange_weak(
                               seen, value, std::memory_order_relaxed)) {
    }
  }
  bool any() const { return value() != kNone; }
  size_t value() const { return lowest_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();
  std::atomic<size_t> lowest_ = kNone;
};

}  // namespace orbox::tree_internal

#endif  // ORBOX_BVH_TREE_INTERNAL_VERIFY_TREE_H_
