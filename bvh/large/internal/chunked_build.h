// SPDX-License-Identifier: Apache-2.0

// Steps of BuildChunked (build_chunked.h) after reading, for one process that
// writes all chunks, and for ranks that write a run of them each. Private.
//
//   ChunkedBuild build(path, options);
//   absl::Status s = build.CheckOptions(files);
//   if (s.ok()) s = build.SetTriangles(count, bounds, files);
//   if (s.ok()) {
//     build.Count(triangle);                // each
//     build.Plan();
//     build.Begin({folder, folder}, 0, build.plan().chunk_count());
//     s = build.Add(id, triangle);          // each
//   }
//   if (s.ok()) s = build.WriteChunks(&ids);
//   if (s.ok()) s = build.WriteManifest(folder, build.rows());
//
// The bytes depend only on the triangles and the options, not on which process
// writes which chunks.
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNKED_BUILD_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNKED_BUILD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/internal/chunk_manifest.h"
#include "orbox/bvh/large/internal/chunk_plan.h"
#include "orbox/bvh/large/internal/triangle_sort.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class ORBOX_EXPORT ChunkedBuild {
 public:
  // Both arguments have to outlive this object; `path` is for messages.
  ChunkedBuild(const std::string& path, const BuildChunkedOptions& options);
  ~ChunkedBuild();
  ChunkedBuild(const ChunkedBuild&) = delete;
  ChunkedBuild& operator=(const ChunkedBuild&) = delete;

  absl::Status CheckOptions(std::span<const std::string> files) const;
  // Returns kCancelled if `cancelled` of the options is true.
  absl::Status CheckCancelled() const;

  // Sets the number and the bounds of the triangles of all files. An error if
  // there are none, or more than there are ids.
  absl::Status SetTriangles(uint64_t count, const Aabb& bounds,
                            std::span<const std::string> files);

  // Counts a triangle in its cell. Call it for each triangle, before Plan.
  void Count(const Triangle& triangle) { ++counts_[grid_->CellOf(triangle)]; }
  // For ranks, which sum up their counts.
  std::span<uint64_t> counts() { return counts_; }
  // Divides the triangles into chunks.
  void Plan();
  const ChunkPlan& plan() const { return *plan_; }

  struct Place {
    std::string folder;
    std::string scratch;  // a folder that no other process writes into
  };
  // Sets the chunks that are written here, [first, last). Then Add has to be
  // called for all triangles that the plan has in a group of one of them.
  void Begin(const Place& place, size_t first, size_t last);
  // Adds a triangle. In any order.
  absl::Status Add(uint64_t id, const Triangle& triangle);
  // Sorts the triangles and writes the chunks. `ids` is the file of all chunks.
  absl::Status WriteChunks(ScratchFile* ids);
  // The rows of the chunks that were written.
  const std::vector<ManifestRow>& rows() const { return rows_; }

  // The last step. `rows` are those of all chunks.
  absl::Status WriteManifest(const std::string& folder,
                             const std::vector<ManifestRow>& rows) const;

  // Shares of the steps, in proportion to their time. `progress` of the options
  // is called with the sum.
  static constexpr double kShareOfReading = 0.1;
  static constexpr double kShareOfSort = 0.2;
  void Report(double share) const;

 private:
  // Builds and writes the next chunks, and frees their triangles.
  absl::Status Write(std::vector<std::vector<SortedTriangle>>* chunks);
  absl::Status WriteChunk(size_t chunk, std::vector<SortedTriangle>* triangles,
                          int threads);

  const std::string& path_;
  const BuildChunkedOptions& options_;
  const Workers workers_;
  uint64_t count_ = 0;
  std::optional<ChunkGrid> grid_;
  std::vector<uint64_t> counts_;
  std::optional<ChunkPlan> plan_;
  Place place_;
  size_t first_ = 0;  // first of the chunks that are written here
  size_t last_ = 0;
  ScratchFile* ids_ = nullptr;
  std::optional<TriangleSort> sort_;
  std::vector<ManifestRow> rows_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNKED_BUILD_H_
