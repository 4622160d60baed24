// SPDX-License-Identifier: Apache-2.0

// Manifest of a chunked tree: written by the build, and read defensively.
// Private.
//
//   absl::StatusOr<ChunkManifest> m = ParseManifest(bytes, "scan/manifest");
//   std::string bytes = BytesOf(manifest);
//
// The format, version 2, in the byte order of the machine that wrote it: a
// header of 64 bytes (ManifestHeader), then a row of 136 bytes per chunk. Its
// checksum (tree/internal/checksum.h) is that of all bytes, with 0 in place of
// the checksum itself. Each row contains the tree file's checksum of header and
// table, which covers the checksums of its sections, and the checksum of the
// chunk's global ids. So a change of any byte in the folder is detected.
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_MANIFEST_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_MANIFEST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"

namespace orbox {

inline constexpr std::string_view kManifestName = "manifest";
inline constexpr std::string_view kIdsName = "ids";
// Returns "00000007.orbox" for chunk 7.
std::string ChunkFileName(size_t chunk);

struct ManifestHeader {
  // Not text; changed by translation of line ends and by loss of bit 7.
  std::array<char, 8> magic = {'\x8b', 'o', 'r', 'b', 'c', 'h', '\r', '\n'};
  uint32_t byte_order = 0x01020304;
  uint32_t version = 2;
  uint64_t chunk_triangles = 0;  // upper bound of a chunk's triangles
  uint64_t chunk_count = 0;
  uint64_t triangle_count = 0;
  uint64_t checksum = 0;
  std::array<uint64_t, 2> unused = {};
};
static_assert(sizeof(ManifestHeader) == 64);
static_assert(offsetof(ManifestHeader, checksum) == 40);

struct ManifestRow {
  ChunkRow row;
  uint64_t tree_checksum = 0;  // of the tree file's header and table
  uint64_t ids_checksum = 0;
};
static_assert(sizeof(ManifestRow) == 136);

struct ChunkManifest {
  uint64_t chunk_triangles = 0;
  std::vector<ManifestRow> rows;
};

// Requires at least one row.
std::string BytesOf(const ChunkManifest& manifest);

// Accepts any bytes. Returns an error, or a manifest with at least one row,
// whose counts add up, whose boxes are valid, and whose ids have no gaps.
// kInvalidArgument states the fault, its position and the remedy. `name` is the
// file's name in messages.
absl::StatusOr<ChunkManifest> ParseManifest(std::string_view bytes,
                                            std::string_view name);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_MANIFEST_H_
