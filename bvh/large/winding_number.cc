// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/winding_number.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/large/internal/winding_chunks.h"
#include "orbox/bvh/large/internal/winding_number-inl.h"
#include "orbox/bvh/query/inside/internal/winding_moments.h"
#include "orbox/bvh/query/inside/internal/winding_sum.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

namespace {

// Number of points in a task.
constexpr size_t kTaskOfNearPoints = 64;

}  // namespace

// Computes a batch chunk by chunk.
template <>
class WindingBatch<ChunkedTree> {
 public:
  WindingBatch(const ChunkedTree& tree, const ChunkMoments& chunks,
               std::span<const Vec3> points, const QueryOptions& options)
      : tree_(tree),
        chunks_(chunks),
        points_(points),
        progress_(options.progress, 1),
        run_(options),
        runner_(run_, 1) {}

  absl::Status Find(std::span<const uint32_t> which, double max_error,
                    std::span<double> numbers) {
    return GuardMemory(kNoMemoryForWindings,
                       [&] { return FindAll(which, max_error, numbers); });
  }
  absl::Status Any(bool*) const { return absl::OkStatus(); }
  absl::Status Finish() {
    progress_.Finish();
    return absl::OkStatus();
  }

 private:
  absl::Status FindAll(std::span<const uint32_t> which, double max_error,
                       std::span<double> numbers) {
    std::vector<NearChunk> near;
    chunks_.Look(points_, which, max_error, runner_.workers(), numbers, &near);
    SortWatched(
        near.begin(), near.end(),
        [](const NearChunk& x, const NearChunk& y) {
          return x.chunk != y.chunk ? x.chunk < y.chunk : x.point < y.point;
        },
        run_);
    for (size_t begin = 0; begin < near.size();) {
      size_t end = begin;
      while (end < near.size() && near[end].chunk == near[begin].chunk) ++end;
      const absl::Status status =
          RunTask(std::span(near).subspan(begin, end - begin), numbers);
      if (!status.ok()) return status;
      begin = end;
    }
    return absl::OkStatus();
  }

  absl::Status RunTask(std::span<const NearChunk> near,
                       std::span<double> numbers) {
    const absl::StatusOr<Chunk> chunk = tree_.Load(near[0].chunk);
    if (!chunk.ok()) return chunk.status();
    const WindingMoments moments =
        WindingMomentsOf(chunk->tree, runner_.workers());
    runner_.For(
        near.size(), TaskRunner::GrainOf(near.size(), 1, kTaskOfNearPoints),
        [&](size_t begin, size_t end, const Watch& watch) {
          for (size_t n = begin; n < end; ++n) {
            numbers[near[n].point] += WindingNumberAt(
                moments, points_[near[n].point], near[n].max_error, watch);
          }
        },
        /*worth=*/0);
    return absl::OkStatus();
  }

  const ChunkedTree& tree_;
  const ChunkMoments& chunks_;
  const std::span<const Vec3> points_;
  Progress progress_;
  const Execution run_;
  TaskRunner runner_;
};

inline absl::Status CheckWinding(const ChunkedTree&, const char*, double,
                                 std::span<const Vec3> points,
                                 const QueryOptions& options) {
  if (absl::Status s = Execution(options).Check(); !s.ok()) return s;
  if (points.size() > std::numeric_limits<uint32_t>::max()) {
    return absl::InvalidArgumentError(
        "more than 2^32 - 1 points in a batch; use smaller batches");
  }
  return CheckQueries(points);
}

inline absl::Status FillMoments(const ChunkedTree& tree,
                                const QueryOptions& options,
                                ChunkMoments* moments) {
  return GuardMemory(kNoMemoryForWindings, [&] {
    const Workers workers(1, PollOf(Execution(options)));
    return moments->Put(tree, 0, tree.table().size(), workers);
  });
}

template class LargeWindingNumberField<ChunkedTree>;

}  // namespace orbox
