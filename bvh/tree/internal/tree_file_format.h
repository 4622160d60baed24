// SPDX-License-Identifier: Apache-2.0

// The structures of a tree file, and the table of its sections.
//
//   for (const SectionRow& row : Sections()) Write(row.bytes_of(tree));
//
// tree/tree_file.h defines the format. A new section needs a member of
// TreeSections, a row of the table, its verification, and a new version.
#ifndef ORBOX_BVH_TREE_INTERNAL_TREE_FILE_FORMAT_H_
#define ORBOX_BVH_TREE_INTERNAL_TREE_FILE_FORMAT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::tree_internal {

// Alignment of the file, its header and its sections: a cache line, like Node.
inline constexpr size_t kAlignment = 64;

constexpr size_t RoundUpToAlignment(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// These bytes are not text. A translation of line ends or the loss of bit 7
// would change them.
inline constexpr std::array<char, 8> kMagic = {'\x8a', 'o', 'r',  'b',
                                               'o',    'x', '\r', '\n'};
inline constexpr uint32_t kByteOrder = 0x01020304;
inline constexpr uint32_t kOtherByteOrder = 0x04030201;
inline constexpr uint32_t kVersion = 1;

struct TreeFileHeader {
  std::array<char, 8> magic = kMagic;
  uint32_t byte_order = kByteOrder;
  uint32_t version = kVersion;
  uint32_t section_count = 0;
  uint32_t volumes = 0;  // of enum Volumes
  uint32_t depth = 0;
  uint32_t unused = 0;
  uint64_t file_bytes = 0;
  uint64_t checksum = 0;  // of header and table, with 0 here
  uint64_t degenerate_count = 0;
  Aabb bounds;
  TreeSpace space;
  std::array<uint64_t, 5> more_unused = {};
};
static_assert(sizeof(TreeFileHeader) == 192);
static_assert(offsetof(TreeFileHeader, checksum) == 40);
static_assert(offsetof(TreeFileHeader, bounds) == 56);
static_assert(offsetof(TreeFileHeader, space) == 104);

struct SectionEntry {
  uint32_t id = 0;
  uint32_t element_bytes = 0;
  uint64_t offset = 0;
  uint64_t count = 0;
  uint64_t checksum = 0;  // of the section, padded with zeros to kAlignment
};
static_assert(sizeof(SectionEntry) == 32);

// The contents of the sections.
struct TreeSections {
  Array<Vec3> vertices;
  Array<TriangleIndices> triangles;
  Array<Node> nodes;
  Array<Leaf> leaves;
  Array<Triangle> corners;
  Array<CompactNode> compact_nodes;
  Array<CompactLeaf> compact_leaves;

  bool is_compact() const { return !compact_nodes.empty(); }
};

// Positions in the table of sections. A wide tree has empty compact sections. A
// compact tree has empty nodes, leaves and corners.
enum Section : size_t {
  kVertices,
  kTriangles,
  kNodes,
  kLeaves,
  kCorners,
  kCompactNodes,
  kCompactLeaves,
  kSectionCount
};

struct SectionRow {
  uint32_t id;
  uint32_t element_bytes;
  std::string_view name;
  std::span<const std::byte> (*bytes_of)(const Tree& tree);
  // Makes the bytes the section's member of `sections`. Requires whole
  // elements, aligned to kAlignment, in memory that `owner` keeps alive.
  void (*place)(std::span<const std::byte> bytes,
                std::shared_ptr<const void> owner, TreeSections& sections);
};

std::span<const SectionRow, kSectionCount> Sections();

// Offset of the first section.
inline constexpr size_t kFirstSection = RoundUpToAlignment(
    sizeof(TreeFileHeader) + kSectionCount * sizeof(SectionEntry));

// The part of the file before the first section.
struct TreeFileFront {
  TreeFileHeader header;
  std::array<SectionEntry, kSectionCount> table = {};
};
using FrontBytes = std::array<std::byte, kFirstSection>;

// Returns the bytes as they are in the file.
ORBOX_EXPORT FrontBytes BytesOf(const TreeFileFront& front);

// Returns the checksum of these bytes, with 0 in place of the stored checksum.
uint64_t ChecksumOfFront(TreeFileFront front);

}  // namespace orbox::tree_internal

#endif  // ORBOX_BVH_TREE_INTERNAL_TREE_FILE_FORMAT_H_
