// SPDX-License-Identifier: Apache-2.0

// Compares compact nodes and leaves with their wide forms.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/tree/compact.h"
#include "orbox/bvh/tree/internal/verify_tree.h"

namespace orbox::tree_internal {
namespace {

constexpr size_t kBlocksATask = 1024;

// Computes the leaf with the mesh's own coordinates, as a builder writes it,
// and the triangles of its lanes. Returns false if the compact leaf is too far
// from these. Skips lanes with an id that is not in the mesh; VerifyLeaves
// reports them.
bool ExpandLeaf(const TreeFileHeader& header, const TreeSections& sections,
                const CompactLeaf& compact, Leaf& leaf, Triangle* corners) {
  const Leaf rough = Expanded(compact);
  leaf = rough;
  bool is_near = true;
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint32_t own = leaf.ids[lane];
    const uint32_t id = own == kNoTriangle ? leaf.ids[0] : own;
    if (id >= sections.triangles.size()) continue;
    const auto& [a, b, c] = sections.triangles[id];
    const Triangle t = {sections.vertices[a], sections.vertices[b],
                        sections.vertices[c]};
    corners[lane] = t;
    for (size_t row = 0; row < 9; ++row) {
      const double exact = header.space.FromModel(t[row / 3])[row % 3];
      // A cast is undefined beyond the range of float. Only a mesh with wrong
      // bounds has such values, and a later check finds these.
      constexpr double kLargest = std::numeric_limits<float>::max();
      leaf.rows[row][lane] =
          static_cast<float>(std::clamp(exact, -kLargest, kLargest));
      is_near &=
          std::abs(rough.rows[row][lane] - exact) <= header.space.leaf_error;
    }
  }
  return is_near;
}

}  // namespace

absl::StatusOr<TreeSections> ExpandedSections(const TreeFileHeader& header,
                                              const TreeSections& sections,
                                              const Workers& workers) {
  std::vector<Node> nodes(sections.compact_nodes.size());
  workers.For(nodes.size(), kBlocksATask, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      nodes[i] = Expanded(sections.compact_nodes[i]);
    }
  });
  std::vector<Leaf> leaves(sections.compact_leaves.size());
  std::vector<Triangle> corners(leaves.size() * kLanes);
  Lowest wrong;
  workers.For(leaves.size(), kBlocksATask, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!ExpandLeaf(header, sections, sections.compact_leaves[i], leaves[i],
                      &corners[i * kLanes])) {
        return wrong.Report(i);
      }
    }
  });
  if (wrong.any()) {
    return absl::InvalidArgumentError(
        absl::StrCat("leaf ", wrong.value(),
                     " has coordinates that are too far from the mesh's"));
  }
  return TreeSections{.vertices = sections.vertices,
                      .triangles = sections.triangles,
                      .nodes = std::move(nodes),
                      .leaves = std::move(leaves),
                      .corners = std::move(corners)};
}

}  // namespace orbox::tree_internal
