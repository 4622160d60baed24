// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunked_winding_number.h"

#include <cstddef>
#include <limits>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/large/internal/winding_chunks.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/query/inside/internal/winding_moments.h"
#include "orbox/bvh/query/inside/internal/winding_sum.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {

struct ChunkedWindingNumberField::Data {
  explicit Data(const ChunkedTree& of) : tree(of), moments(of) {}

  ChunkedTree tree;
  ChunkMoments moments;
};

namespace {

constexpr char kNoMemoryForNumbers[] = "for winding numbers; request fewer";
// Points per task.
constexpr size_t kTaskOfNearPoints = 64;

// One batch of queries, chunk by chunk.
class WindingOfChunks {
 public:
  WindingOfChunks(const ChunkedTree& tree, const ChunkMoments& chunks,
                  std::span<const Vec3> points, const Execution& run)
      : tree_(tree),
        chunks_(chunks),
        points_(points),
        run_(run),
        runner_(run, 1) {}

  // Sets numbers[i], for each i in `which`, within `max_error`.
  absl::Status Find(std::span<const uint32_t> which, double max_error,
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

 private:
  absl::Status RunTask(std::span<const NearChunk> near,
                       std::span<double> numbers) {
    const absl::StatusOr<Chunk> chunk = tree_.Load(near[0].chunk);
    if (!chunk.ok()) return chunk.status();
    const WindingMoments moments =
        WindingMomentsOf(chunk->tree, runner_.workers());
    runner_.For(
        near.size(), TaskRunner::GrainOf(near.size(), 1, kTaskOfNearPoints),
        [&](size_t begin, size_t end, const Watch& watch) {
          const QueryOptions options = watch.Alone();
          const Execution alone(options);
          for (size_t n = begin; n < end; ++n) {
            numbers[near[n].point] += WindingNumberAt(
                moments, points_[near[n].point], near[n].max_error, alone);
          }
        },
        /*worth=*/0);
    return absl::OkStatus();
  }

  const ChunkedTree& tree_;
  const ChunkMoments& chunks_;
  const std::span<const Vec3> points_;
  const Execution& run_;
  TaskRunner runner_;
};

absl::Status CheckPoints(const Execution& run, std::span<const Vec3> points) {
  if (absl::Status s = run.Check(); !s.ok()) return s;
  if (points.size() > std::numeric_limits<uint32_t>::max()) {
    return absl::InvalidArgumentError(
        "more than 2^32 - 1 points in a batch; use smaller batches");
  }
  return CheckQueries(points);
}

}  // namespace

absl::StatusOr<ChunkedWindingNumberField> ChunkedWindingNumberField::Of(
    const ChunkedTree& tree) {
  const auto make = [&]() -> absl::StatusOr<ChunkedWindingNumberField> {
    auto data = std::make_shared<Data>(tree);
    const absl::Status status =
        data->moments.Put(tree, 0, tree.table().size(), Workers(1));
    if (!status.ok()) return status;
    return ChunkedWindingNumberField(std::move(data));
  };
  return GuardMemory(kNoMemoryForNumbers, make);
}

absl::StatusOr<std::vector<double>> ChunkedWindingNumberField::At(
    std::span<const Vec3> points, const WindingOptions& options) const {
  const Execution run(options);
  if (absl::Status s = CheckPoints(run, points); !s.ok()) return s;
  const auto find = [&]() -> absl::StatusOr<std::vector<double>> {
    Progress progress(options.progress, 1);
    std::vector<double> numbers(points.size(),
                                std::numeric_limits<double>::quiet_NaN());
    const absl::Status status =
        WindingOfChunks(data_->tree, data_->moments, points, run)
            .Find(FiniteOnes(points), options.max_error, numbers);
    if (!status.ok()) return status;
    progress.Finish();
    return numbers;
  };
  return GuardMemory(kNoMemoryForNumbers, find);
}

absl::StatusOr<std::vector<uint8_t>> ChunkedWindingNumberField::IsInside(
    std::span<const Vec3> points, const QueryOptions& options) const {
  const Execution run(options);
  if (absl::Status s = CheckPoints(run, points); !s.ok()) return s;
  const auto find = [&]() -> absl::StatusOr<std::vector<uint8_t>> {
    Progress progress(options.progress, 1);
    WindingOfChunks winding(data_->tree, data_->moments, points, run);
    InsideByWinding inside(points);
    // Most points are far from 1/2, so that a large error suffices for them.
    for (const double max_error : InsideByWinding::kErrors) {
      const absl::Status status =
          winding.Find(inside.undecided(), max_error, inside.numbers());
      if (!status.ok()) return status;
      inside.Settle(max_error);
      if (inside.undecided().empty()) break;
    }
    progress.Finish();
    return inside.Result();
  };
  return GuardMemory(kNoMemoryForNumbers, find);
}

absl::StatusOr<double> ChunkedWindingNumberField::At(
    const Vec3& p, const WindingOptions& options) const {
  return OnlyOne(At(std::span(&p, 1), options));
}

absl::StatusOr<bool> ChunkedWindingNumberField::IsInside(
    const Vec3& p, const QueryOptions& options) const {
  return OnlyOne(IsInside(std::span(&p, 1), options));
}

const ChunkedTree& ChunkedWindingNumberField::tree() const {
  return data_->tree;
}

}  // namespace orbox
