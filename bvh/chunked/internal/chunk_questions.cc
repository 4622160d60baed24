// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/internal/chunk_questions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "orbox/bvh/chunked/internal/box_reach.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/internal/box_gap.h"
#include "orbox/bvh/query/internal/crossings.h"
#include "orbox/bvh/query/internal/hit_order.h"
#include "orbox/bvh/query/internal/nearest_search.h"
#include "orbox/bvh/query/k_nearest.h"
#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/query/region_overlap.h"
#include "orbox/bvh/traverse/internal/far_view.h"
#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {
namespace {

GlobalSurfacePoint InChunk(const Chunk& chunk, const SurfacePoint& near) {
  return {chunk.ids[near.triangle], near.distance, near.point};
}

// Nearest first, and at equal distance the lowest id.
bool IsNearer(const GlobalSurfacePoint& x, const GlobalSurfacePoint& y) {
  return x.distance != y.distance ? x.distance < y.distance
                                  : x.triangle < y.triangle;
}

// Keeps the nearest triangle of each query.
class NearestInChunk final : public NearestSink {
 public:
  using Answer = NearestChunkQuestion::Answer;

  NearestInChunk(const Chunk& chunk, std::span<Answer> answers)
      : chunk_(chunk), answers_(answers) {}

  double Take(uint32_t query, const SurfacePoint& near) override {
    Answer& answer = answers_[query];
    const GlobalSurfacePoint found = InChunk(chunk_, near);
    if (answer.empty()) {
      answer.push_back(found);
    } else if (IsNearer(found, answer.front())) {
      answer.front() = found;
    }
    return answer.front().distance;
  }

 private:
  const Chunk& chunk_;
  const std::span<Answer> answers_;
};

ChunkHit InChunk(const Chunk& chunk, const RayHit& hit) {
  ChunkHit found;
  found.triangle = chunk.ids[hit.triangle];
  found.t = hit.t;
  found.barycentric = hit.barycentric;
  found.point = hit.point;
  found.corners = chunk.tree.mesh().triangle(hit.triangle);
  return found;
}

}  // namespace

double NearestChunkQuestion::Bound(const Answer& answer) const {
  if (answer.size() < k) return max_distance;
  // What is farther may round to the same distance, and have a lower id.
  return std::min(max_distance, AboveRounded(answer.back().distance));
}

double NearestChunkQuestion::Gap(const Vec3& p, const Aabb& box) const {
  return IsFinite(p) ? GapOf({p, p}, box) : kInfinity;
}

double NearestChunkQuestion::Reach(const Vec3& p, const ChunkRow& row) const {
  if (k != 1) return kInfinity;
  // Fewer than eight roundings; next to 0 squares may underflow.
  return SafeNorm(p - row.vertex) * (1 + 0x1p-49) + 0x1p-1000;
}

void NearestChunkQuestion::Ask(const Chunk& chunk, std::span<const Vec3> points,
                               std::span<const uint32_t> which,
                               std::span<Answer> answers,
                               TraversalStatistics* statistics) const {
  // Those that have no bound of their own are searched for several at a time.
  std::vector<uint32_t> together;
  NearestInChunk sink(chunk, answers);
  for (const uint32_t i : which) {
    Answer& answer = answers[i];
    const double bound = Bound(answer);
    if (k == 1 && FarView::MayPay(space, points[i])) {
      const auto near =
          ClosestPoint(chunk.tree, points[i],
                       {.max_distance = bound, .statistics = statistics});
      if (near) Merge({InChunk(chunk, *near)}, &answer);
      continue;
    }
    if (k == 1 && answer.empty()) {
      together.push_back(i);
      continue;
    }
    if (k == 1) {
      SearchNearest(chunk.tree,
                    {.points = points, .order = {&i, 1}, .max_distance = bound},
                    sink, statistics);
      continue;
    }
    Answer found;
    for (const SurfacePoint& near :
         KNearest(chunk.tree, points[i], k,
                  {.max_distance = bound, .statistics = statistics})) {
      found.push_back(InChunk(chunk, near));
    }
    Merge(std::move(found), &answer);
  }
  if (together.empty()) return;
  SearchNearest(
      chunk.tree,
      {.points = points, .order = together, .max_distance = max_distance}, sink,
      statistics);
}

void NearestChunkQuestion::Merge(Answer from, Answer* answer) const {
  if (from.empty()) return;
  if (answer->empty()) {
    *answer = std::move(from);
    return;
  }
  Answer merged;
  merged.reserve(from.size() + answer->size());
  std::merge(from.begin(), from.end(), answer->begin(), answer->end(),
             std::back_inserter(merged), IsNearer);
  if (merged.size() > k) merged.resize(k);
  *answer = std::move(merged);
}

