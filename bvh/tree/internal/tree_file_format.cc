// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/internal/tree_file_format.h"

#include <cstring>
#include <utility>

#include "orbox/bvh/tree/internal/checksum.h"

namespace orbox::tree_internal {
namespace {

template <typename T, auto kOf, Array<T> TreeSections::*kMember>
constexpr SectionRow RowOf(uint32_t id, std::string_view name) {
  return {.id = id,
          .element_bytes = sizeof(T),
          .name = name,
          .bytes_of = [](const Tree& tree) -> std::span<const std::byte> {
            return std::as_bytes(kOf(tree));
          },
          .place =
              [](std::span<const std::byte> bytes,
                 std::shared_ptr<const void> owner, TreeSections& sections) {
                const auto* const elements =
                    reinterpret_cast<const T*>(bytes.data());
                sections.*kMember = Array<T>(
                    std::span<const T>(elements, bytes.size() / sizeof(T)),
                    std::move(owner));
              }};
}

std::span<const Vec3> Vertices(const Tree& t) { return t.mesh().vertices(); }
std::span<const TriangleIndices> Triangles(const Tree& t) {
  return t.mesh().triangles();
}
std::span<const Node> Nodes(const Tree& t) { return t.nodes(); }
std::span<const Leaf> Leaves(const Tree& t) { return t.leaves(); }
std::span<const Triangle> Corners(const Tree& t) { return t.corners(); }
std::span<const CompactNode> CompactNodes(const Tree& t) {
  return t.compact_nodes();
}
std::span<const CompactLeaf> CompactLeaves(const Tree& t) {
  return t.compact_leaves();
}

constexpr SectionRow kSections[] = {
    RowOf<Vec3, Vertices, &TreeSections::vertices>(1, "vertices"),
    RowOf<TriangleIndices, Triangles, &TreeSections::triangles>(2, "triangles"),
    RowOf<Node, Nodes, &TreeSections::nodes>(3, "nodes"),
    RowOf<Leaf, Leaves, &TreeSections::leaves>(4, "leaves"),
    RowOf<Triangle, Corners, &TreeSections::corners>(5, "corners"),
    RowOf<CompactNode, CompactNodes, &TreeSections::compact_nodes>(
        6, "compact nodes"),
    RowOf<CompactLeaf, CompactLeaves, &TreeSections::compact_leaves>(
        7, "compact leaves"),
};
static_assert(std::size(kSections) == kSectionCount);

}  // namespace

std::span<const SectionRow, kSectionCount> Sections() { return kSections; }

FrontBytes BytesOf(const TreeFileFront& front) {
  FrontBytes bytes = {};
  std::memcpy(bytes.data(), &front.header, sizeof front.header);
  std::memcpy(bytes.data() + sizeof front.header, front.table.data(),
              sizeof front.table);
  return bytes;
}

uint64_t ChecksumOfFront(TreeFileFront front) {
  front.header.checksum = 0;
  const FrontBytes bytes = BytesOf(front);
  return ChecksumOf(bytes);
}

}  // namespace orbox::tree_internal
