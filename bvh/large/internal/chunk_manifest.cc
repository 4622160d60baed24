// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunk_manifest.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/internal/checksum.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox {
namespace {

constexpr uint32_t kOtherByteOrder = 0x04030201;

uint64_t ChecksumOfManifest(std::string bytes) {
  std::fill_n(bytes.begin() + offsetof(ManifestHeader, checksum),
              sizeof(uint64_t), '\0');
  return tree_internal::ChecksumOf(std::as_bytes(std::span(bytes)));
}

// Returns the first law that a row breaks, in words; empty if there is none.
std::string_view Broken(const ChunkRow& row, const ManifestHeader& header,
                        uint64_t before) {
  if (row.count == 0 || row.count > header.chunk_triangles) {
    return "a wrong number of triangles";
  }
  if (row.first != before) return "a first place that is not the next one";
  if (row.highest_id < row.lowest_id ||
      row.highest_id - row.lowest_id < row.count - 1) {
    return "fewer ids than triangles";
  }
  if (!IsValid(row.box)) return "a box that is not valid";
  if (IsBeyond(row.box.lo) || IsBeyond(row.box.hi)) {
    return "coordinates beyond 2^200 (1.6e60) in size";
  }
  if (Max(row.vertex, row.box.lo) != row.vertex ||
      Min(row.vertex, row.box.hi) != row.vertex) {
    return "a vertex outside of its box";
  }
  if (row.degenerate > row.count) {
    return "more degenerate triangles than triangles";
  }
  return {};
}

template <typename... What>
absl::Status BadManifest(std::string_view name, const What&... what) {
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(name), ": ", what...));
}

// Returns the header if it is valid and agrees with the size of the file and
// its checksum.
absl::StatusOr<ManifestHeader> ReadHeader(std::string_view bytes,
                                          std::string_view name) {
  ManifestHeader header;
  const ManifestHeader right;
  if (bytes.size() < sizeof header) {
    return BadManifest(name, "ends at byte ", bytes.size(), ", within the ",
                       sizeof header,
                       " bytes of a manifest's header; build the chunks again");
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != right.magic) {
    return BadManifest(
        name, "is no manifest of a chunked tree: byte 0 begins otherwise");
  }
  if (header.byte_order == kOtherByteOrder) {
    return BadManifest(
        name,
        "was written by a machine of the other byte order; build the chunks on "
        "this one");
  }
  // In version 1, all chunks except the last had equally many triangles.
  if (header.byte_order != right.byte_order || header.version < 1 ||
      header.version > right.version) {
    return BadManifest(name, "has version ", header.version,
                       ", and this Orbox reads 1 to ", right.version,
                       "; build the chunks again");
  }
  const size_t rows = (bytes.size() - sizeof header) / sizeof(ManifestRow);
  if (header.chunk_count != rows || rows == 0 ||
      bytes.size() != sizeof header + rows * sizeof(ManifestRow)) {
    return BadManifest(name, "has ", bytes.size(),
                       " bytes, and its header claims ", header.chunk_count,
                       " chunks, of ", sizeof(ManifestRow),
                       " bytes each behind ", sizeof header,
                       "; is it cut short? Build the chunks again");
  }
  if (ChecksumOfManifest(std::string(bytes)) != header.checksum) {
    return BadManifest(
        name,
        "its checksum is wrong: some byte was changed; build the chunks again");
  }
  if (header.chunk_triangles == 0 ||
      header.chunk_triangles > Mesh::kMaxTriangles ||
      rows > std::numeric_limits<uint32_t>::max()) {
    return BadManifest(name, "claims chunks of ", header.chunk_triangles,
                       " triangles, and there may be 1 to ",
                       Mesh::kMaxTriangles, "; build the chunks again");
  }
  return header;
}

}  // namespace

std::string ChunkFileName(size_t chunk) {
  return absl::StrFormat("%08d.orbox", chunk);
}

std::string BytesOf(const ChunkManifest& manifest) {
  ManifestHeader header;
  header.chunk_triangles = manifest.chunk_triangles;
  header.chunk_count = manifest.rows.size();
  const ChunkRow& last = manifest.rows.back().row;
  header.triangle_count = last.first + last.count;
  std::string bytes(sizeof header + manifest.rows.size() * sizeof(ManifestRow),
                    '\0');
  std::memcpy(bytes.data() + sizeof header, manifest.rows.data(),
              bytes.size() - sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = ChecksumOfManifest(bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

absl::StatusOr<ChunkManifest> ParseManifest(std::string_view bytes,
                                            std::string_view name) {
  const absl::StatusOr<ManifestHeader> header = ReadHeader(bytes, name);
  if (!header.ok()) return header.status();
  ChunkManifest manifest;
  manifest.chunk_triangles = header->chunk_triangles;
  manifest.rows.resize(header->chunk_count);
  std::memcpy(manifest.rows.data(), bytes.data() + sizeof *header,
              manifest.rows.size() * sizeof(ManifestRow));
  uint64_t before = 0;
  uint64_t lowest = std::numeric_limits<uint64_t>::max();
  uint64_t highest = 0;
  for (size_t i = 0; i < manifest.rows.size(); ++i) {
    const ChunkRow& row = manifest.rows[i].row;
    const std::string_view what = Broken(row, *header, before);
    if (!what.empty()) {
      return BadManifest(
          name, "chunk ", i, " has ", std::string(what),
          ", though the checksum is right; build the chunks again");
    }
    before += row.count;
    lowest = std::min(lowest, row.lowest_id);
    highest = std::max(highest, row.highest_id);
  }
  if (before != header->triangle_count || highest - lowest != before - 1) {
    return BadManifest(name, "claims ", header->triangle_count,
                       " triangles with ids ", lowest, " to ", highest,
                       ", and its chunks have ", before,
                       "; build the chunks again");
  }
  return manifest;
}

}  // namespace orbox
