// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunk_deviations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/bvh/large/internal/chunk_target.h"
#include "orbox/bvh/query/deviation/internal/deviation_field.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {
namespace {

// The triangles of a chunk of A, as FindDeviations reads them.
class ChunkSource {
 public:
  // Both arguments have to outlive this object.
  ChunkSource(const PosedChunk& chunk, const ChunkedTree& target)
      : chunk_(chunk), target_(target) {
    const Mesh& mesh = chunk.tree.tree().mesh();
    queries_.reserve(mesh.vertices().size());
    for (const Vec3& v : mesh.vertices()) {
      queries_.push_back(
          {chunk.tree.is_moved() ? chunk.tree.pose().Apply(v) : v});
    }
  }

  absl::Status MeasureCorners(const RunOptions& options,
                              std::function<void(double)> progress) {
    OneProcess alone(target_, options, std::move(progress));
    return alone.Closest(queries_, &near_);
  }

  size_t size() const { return chunk_.tree.tree().mesh().triangle_count(); }
  Triangle TriangleAt(size_t i) const {
    return chunk_.tree.triangle(static_cast<uint32_t>(i));
  }
  SampledCorners CornersOf(size_t i) const {
    SampledCorners corners;
    for (size_t k = 0; k < 3; ++k) {
      const uint32_t v = VertexOf(i, k);
      corners[k] = {queries_[v].point, near_[v]->distance, near_[v]->triangle};
    }
    return corners;
  }
  absl::Status Measure(size_t i, const Workers&, const Watch& watch,
                       DeviationWork work) const {
    RunOptions options;
    options.statistics = watch.statistics;
    options.cancelled = watch.cancelled;
    OneProcess alone(target_, options,
                     watch.progress != nullptr ? *watch.progress
                                               : std::function<void(double)>());
    ChunkTarget measured(alone);
    for (size_t k = 0; k < 3; ++k) {
      const NearTriangle& near = *near_[VertexOf(i, k)];
      measured.Remember(near.triangle, near.corners);
    }
    return work(measured);
  }
  absl::StatusOr<double> DistanceOf(const Tree& triangle, double at_most,
                                    const Watch& watch) const {
    const Aabb& bounds = triangle.mesh().bounds();
    std::vector<std::pair<double, size_t>> chunks;  // by gap
    const double most = AboveRounded(at_most);
    target_.levels().Visit(
        [&](const Aabb& box) { return GapOf(bounds, box) <= most; },
        [&](size_t c) {
          chunks.push_back({GapOf(bounds, target_.table()[c].box), c});
        });
    std::sort(chunks.begin(), chunks.end());
    double least = at_most;
    for (const auto& [gap, c] : chunks) {
      if (least == 0 || gap > AboveRounded(least)) break;
      const absl::StatusOr<Chunk> chunk = target_.Load(c);
      if (!chunk.ok()) return chunk.status();
      const auto witness = FindClosestPair(
          triangle, chunk->tree, {.max_distance = AboveRounded(least)}, watch);
      if (witness) least = std::min(least, witness->distance);
    }
    return least;
  }

 private:
  uint32_t VertexOf(size_t i, size_t k) const {
    return chunk_.tree.tree().mesh().triangles()[i][k];
  }

  const PosedChunk& chunk_;
  const ChunkedTree& target_;
  std::vector<DistanceQuery> queries_;  // at the vertices
  std::vector<DistanceChunkTraits::Answer> near_;
};

}  // namespace

ChunkDeviations::ChunkDeviations(const PosedChunkedTree& a,
                                 const ChunkedTree& target,
                                 const HausdorffLimits& limits,
                                 const RunOptions& options)
    : a_(a),
      target_(target),
      goal_(GoalOf(limits, target.bounds())),
      options_(options) {
  options_.progress = nullptr;
}

absl::Status ChunkDeviations::Find(size_t i,
                                   const std::function<void(double)>& progress,
                                   std::vector<GlobalDeviation>* found) const {
  const absl::StatusOr<PosedChunk> chunk = a_.Load(i);
  if (!chunk.ok()) return chunk.status();
  ChunkSource source(*chunk, target_);
  absl::Status status = source.MeasureCorners(
      options_, Between(0, kCornersOfDeviations, progress));
  if (!status.ok()) return status;
  RunOptions rest = options_;
  rest.progress = Between(kCornersOfDeviations, 1, progress);
  std::vector<TriangleDeviation> field(source.size());
  status = FindDeviations(source, goal_, rest, field);
  if (!status.ok()) return status;
  found->clear();
  found->reserve(field.size());
  for (size_t t = 0; t < field.size(); ++t) {
    found->push_back({field[t], chunk->ids[t]});
  }
  return absl::OkStatus();
}

}  // namespace orbox
