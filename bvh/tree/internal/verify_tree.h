// SPDX-License-Identifier: Apache-2.0

// Verifies that the contents of a file are a tree for which queries return
// correct results. Checks everything that queries rely on, for arbitrary bytes.
//
//   absl::Status status = VerifyTree(header, sections, workers);
//
// O(triangles * depth), most of it in vectors of eight. Error messages describe
// the fault. The caller adds the name of the file.
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

// Runs all checks below, in their order. Requires counts that are consistent
// with each other, as ReadFront (tree_file_front.h) ensures. kInvalidArgument
// for a failed check.
absl::Status VerifyTree(const TreeFileHeader& header,
                        const TreeSections& sections, const Workers& workers);

// Checks that vertices are finite, and that triangles have indices below their
// number.
absl::Status VerifyMesh(const TreeSections& sections, const Workers& workers);

// Returns the wide form of the nodes and leaves of a compact tree, with the
// coordinates of the mesh in the leaves. Checks that each number of a compact
// leaf is within header.space.leaf_error of these coordinates. Allocates the
// memory of a wide tree. Requires a verified mesh; does not check ids.
absl::StatusOr<TreeSections> ExpandedSections(const TreeFileHeader& header,
                                              const TreeSections& sections,
                                              const Workers& workers);

// Checks the law of Node (tree/node.h) except for volumes. From the anchor
// down, nodes and leaves must be in the builder's order: depth first, the
// children of a node contiguous. So each is reached exactly once. Kinds must be
// allowed by `header.volumes`. Frames must be orthonormal, numbers must be
// finite and within the bounds of tree space, and unused lanes must be equal to
// lane 0.
absl::Status VerifyStructure(const TreeFileHeader& header,
                             const TreeSections& sections);

// Checks the law of Leaf: ids ascend, and rows and corners are those of the
// mesh. Also checks that each triangle is in exactly one leaf, and that the
// header has the bounds of the mesh and its number of degenerate triangles.
// Requires a verified mesh and structure, and that header.space is the space of
// header.bounds.
absl::Status VerifyLeaves(const TreeFileHeader& header,
                          const TreeSections& sections, const Workers& workers);

// Checks that each volume contains all triangles below it. Requires that all
// checks above passed.
absl::Status VerifyVolumes(std::span<const Node> nodes,
                           std::span<const Leaf> leaves,
                           const Workers& workers);

// Stores the lowest number that any thread reports.
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
