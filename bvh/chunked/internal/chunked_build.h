// SPDX-License-Identifier: Apache-2.0

// The steps of BuildChunked (build_chunked.h), for one process that writes all
// chunks, and for ranks that write a run of them each. Private.
//
//   ChunkedBuild build(files, "scan.orboxd", options);
//   absl::Status s = build.CheckOptions();
//   if (s.ok()) s = build.Begin();
//   if (s.ok()) {
//     s = build.WriteChunks({folder, folder, &ids}, 0, build.chunk_count());
//   }
//   if (s.ok()) s = build.WriteManifest(folder, build.rows());
//
// What is written depends on the files and the options alone, whoever writes
// which chunks.
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNKED_BUILD_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNKED_BUILD_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/scratch_file.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/chunked/build_chunked.h"
#include "orbox/bvh/chunked/internal/chunk_manifest.h"
#include "orbox/bvh/chunked/internal/triangle_sort.h"
#include "orbox/bvh/mesh/internal/triangle_stream.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class ORBOX_EXPORT ChunkedBuild {
 public:
  // All of them have to outlive this; `path` is for messages.
  ChunkedBuild(std::span<const std::string> files, const std::string& path,
               const BuildChunkedOptions& options);
  ~ChunkedBuild();
  ChunkedBuild(const ChunkedBuild&) = delete;
  ChunkedBuild& operator=(const ChunkedBuild&) = delete;

  absl::Status CheckOptions() const;
  // Opens the files and reads them once: how many triangles there are, and
  // where.
  absl::Status Begin();
  uint64_t triangle_count() const { return count_; }
  const Aabb& bounds() const { return bounds_; }
  size_t chunk_count() const;

  struct Place {
    std::string folder;
    std::string scratch;         // a folder that nobody else writes into
    ScratchFile* ids = nullptr;  // those of all chunks
  };
  // Sorts and writes chunks [first, last), in a second pass over the files, and
  // in a third one before it where these are not all. Once.
  absl::Status WriteChunks(const Place& place, size_t first, size_t last);
  // The rows of the chunks that were written.
  const std::vector<ManifestRow>& rows() const { return rows_; }

  // The end: `rows` are those of all chunks.
  absl::Status WriteManifest(const std::string& folder,
                             const std::vector<ManifestRow>& rows) const;

 private:
  // The work that one pass over all triangles does, of all the passes.
  struct Pass {
    double begin;
    double share;
  };
  // A run of the curve: the triangles to sort, and how many of these belong to
  // chunks before it.
  struct Run {
    uint64_t first_bucket = 0;
    uint64_t last_bucket = 0;
    uint64_t before = 0;
  };

  template <typename Take>
  absl::Status ForEachTriangle(const Pass& pass, Take take) const;
  // The run with the positions [begin, end) of the sorted triangles.
  absl::Status FindRun(uint64_t begin, uint64_t end, Run* run) const;
  // Builds and writes the next chunks, and forgets them.
  absl::Status Write(std::vector<std::vector<SortedTriangle>>* chunks);
  absl::Status WriteChunk(size_t chunk, std::vector<SortedTriangle>* triangles,
                          int threads);
  bool is_cancelled() const;
  absl::Status Cancelled() const;
  void Report(double share) const;

  const std::span<const std::string> files_;
  const std::string& path_;
  const BuildChunkedOptions& options_;
  const Workers workers_;
  std::vector<mesh_internal::TriangleStream> streams_;
  uint64_t count_ = 0;
  Aabb bounds_;
  Place place_;
  size_t first_ = 0;  // of the chunks that are written here
  size_t last_ = 0;
  std::vector<ManifestRow> rows_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNKED_BUILD_H_
