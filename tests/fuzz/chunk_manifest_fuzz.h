// SPDX-License-Identifier: Apache-2.0

// Laws of the reader of manifests (chunk_manifest.h), for any bytes. The fuzzer
// and the test of its corpus call it; a violation aborts.
#ifndef ORBOX_TESTS_FUZZ_CHUNK_MANIFEST_FUZZ_H_
#define ORBOX_TESTS_FUZZ_CHUNK_MANIFEST_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "orbox/bvh/large/internal/chunk_manifest.h"
#include "orbox/bvh/tree/internal/checksum.h"
#include "tests/fuzz/cost_per_byte.h"
#include "tests/fuzz/require.h"

namespace orbox {

// An error of one line, or a valid manifest. With `costs`, it is read in a time
// proportional to its bytes.
inline void FuzzParseManifest(std::string_view bytes,
                              CostPerByte* costs = nullptr) {
  const absl::StatusOr<ChunkManifest> manifest = CostPerByte::With(
      costs, bytes, [&] { return ParseManifest(bytes, "fuzz"); });
  if (!manifest.ok()) {
    Require(manifest.status().code() == absl::StatusCode::kInvalidArgument,
            "errors are kInvalidArgument");
    Require(manifest.status().message().substr(0, 6) == "fuzz: ",
            "errors begin with the name");
    return;
  }
  Require(!manifest->rows.empty(), "there is a chunk");
  uint64_t before = 0;
  for (const ManifestRow& row : manifest->rows) {
    Require(row.row.count > 0, "chunks have triangles");
    Require(row.row.first == before, "chunks follow each other");
    Require(IsValid(row.row.box), "boxes are valid");
    Require(row.row.highest_id - row.row.lowest_id >= row.row.count - 1,
            "ids suffice");
    before += row.row.count;
  }
  const absl::StatusOr<ChunkManifest> again =
      ParseManifest(BytesOf(*manifest), "again");
  Require(again.ok() && again->rows.size() == manifest->rows.size(),
          "what is read can be written");
}

// Reads it unchanged, and with a corrected checksum.
inline void FuzzChunkManifest(std::string_view bytes,
                              CostPerByte* costs = nullptr) {
  FuzzParseManifest(bytes, costs);
  if (bytes.size() < sizeof(ManifestHeader)) return;
  std::string sealed(bytes);
  char* const place = sealed.data() + offsetof(ManifestHeader, checksum);
  uint64_t checksum = 0;
  std::memcpy(place, &checksum, sizeof checksum);
  checksum =
      tree_internal::ChecksumOf(std::as_bytes(std::span<const char>(sealed)));
  std::memcpy(place, &checksum, sizeof checksum);
  FuzzParseManifest(sealed, costs);
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_CHUNK_MANIFEST_FUZZ_H_
