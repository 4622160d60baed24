// SPDX-License-Identifier: Apache-2.0

// Shared data of a ChunkedTree: the table, and the chunks that are mapped.
// Private.
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNKED_TREE_DATA_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNKED_TREE_DATA_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/bvh/large/internal/chunk_manifest.h"

namespace orbox {

class ChunkedTree::Data {
 public:
  Data(std::string path, const ChunkManifest& manifest, InputFile ids,
       const OpenChunkedOptions& options);
  // One chunk that stays in memory.
  explicit Data(Chunk chunk);
  // Chunks that `make` makes from another tree's chunks, with a table of their
  // own.
  using MakeChunk = std::function<absl::StatusOr<Chunk>(size_t i)>;
  Data(const Data& other, std::vector<ChunkRow> table, MakeChunk make);

  absl::StatusOr<Chunk> Load(size_t i);
  absl::Status Verify();

  size_t mapped_bytes() const;
  size_t peak_mapped_bytes() const;

 private:
  friend class ChunkedTree;

  struct Slot {
    std::optional<Chunk> chunk;
    uint64_t last_use = 0;
    bool is_verified = false;
  };

  size_t BytesOf(size_t i) const;
  absl::StatusOr<Chunk> Map(size_t i, TreeCheck check) const;
  // Checks that the manifest's row is that of the chunk.
  absl::Status Compare(size_t i, const Chunk& chunk) const;
  absl::Status VerifyIdsAreOnce();
  // Unmaps chunks until `bytes` more are within the budget. Requires the lock.
  void MakeRoom(size_t bytes);

  const std::string path_;
  const size_t memory_;
  const TreeCheck check_;
  uint64_t chunk_triangles_ = 0;
  uint64_t triangle_count_ = 0;
  uint64_t degenerate_count_ = 0;
  std::vector<ChunkRow> table_;
  struct Sums {
    uint64_t tree = 0;
    uint64_t ids = 0;
  };
  std::vector<Sums> sums_;
  const ChunkLevels levels_;
  std::optional<InputFile> ids_;
  const MakeChunk make_;  // instead of files

  static constexpr int kUnknownFaces = -1;
  std::atomic<int> faces_ = kUnknownFaces;  // of ChunkedTree::Faces

  mutable std::mutex mutex_;  // guards the members below
  std::vector<Slot> slots_;
  uint64_t uses_ = 0;
  size_t mapped_ = 0;
  size_t peak_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNKED_TREE_DATA_H_
