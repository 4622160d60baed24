// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/internal/tree_file_front.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/tree/internal/checksum.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox::tree_internal {
namespace {

constexpr char kBuildAgain[] = "build the tree again";

absl::Status Wrong(std::string_view what) {
  return absl::InvalidArgumentError(std::string(what));
}

absl::Status Truncated(size_t file_size, uint64_t wanted) {
  return Wrong(absl::StrCat("has ", file_size, " bytes, and should have ",
                            wanted, "; it was cut: copy or build it again"));
}

absl::Status CheckHeader(const TreeFileHeader& header, size_t file_size) {
  if (header.byte_order != kByteOrder) {
    return Wrong(absl::StrCat(
        "byte 8: the mark of byte order is ",
        header.byte_order == kOtherByteOrder
            ? "of a machine with the other one; build the tree on this one"
            : "none; copy the file again"));
  }
  if (header.version != kVersion) {
    return Wrong(absl::StrCat("byte 12: is of version ", header.version,
                              ", and this reader knows ", kVersion, "; ",
                              kBuildAgain));
  }
  if (header.file_bytes != file_size) {
    return Truncated(file_size, header.file_bytes);
  }
  if (header.section_count != kSectionCount) {
    return Wrong(absl::StrCat("byte 16: has ", header.section_count,
                              " sections, and ", kSectionCount, " are known; ",
                              kBuildAgain));
  }
  return absl::OkStatus();
}

absl::Status CheckSection(const SectionEntry& entry, const SectionRow& row,
                          uint64_t offset, size_t file_size) {
  const std::string name(row.name);
  if (entry.id != row.id || entry.element_bytes != row.element_bytes) {
    return Wrong(absl::StrCat("the table has section ", entry.id,
                              " with elements of ", entry.element_bytes,
                              " bytes in place of the ", name, ", ", row.id,
                              " with ", row.element_bytes, "; ", kBuildAgain));
  }
  if (entry.offset != offset) {
    return Wrong(absl::StrCat("the ", name, " begin at byte ", entry.offset,
                              ", and should at ", offset, "; ", kBuildAgain));
  }
  // Compared before multiplying, because the product could overflow. The offset
  // is inside the file.
  const size_t left = file_size - offset;
  if (entry.count > left / row.element_bytes ||
      RoundUpToAlignment(entry.count * row.element_bytes) > left) {
    return Wrong(absl::StrCat("the ", name, " are ", entry.count,
                              ", more than the file has room for; ",
                              kBuildAgain));
  }
  return absl::OkStatus();
}

absl::Status CheckCounts(const TreeFileFront& front) {
  const uint64_t vertices = front.table[kVertices].count;
  const uint64_t triangles = front.table[kTriangles].count;
  const bool is_compact = front.table[kCompactNodes].count != 0;
  const Section none[] = {is_compact ? kNodes : kCompactNodes,
                          is_compact ? kLeaves : kCompactLeaves};
  const uint64_t nodes = front.table[is_compact ? kCompactNodes : kNodes].count;
  const uint64_t leaves =
      front.table[is_compact ? kCompactLeaves : kLeaves].count;
  const uint64_t corners = front.table[kCorners].count;
  for (const Section section : none) {
    if (front.table[section].count == 0) continue;
    return Wrong(absl::StrCat("has ", std::string(Sections()[section].name),
                              " beside the ", is_compact ? "compact" : "wide",
                              " ones; ", kBuildAgain));
  }
  // There are at least two nodes, the anchor and the root. A Slot has 32 bits.
  if (vertices < 1 || vertices > Mesh::kMaxVertices || triangles < 1 ||
      triangles > Mesh::kMaxTriangles || leaves < 1 || leaves > triangles ||
      nodes < 2 || nodes > (uint64_t{1} << 32) / kLanes ||
      corners != (is_compact ? 0 : leaves * kLanes)) {
    return Wrong(absl::StrCat(vertices, " vertices, ", triangles,
                              " triangles, ", nodes, " nodes, ", leaves,
                              " leaves and ", corners,
                              " corners do not make a tree; ", kBuildAgain));
  }
  if (front.header.volumes > static_cast<uint32_t>(Volumes::kObb) ||
      front.header.depth < 1 || front.header.depth > kMaxTreeDepth) {
    return Wrong(absl::StrCat("a tree cannot be ", front.header.depth,
                              " nodes deep or have volumes of kind ",
                              front.header.volumes, "; ", kBuildAgain));
  }
  const Aabb& bounds = front.header.bounds;
  if (IsValid(bounds) && (IsBeyond(bounds.lo) || IsBeyond(bounds.hi))) {
    return Wrong(absl::StrCat(
        "the mesh is too large: coordinates are at most 2^200 (1.6e60) in "
        "size; scale the model down and build the tree of it"));
  }
  return absl::OkStatus();
}

// A piece of a section.
struct Piece {
  size_t section;
  size_t offset;  // in the file
  size_t size;
};

std::vector<Piece> PiecesOf(const TreeFileFront& front) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < kSectionCount; ++i) {
    const SectionEntry& entry = front.table[i];
    const size_t bytes = RoundUpToAlignment(entry.count * entry.element_bytes);
    for (size_t at = 0; at < bytes; at += kChecksumPiece) {
      pieces.push_back(
          {i, entry.offset + at, std::min(kChecksumPiece, bytes - at)});
    }
  }
  return pieces;
}

