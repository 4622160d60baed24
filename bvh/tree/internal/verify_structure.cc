// SPDX-License-Identifier: Apache-2.0

// Checks nodes: their positions, and all members of each node.
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/tree/internal/verify_tree.h"
#include "orbox/overlap/shapes/matrix3.h"

namespace orbox::tree_internal {
namespace {

// Bound of the numbers in volumes. Tree space is [-1, 1]^3. Coordinates in a
// rotated frame are below half of its diagonal, and radii of balls around its
// contents are below the whole diagonal. If the scale of a tree is limited
// (tree_space.h), numbers may be up to four times larger.
constexpr float kLargest = 16;

bool IsOrthonormal(const Matrix3<float>& frame) {
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      double of_rows = 0;
      double of_columns = 0;
      for (int k = 0; k < 3; ++k) {
        of_rows += static_cast<double>(frame[i][k]) * frame[j][k];
        of_columns += static_cast<double>(frame[k][i]) * frame[k][j];
      }
      const double expected = i == j ? 1 : 0;
      if (!(std::abs(of_rows - expected) <= kFrameError)) return false;
      if (!(std::abs(of_columns - expected) <= kFrameError)) return false;
    }
  }
  return true;
}

bool IsAllowed(VolumeKind kind, Volumes volumes) {
  switch (volumes) {
    case Volumes::kMixed:
      return static_cast<int>(kind) < kVolumeKinds;
    case Volumes::kSphere:
      return kind == VolumeKind::kSphere;
    case Volumes::kAabb:
      return kind == VolumeKind::kAabb;
    case Volumes::kObb:
      return kind == VolumeKind::kObb;
  }
  return false;
}

// Returns the fault of the block of volumes; null if it has none.
const char* FaultOfBlock(const Node& node, Volumes volumes) {
  if (!IsAllowed(node.kind, volumes)) return "a kind that it cannot have";
  if (node.kind == VolumeKind::kObb
          ? !IsOrthonormal(node.frame)
          : node.frame != Matrix3<float>::Identity()) {
    return "a frame that is not orthonormal";
  }
  for (const auto& row : node.rows) {
    for (int lane = 0; lane < kLanes; ++lane) {
      // The comparison is false for NaN.
      if (!(std::abs(row[lane]) <= kLargest)) {
        return "a volume that is not finite, or too large";
      }
      if (lane >= node.count && row[lane] != row[0]) {
        return "an unused lane that is not like its first";
      }
    }
  }
  return nullptr;
}

// Walks the tree in the builder's order (build/internal/layout.cc). The next
// node or leaf must be at the next position. So none is reached twice, for any
// bytes of the file.
class StructureWalk {
 public:
  StructureWalk(Volumes volumes, const TreeSections& sections)
      : volumes_(volumes),
        nodes_(sections.nodes),
        node_count_(sections.nodes.size()),
        leaf_count_(sections.leaves.size()) {}

  absl::Status Run(int depth) {
    const Node& anchor = nodes_[0];
    if (anchor.inner_count != 1 || anchor.count != 1) {
      return Fault(0, "not one child, as the first node has");
    }
    if (absl::Status s = Walk(0, 0); !s.ok()) return s;
    if (next_node_ != node_count_ || next_leaf_ != leaf_count_) {
      return absl::InvalidArgumentError(absl::StrCat(
          "only ", next_node_, " of ", node_count_, " nodes and ", next_leaf_,
          " of ", leaf_count_, " leaves are in the tree"));
    }
    if (deepest_ != depth) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the tree is ", deepest_, " nodes deep, and not ", depth));
    }
    return absl::OkStatus();
  }

 private:
  static absl::Status Fault(size_t index, std::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("node ", index, " has ", std::string(what)));
  }

  absl::Status Walk(size_t index, int depth) {
    if (depth > kMaxTreeDepth) {
      return Fault(index, "more nodes above it than a tree may have");
    }
    deepest_ = std::max(deepest_, depth);
    const Node& node = nodes_[index];
    if (node.count < 1 || node.count > kLanes ||
        node.inner_count > node.count) {
      return Fault(index, "a number of children that is impossible");
    }
    const size_t leaf_children = node.count - node.inner_count;
    if (node.first_node != next_node_ || node.first_leaf != next_leaf_ ||
        node.inner_count > node_count_ - next_node_ ||
        leaf_children > leaf_count_ - next_leaf_) {
      return Fault(index, "children that are not at the next place");
    }
    if (std::any_of(std::begin(node.unused), std::end(node.unused),
                    [](uint8_t byte) { return byte != 0; })) {
      return Fault(index, "unused bytes that are not zero");
    }
    if (const char* fault = FaultOfBlock(node, volumes_); fault != nullptr) {
      return Fault(index, fault);
    }
    const size_t first_leaf = next_leaf_;
    next_node_ += node.inner_count;
    next_leaf_ += leaf_children;
    for (uint32_t i = 0; i < node.inner_count; ++i) {
      if (absl::Status s = Walk(node.first_node + i, depth + 1); !s.ok()) {
        return s;
      }
    }
    if (next_leaf_ - first_leaf != node.leaves_below) {
      return Fault(index, "another number of leaves below it than it says");
    }
    return absl::OkStatus();
  }

  const Volumes volumes_;
  const Array<Node>& nodes_;
  const size_t node_count_;
  const size_t leaf_count_;
  size_t next_node_ = 1;
  size_t next_leaf_ = 0;
  int deepest_ = 0;
};

}  // namespace

absl::Status VerifyStructure(const TreeFileHeader& header,
                             const TreeSections& sections) {
  return StructureWalk(static_cast<Volumes>(header.volumes), sections)
      .Run(static_cast<int>(header.depth));
}

}  // namespace orbox::tree_internal