double OverlapChunkQuestion::Gap(const Region& region, const Aabb& box) const {
  return MayOverlap(region, box) ? 0 : kInfinity;
}

void OverlapChunkQuestion::Ask(const Chunk& chunk,
                               std::span<const Region> regions,
                               std::span<const uint32_t> which,
                               std::span<Answer> answers,
                               TraversalStatistics* statistics) const {
  const QueryOptions options{.statistics = statistics};
  std::vector<uint32_t> ids;
  for (const uint32_t i : which) {
    Answer& answer = answers[i];
    switch (mode) {
      case Mode::kAny:
        answer.count |= AnyOverlap(chunk.tree, regions[i], options) ? 1 : 0;
        break;
      case Mode::kCount:
        answer.count += CountOverlaps(chunk.tree, regions[i], options);
        break;
      case Mode::kAll:
        ids.clear();
        AppendOverlaps(chunk.tree, regions[i], &ids, IdOrder::kOfTree, options);
        for (const uint32_t id : ids) answer.ids.push_back(chunk.ids[id]);
        answer.count += ids.size();
    }
  }
}

void OverlapChunkQuestion::Merge(Answer from, Answer* answer) const {
  answer->count = mode == Mode::kAny ? answer->count | from.count
                                     : answer->count + from.count;
  answer->ids.insert(answer->ids.end(), from.ids.begin(), from.ids.end());
}

void OverlapChunkQuestion::Finish(const Region&, Answer* answer) const {
  std::sort(answer->ids.begin(), answer->ids.end());
}

double HitChunkQuestion::Bound(const Answer& answer) const {
  if (mode != Mode::kFirst || answer.hits.empty()) return max_distance;
  // What is hit later may round to the same t.
  return std::min(max_distance, AboveRounded(answer.hits.front().t));
}

double HitChunkQuestion::Gap(const Ray& ray, const Aabb& box) const {
  return EntryInto(box, ray);
}

void HitChunkQuestion::Ask(const Chunk& chunk, std::span<const Ray> rays,
                           std::span<const uint32_t> which,
                           std::span<Answer> answers,
                           TraversalStatistics* statistics) const {
  for (const uint32_t i : which) {
    Answer& answer = answers[i];
    answer.ray = rays[i];
    const QueryOptions options{.max_distance = Bound(answer),
                               .statistics = statistics};
    switch (mode) {
      case Mode::kAny:
        answer.count |= AnyHit(chunk.tree, rays[i], options) ? 1 : 0;
        break;
      case Mode::kCount:
        answer.count += CountHits(chunk.tree, rays[i], options);
        break;
      case Mode::kFirst:
        if (const auto hit = ClosestHit(chunk.tree, rays[i], options)) {
          Merge({rays[i], 1, {InChunk(chunk, *hit)}}, &answer);
        }
        break;
      case Mode::kAll:
        VisitHits(
            chunk.tree, rays[i],
            [&](const RayHit& hit) {
              answer.hits.push_back(InChunk(chunk, hit));
              return Visit::kContinue;
            },
            options);
        answer.count = answer.hits.size();
    }
  }
}

void HitChunkQuestion::Merge(Answer from, Answer* answer) const {
  answer->count = mode == Mode::kAny ? answer->count | from.count
                                     : answer->count + from.count;
  if (from.hits.empty()) return;
  answer->ray = from.ray;
  answer->hits.insert(answer->hits.end(), from.hits.begin(), from.hits.end());
  if (mode != Mode::kFirst) return;
  Finish(from.ray, answer);
  answer->hits.resize(1);
  answer->count = 1;
}

void HitChunkQuestion::Finish(const Ray& ray, Answer* answer) const {
  if (answer->hits.size() < 2) return;
  HitOrder(ray, [](const ChunkHit& hit) {
    return hit.corners;
  }).Sort(&answer->hits);
}

double InsideChunkQuestion::Gap(const Vec3& p, const Aabb& box) const {
  if (Max(p, bounds.lo) != p || Min(p, bounds.hi) != p) return kInfinity;
  const bool is_before = p.x <= box.hi.x && box.lo.y <= p.y &&
                         p.y <= box.hi.y && box.lo.z <= p.z && p.z <= box.hi.z;
  return is_before ? 0 : kInfinity;
}

void InsideChunkQuestion::Ask(const Chunk& chunk, std::span<const Vec3> points,
                              std::span<const uint32_t> which,
                              std::span<Answer> answers,
                              TraversalStatistics* statistics) const {
  for (const uint32_t i : which) {
    const Crossings found = CrossingsOfPart(chunk.tree, points[i], statistics);
    Merge({found.winding, found.is_on_surface}, &answers[i]);
  }
}

void InsideChunkQuestion::Merge(Answer from, Answer* answer) const {
  answer->winding += from.winding;
  answer->is_on_surface |= from.is_on_surface;
}

}  // namespace orbox