using Checksums = std::array<uint64_t, kSectionCount>;
using BytesOfPiece =
    absl::FunctionRef<absl::StatusOr<std::span<const std::byte>>(const Piece&)>;

// Returns the checksums of all sections, computed several pieces at a time.
absl::StatusOr<Checksums> ChecksumsOf(const TreeFileFront& front,
                                      const Workers& workers,
                                      BytesOfPiece bytes_of) {
  const std::vector<Piece> pieces = PiecesOf(front);
  std::vector<uint64_t> sums(pieces.size());
  std::vector<absl::Status> failures(pieces.size());
  workers.For(pieces.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const absl::StatusOr<std::span<const std::byte>> bytes =
          bytes_of(pieces[i]);
      if (bytes.ok()) {
        sums[i] = ChecksumOfPiece(*bytes);
      } else {
        failures[i] = bytes.status();
      }
    }
  });
  Checksums checksums;
  checksums.fill(kChecksumStart);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!failures[i].ok()) return failures[i];
    uint64_t& checksum = checksums[pieces[i].section];
    checksum = Absorb(checksum, sums[i]);
  }
  return checksums;
}

}  // namespace

TreeFileFront FrontOf(const Tree& tree, const Workers& workers) {
  TreeFileFront front;
  front.header.section_count = kSectionCount;
  front.header.volumes = static_cast<uint32_t>(tree.volumes());
  front.header.depth = static_cast<uint32_t>(tree.depth());
  front.header.degenerate_count = tree.mesh().degenerate_count();
  front.header.bounds = tree.mesh().bounds();
  front.header.space = tree.space();
  size_t offset = kFirstSection;
  for (size_t i = 0; i < kSectionCount; ++i) {
    const SectionRow& row = Sections()[i];
    const std::span<const std::byte> bytes = row.bytes_of(tree);
    front.table[i] = {.id = row.id,
                      .element_bytes = row.element_bytes,
                      .offset = offset,
                      .count = bytes.size() / row.element_bytes};
    offset += RoundUpToAlignment(bytes.size());
  }
  front.header.file_bytes = offset;

  // The status is OK, because reading from a tree in memory cannot fail.
  const Checksums checksums = *ChecksumsOf(
      front, workers,
      [&](const Piece& piece) -> absl::StatusOr<std::span<const std::byte>> {
        const auto bytes = Sections()[piece.section].bytes_of(tree);
        const size_t at = piece.offset - front.table[piece.section].offset;
        return bytes.subspan(at, std::min(piece.size, bytes.size() - at));
      });
  for (size_t i = 0; i < kSectionCount; ++i) {
    front.table[i].checksum = checksums[i];
  }
  front.header.checksum = ChecksumOfFront(front);
  return front;
}

absl::StatusOr<TreeFileFront> ReadFront(std::span<const std::byte> begin,
                                        size_t file_size) {
  if (begin.size() < kMagic.size() ||
      std::memcmp(begin.data(), kMagic.data(), kMagic.size()) != 0) {
    return Wrong("is no tree file; make one with WriteTree or orbox build");
  }
  TreeFileFront front;
  if (begin.size() < kFirstSection) {
    return Truncated(file_size, kFirstSection);
  }
  std::memcpy(&front.header, begin.data(), sizeof front.header);
  if (absl::Status s = CheckHeader(front.header, file_size); !s.ok()) return s;
  std::memcpy(front.table.data(), begin.data() + sizeof front.header,
              sizeof front.table);
  if (ChecksumOfFront(front) != front.header.checksum ||
      std::memcmp(BytesOf(front).data(), begin.data(), kFirstSection) != 0) {
    return Wrong(
        "the checksum of the header, byte 40, is wrong: the file is damaged; "
        "copy or build it again");
  }
  uint64_t offset = kFirstSection;
  for (size_t i = 0; i < kSectionCount; ++i) {
    const SectionEntry& entry = front.table[i];
    if (absl::Status s = CheckSection(entry, Sections()[i], offset, file_size);
        !s.ok()) {
      return s;
    }
    offset += RoundUpToAlignment(entry.count * entry.element_bytes);
  }
  if (offset != file_size) {
    return Wrong(absl::StrCat("the sections end at byte ", offset, " of ",
                              file_size, "; ", kBuildAgain));
  }
  if (absl::Status s = CheckCounts(front); !s.ok()) return s;
  return front;
}

std::span<const std::byte> SectionOf(const SectionEntry& entry,
                                     std::span<const std::byte> file) {
  return file.subspan(entry.offset, entry.count * entry.element_bytes);
}

absl::Status VerifyChecksums(const TreeFileFront& front, const Workers& workers,
                             BytesAt bytes_at) {
  const absl::StatusOr<Checksums> checksums = ChecksumsOf(
      front, workers,
      [&](const Piece& piece) { return bytes_at(piece.offset, piece.size); });
  if (!checksums.ok()) return checksums.status();
  for (size_t i = 0; i < kSectionCount; ++i) {
    if ((*checksums)[i] == front.table[i].checksum) continue;
    return Wrong(absl::StrCat("the checksum of the ",
                              std::string(Sections()[i].name), ", from byte ",
                              front.table[i].offset,
                              " on, is wrong: the file is damaged; copy or "
                              "build it again"));
  }
  return absl::OkStatus();
}

}  // namespace orbox::tree_internal
