// SPDX-License-Identifier: Apache-2.0

// Queries for closest points, distances and nearest triangles.
#include "orbox/bvh/large/internal/chunk_traits.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/far_view.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {
namespace {

GlobalSurfacePoint InChunk(const Chunk& chunk, const SurfacePoint& near) {
  return {chunk.ids[near.triangle], near.distance, near.point};
}

// Keeps the nearest triangle of each query.
class ClosestInChunk final : public NearestSink {
 public:
  using Answer = ClosestChunkTraits::Answer;

  ClosestInChunk(const Chunk& chunk, std::span<Answer> answers)
      : chunk_(chunk), answers_(answers) {}

  double Offer(uint32_t query, const SurfacePoint& near) override {
    Answer& answer = answers_[query];
    const GlobalSurfacePoint found = InChunk(chunk_, near);
    if (!answer || IsNearer(found, *answer)) answer = found;
    return answer->distance;
  }

 private:
  const Chunk& chunk_;
  const std::span<Answer> answers_;
};

}  // namespace

double ClosestChunkTraits::Bound(const Answer& answer) const {
  // A larger distance may round to this one, at a triangle with a lower id.
  return answer ? std::min(max_distance, AboveRounded(answer->distance))
                : max_distance;
}

double ClosestChunkTraits::Reach(const Vec3& p, const ChunkRow& row) const {
  // Fewer than eight roundings; near 0, squares may underflow.
  return SafeNorm(p - row.vertex) * (1 + 0x1p-49) + 0x1p-1000;
}

void ClosestChunkTraits::Run(const Chunk& chunk, std::span<const Vec3> points,
                             std::span<const uint32_t> which,
                             std::span<Answer> answers,
                             const Watch& watch) const {
  std::vector<uint32_t> near;
  std::vector<double> bounds;
  near.reserve(which.size());
  bounds.reserve(which.size());
  for (const uint32_t i : which) {
    const double bound = Bound(answers[i]);
    if (!FarView::MayPay(space, points[i])) {
      near.push_back(i);
      bounds.push_back(bound);
      continue;
    }
    const auto found = FindClosest(chunk.tree, points[i], bound, watch);
    if (found) Merge(points[i], InChunk(chunk, *found), &answers[i]);
  }
  ClosestInChunk sink(chunk, answers);
  SearchNearest(chunk.tree,
                {.points = points,
                 .order = near,
                 .max_distance = max_distance,
                 .bounds = bounds,
                 .is_rough = is_rough},
                sink, watch);
}

void ClosestChunkTraits::Merge(const Vec3&, const Answer& from,
                               Answer* answer) const {
  if (from && (!*answer || IsNearer(*from, **answer))) *answer = from;
}

double DistanceChunkTraits::Bound(const Answer& answer) const {
  return answer ? AboveRounded(answer->distance) : kInfinity;
}

double DistanceChunkTraits::Reach(const Query& query,
                                  const ChunkRow& row) const {
  return ClosestChunkTraits().Reach(query.point, row);
}

void DistanceChunkTraits::Run(const Chunk& chunk,
                              std::span<const Query> queries,
                              std::span<const uint32_t> which,
                              std::span<Answer> answers,
                              const Watch& watch) const {
  // Id of the triangle that is already known: no chunk has this id.
  constexpr uint64_t kNowhere = std::numeric_limits<uint64_t>::max();
  std::vector<Vec3> points;
  std::vector<ClosestChunkTraits::Answer> closest;
  std::vector<uint32_t> all(which.size());
  points.reserve(which.size());
  closest.reserve(which.size());
  using Known = DistanceSample::Known;
  ClosestChunkTraits traits;
  traits.space = space;
  traits.is_rough = queries[which[0]].known == Known::kNearly;
  const Aabb& bounds = chunk.tree.mesh().bounds();
  const double reach = MagnitudeOf(bounds);
  for (const uint32_t i : which) {
    const Answer& known = answers[i];
    const Vec3& p = queries[i].point;
    points.push_back(p);
    double limit = queries[i].limit;
    // An approximate distance may be a little above the exact one.
    if (traits.is_rough) {
      limit += 0x1p-40 * (limit + std::max(reach, MaxCoordinate(Abs(p))));
    }
    closest.push_back(
        known ? GlobalSurfacePoint{known->triangle, known->distance, {}}
              : GlobalSurfacePoint{kNowhere, limit, {}});
  }
  std::iota(all.begin(), all.end(), 0u);
  traits.Run(chunk, points, all, closest, watch);
  for (size_t n = 0; n < which.size(); ++n) {
    Answer& answer = answers[which[n]];
    const uint64_t id = closest[n]->triangle;
    if (id == kNowhere || (answer && answer->triangle == id)) continue;
    const auto local =
        std::lower_bound(chunk.ids.begin(), chunk.ids.end(), id) -
        chunk.ids.begin();
    const bool is_rough = traits.is_rough && !FarView::MayPay(space, points[n]);
    answer = {id, closest[n]->distance,
              is_rough ? Known::kNearly : Known::kExactly,
              chunk.tree.mesh().triangle(static_cast<uint32_t>(local))};
  }
}

void DistanceChunkTraits::Merge(const Query&, const Answer& from,
                                Answer* answer) const {
  if (from && (!*answer || IsNearer(*from, **answer))) *answer = from;
}

double NearestChunkTraits::Bound(const Answer& answer) const {
  if (k == 0) return -1;  // no chunk is near enough
  if (answer.size() < k) return max_distance;
  return std::min(max_distance, AboveRounded(answer.back().distance));
}

void NearestChunkTraits::Run(const Chunk& chunk, std::span<const Vec3> points,
                             std::span<const uint32_t> which,
                             std::span<Answer> answers,
                             const Watch& watch) const {
  std::vector<double> bounds;
  bounds.reserve(which.size());
  for (const uint32_t i : which) bounds.push_back(Bound(answers[i]));
  std::vector<SurfacePoint> found;
  std::vector<size_t> counts(which.size());
  AppendNearest(chunk.tree,
                {.points = points,
                 .order = which,
                 .max_distance = max_distance,
                 .bounds = bounds,
                 .wanted = k},
                &found, counts, watch);
  auto next = found.begin();
  for (size_t n = 0; n < which.size(); ++n) {
    const auto end = next + static_cast<ptrdiff_t>(counts[n]);
    Answer from;
    from.reserve(counts[n]);
    for (; next != end; ++next) from.push_back(InChunk(chunk, *next));
    Merge(points[which[n]], std::move(from), &answers[which[n]]);
  }
}

void NearestChunkTraits::Merge(const Vec3&, Answer from, Answer* answer) const {
  if (from.empty()) return;
  if (answer->empty()) {
    *answer = std::move(from);
    return;
  }
  Answer merged;
  merged.reserve(from.size() + answer->size());
  std::merge(from.begin(), from.end(), answer->begin(), answer->end(),
             std::back_inserter(merged), IsNearer<GlobalSurfacePoint>);
  if (merged.size() > k) merged.resize(k);
  *answer = std::move(merged);
}

}  // namespace orbox
