// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/internal/verify_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/tree/compact.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::tree_internal {
namespace {

constexpr size_t kBlocksATask = 1024;

// Sets `leaf` to the leaf with the coordinates of the mesh, as a builder writes
// it, and `corners` to the triangles of its lanes. Returns false if the compact
// leaf differs too much from these. Skips lanes whose id is not in the mesh,
// because VerifyLeaves reports them.
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
      // The cast is undefined beyond the range of float. Such values occur only
      // in a mesh with wrong bounds, and a later check reports these.
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

namespace {

constexpr size_t kNodesATask = size_t{1} << 14;

absl::Status VerifySpace(const TreeFileHeader& header, bool is_compact) {
  if (!IsValid(header.bounds)) {
    return absl::InvalidArgumentError("the mesh's bounds are no box");
  }
  const TreeSpace space = SpaceAround(header.bounds);
  if (!(header.space.origin == space.origin &&
        header.space.scale == space.scale &&
        header.space.unscale == space.unscale)) {
    return absl::InvalidArgumentError(
        "the tree's space is not the one of the mesh's bounds");
  }
  // Compact leaves may differ by half a step, for steps up to 2.
  const double error = header.space.leaf_error;
  if (!(is_compact ? error >= space.leaf_error && error <= 1
                   : error == space.leaf_error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("an error of leaves of ", error, " cannot be"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyMesh(const TreeSections& sections, const Workers& workers) {
  Lowest vertex;
  workers.For(sections.vertices.size(), kNodesATask,
              [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) {
                  if (!IsVertex(sections.vertices[i])) return vertex.Report(i);
                }
              });
  if (vertex.any()) {
    return absl::InvalidArgumentError(
        absl::StrCat("vertex ", vertex.value(),
                     " has a coordinate that is not finite, above "
                     "2^200 (1.6e60) in size, or below 2^-200 and not 0"));
  }
  Lowest triangle;
  const size_t count = sections.vertices.size();
  workers.For(sections.triangles.size(), kNodesATask,
              [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) {
                  const auto& [a, b, c] = sections.triangles[i];
                  if (std::max({a, b, c}) >= count) return triangle.Report(i);
                }
              });
  if (triangle.any()) {
    return absl::InvalidArgumentError(
        absl::StrCat("triangle ", triangle.value(), " has a vertex beyond the ",
                     count, " that there are"));
  }
  return absl::OkStatus();
}

namespace {

// Checks the laws of the wide form. Requires a verified mesh.
absl::Status VerifyWideTree(const TreeFileHeader& header,
                            const TreeSections& sections,
                            const Workers& workers) {
  if (absl::Status s = VerifyStructure(header, sections); !s.ok()) return s;
  if (absl::Status s = VerifyLeaves(header, sections, workers); !s.ok())
    return s;
  return VerifyVolumes({sections.nodes.data(), sections.nodes.size()},
                       {sections.leaves.data(), sections.leaves.size()},
                       workers);
}

}  // namespace

absl::Status VerifyTree(const TreeFileHeader& header,
                        const TreeSections& sections, const Workers& workers) {
  if (absl::Status s = VerifySpace(header, sections.is_compact()); !s.ok()) {
    return s;
  }
  if (absl::Status s = VerifyMesh(sections, workers); !s.ok()) return s;
  if (sections.is_compact()) {
    absl::StatusOr<TreeSections> wide =
        ExpandedSections(header, sections, workers);
    if (!wide.ok()) return wide.status();
    return VerifyWideTree(header, *wide, workers);
  }
  return VerifyWideTree(header, sections, workers);
}

}  // namespace orbox::tree_internal
