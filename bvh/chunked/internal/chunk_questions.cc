// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/internal/chunk_questions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "hwy/cache_control.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/internal/crossings.h"
#include "orbox/bvh/query/internal/hit_order.h"
#include "orbox/bvh/query/internal/nearest_search.h"
#include "orbox/bvh/query/internal/ray_search.h"
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
template <typename Near>
bool IsNearer(const Near& x, const Near& y) {
  return x.distance != y.distance ? x.distance < y.distance
                                  : x.triangle < y.triangle;
}

// Keeps the nearest triangle of each query.
class ClosestInChunk final : public NearestSink {
 public:
  using Answer = ClosestChunkQuestion::Answer;

  ClosestInChunk(const Chunk& chunk, std::span<Answer> answers)
      : chunk_(chunk), answers_(answers) {}

  double Take(uint32_t query, const SurfacePoint& near) override {
    Answer& answer = answers_[query];
    const GlobalSurfacePoint found = InChunk(chunk_, near);
    if (!answer || IsNearer(found, *answer)) answer = found;
    return answer->distance;
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

void SortHits(const Ray& ray, std::vector<ChunkHit>* hits) {
  HitOrder(ray, [](const ChunkHit& hit) { return hit.corners; }).Sort(hits);
}

// Joins ascending lists that lie one after another to one.
void JoinLists(std::vector<uint64_t>* values) {
  std::vector<size_t> ends;  // of the lists
  for (size_t i = 1; i < values->size(); ++i) {
    if ((*values)[i] < (*values)[i - 1]) ends.push_back(i);
  }
  ends.push_back(values->size());
  std::vector<uint64_t> joined(values->size());
  const auto at = [](std::vector<uint64_t>* list, size_t i) {
    return list->begin() + static_cast<ptrdiff_t>(i);
  };
  while (ends.size() > 1) {
    size_t begin = 0;
    size_t count = 0;
    for (size_t i = 0; i < ends.size(); i += 2) {
      const size_t middle = ends[i];
      const size_t end = i + 1 < ends.size() ? ends[i + 1] : middle;
      std::merge(at(values, begin), at(values, middle), at(values, middle),
                 at(values, end), at(&joined, begin));
      ends[count++] = end;
      begin = end;
    }
    ends.resize(count);
    values->swap(joined);
  }
}

}  // namespace

double ClosestChunkQuestion::Bound(const Answer& answer) const {
  // What is farther may round to the same distance, and have a lower id.
  return answer ? std::min(max_distance, AboveRounded(answer->distance))
                : max_distance;
}

double ClosestChunkQuestion::Reach(const Vec3& p, const ChunkRow& row) const {
  // Fewer than eight roundings; next to 0 squares may underflow.
  return SafeNorm(p - row.vertex) * (1 + 0x1p-49) + 0x1p-1000;
}

void ClosestChunkQuestion::Ask(const Chunk& chunk, std::span<const Vec3> points,
                               std::span<const uint32_t> which,
                               std::span<Answer> answers,
                               TraversalStatistics* statistics) const {
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
    const auto found =
        ClosestPoint(chunk.tree, points[i],
                     {.max_distance = bound, .statistics = statistics});
    if (found) Merge(points[i], InChunk(chunk, *found), &answers[i]);
  }
  ClosestInChunk sink(chunk, answers);
  SearchNearest(chunk.tree,
                {.points = points,
                 .order = near,
                 .max_distance = max_distance,
                 .bounds = bounds,
                 .is_rough = is_rough},
                sink, statistics);
}

void ClosestChunkQuestion::Merge(const Vec3&, const Answer& from,
                                 Answer* answer) const {
  if (from && (!*answer || IsNearer(*from, **answer))) *answer = from;
}

double DistanceChunkQuestion::Bound(const Answer& answer) const {
  return answer ? AboveRounded(answer->distance) : kInfinity;
}

double DistanceChunkQuestion::Reach(const Query& query,
                                    const ChunkRow& row) const {
  return ClosestChunkQuestion().Reach(query.point, row);
}

void DistanceChunkQuestion::Ask(const Chunk& chunk,
                                std::span<const Query> queries,
                                std::span<const uint32_t> which,
                                std::span<Answer> answers,
                                TraversalStatistics* statistics) const {
  // Stands for the triangle that is known already: no chunk has this id.
  constexpr uint64_t kNowhere = std::numeric_limits<uint64_t>::max();
  std::vector<Vec3> points;
  std::vector<ClosestChunkQuestion::Answer> closest;
  std::vector<uint32_t> all(which.size());
  points.reserve(which.size());
  closest.reserve(which.size());
  using Known = DistanceSample::Known;
  ClosestChunkQuestion question;
  question.space = space;
  question.is_rough = queries[which[0]].known == Known::kNearly;
  const Aabb& bounds = chunk.tree.mesh().bounds();
  const double reach = MaxCoordinate(Max(Abs(bounds.lo), Abs(bounds.hi)));
  for (const uint32_t i : which) {
    const Answer& known = answers[i];
    const Vec3& p = queries[i].point;
    points.push_back(p);
    double limit = queries[i].limit;
    // What is known nearly may be a little more.
    if (question.is_rough) {
      limit += 0x1p-40 * (limit + std::max(reach, MaxCoordinate(Abs(p))));
    }
    closest.push_back(
        known ? GlobalSurfacePoint{known->triangle, known->distance, {}}
              : GlobalSurfacePoint{kNowhere, limit, {}});
  }
  std::iota(all.begin(), all.end(), 0u);
  question.Ask(chunk, points, all, closest, statistics);
  for (size_t n = 0; n < which.size(); ++n) {
    Answer& answer = answers[which[n]];
    const uint64_t id = closest[n]->triangle;
    if (id == kNowhere || (answer && answer->triangle == id)) continue;
    const auto local =
        std::lower_bound(chunk.ids.begin(), chunk.ids.end(), id) -
        chunk.ids.begin();
    const bool is_rough =
        question.is_rough && !FarView::MayPay(space, points[n]);
    answer = {id, closest[n]->distance,
              is_rough ? Known::kNearly : Known::kExactly,
              chunk.tree.mesh().triangle(static_cast<uint32_t>(local))};
  }
}

void DistanceChunkQuestion::Merge(const Query&, const Answer& from,
                                  Answer* answer) const {
  if (from && (!*answer || IsNearer(*from, **answer))) *answer = from;
}

double NearestChunkQuestion::Bound(const Answer& answer) const {
  if (answer.size() < k) return max_distance;
  return std::min(max_distance, AboveRounded(answer.back().distance));
}

void NearestChunkQuestion::Ask(const Chunk& chunk, std::span<const Vec3> points,
                               std::span<const uint32_t> which,
                               std::span<Answer> answers,
                               TraversalStatistics* statistics) const {
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
                &found, counts, statistics);
  auto next = found.begin();
  for (size_t n = 0; n < which.size(); ++n) {
    const auto end = next + static_cast<ptrdiff_t>(counts[n]);
    Answer from;
    from.reserve(counts[n]);
    for (; next != end; ++next) from.push_back(InChunk(chunk, *next));
    Merge(points[which[n]], std::move(from), &answers[which[n]]);
  }
}

void NearestChunkQuestion::Merge(const Vec3&, Answer from,
                                 Answer* answer) const {
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

void OverlapChunkQuestion::Ask(const Chunk& chunk,
                               std::span<const Region> regions,
                               std::span<const uint32_t> which,
                               std::span<Answer> answers,
                               TraversalStatistics* statistics) const {
  const QueryOptions options{.statistics = statistics};
  if (mode == Mode::kAll)
    return AskAll(chunk, regions, which, answers, options);
  for (const uint32_t i : which) {
    Answer& answer = answers[i];
    if (mode == Mode::kAny) {
      answer.count |= AnyOverlap(chunk.tree, regions[i], options) ? 1 : 0;
    } else {
      answer.count += CountOverlaps(chunk.tree, regions[i], options);
    }
  }
}

void OverlapChunkQuestion::AskAll(const Chunk& chunk,
                                  std::span<const Region> regions,
                                  std::span<const uint32_t> which,
                                  std::span<Answer> answers,
                                  const QueryOptions& options) const {
  std::vector<uint32_t> found;
  std::vector<size_t> ends;
  ends.reserve(which.size());
  for (const uint32_t i : which) {
    AppendOverlaps(chunk.tree, regions[i], &found, IdOrder::kAscending,
                   options);
    ends.push_back(found.size());
  }
  const auto ids = std::make_shared<std::vector<uint64_t>>();
  ids->reserve(found.size());
  for (const uint32_t id : found) ids->push_back(chunk.ids[id]);
  size_t begin = 0;
  for (size_t n = 0; n < which.size(); ++n) {
    Answer from;
    from.count = ends[n] - begin;
    if (from.count != 0) from.ids = IdList(ids, begin, ends[n]);
    Merge(regions[which[n]], std::move(from), &answers[which[n]]);
    begin = ends[n];
  }
}

void OverlapChunkQuestion::Merge(const Region&, Answer from,
                                 Answer* answer) const {
  answer->count = mode == Mode::kAny ? answer->count | from.count
                                     : answer->count + from.count;
  if (from.ids.empty()) return;
  if (answer->ids.empty()) {
    answer->ids = std::move(from.ids);
    answer->is_one_list = from.is_one_list;
    return;
  }
  answer->is_one_list &=
      from.is_one_list && answer->ids.view().back() < from.ids.view().front();
  answer->ids.Append(from.ids.view());
}

void OverlapChunkQuestion::Finish(const Region&, Answer* answer) const {
  if (answer->is_one_list) return;
  std::vector<uint64_t> ids = answer->ids.Take();
  JoinLists(&ids);
  answer->ids = IdList(std::move(ids));
  answer->is_one_list = true;
}

double FirstHitChunkQuestion::Bound(const Answer& answer) const {
  // What is hit later may round to the same t.
  return answer ? std::min(max_distance, AboveRounded(answer->t))
                : max_distance;
}

void FirstHitChunkQuestion::Ask(const Chunk& chunk, std::span<const Ray> rays,
                                std::span<const uint32_t> which,
                                std::span<Answer> answers,
                                TraversalStatistics* statistics) const {
  const auto take = [&](uint32_t i, const std::optional<RayHit>& hit) {
    if (hit) Merge(rays[i], InChunk(chunk, *hit), &answers[i]);
  };
  if (statistics != nullptr) {
    for (const uint32_t i : which) {
      take(i, ClosestHit(chunk.tree, rays[i],
                         {.max_distance = Bound(answers[i]),
                          .statistics = statistics}));
    }
    return;
  }
  std::vector<Ray> asked;
  std::vector<uint32_t> order(which.size());
  std::vector<double> bounds;
  std::vector<std::optional<RayHit>> hits(which.size());
  asked.reserve(which.size());
  bounds.reserve(which.size());
  for (const uint32_t i : which) {
    asked.push_back(rays[i]);
    bounds.push_back(Bound(answers[i]));
  }
  std::iota(order.begin(), order.end(), 0u);
  FirstHits(chunk.tree, {.rays = asked, .order = order, .bounds = bounds},
            hits);
  // The mesh is elsewhere than what the search has read.
  constexpr size_t kAhead = 8;
  const Mesh& mesh = chunk.tree.mesh();
  for (size_t n = 0; n < which.size() + 2 * kAhead; ++n) {
    if (n < which.size() && hits[n]) {
      hwy::Prefetch(&mesh.triangles()[hits[n]->triangle]);
      hwy::Prefetch(&chunk.ids[hits[n]->triangle]);
      hwy::Prefetch(&answers[which[n]]);
    }
    if (n >= kAhead && n - kAhead < which.size() && hits[n - kAhead]) {
      for (const uint32_t v : mesh.triangles()[hits[n - kAhead]->triangle]) {
        hwy::Prefetch(&mesh.vertices()[v]);
      }
    }
    if (n >= 2 * kAhead) take(which[n - 2 * kAhead], hits[n - 2 * kAhead]);
  }
}

void FirstHitChunkQuestion::Merge(const Ray& ray, const Answer& from,
                                  Answer* answer) const {
  if (!from) return;
  if (!*answer || from->t < (*answer)->t) {
    *answer = from;
  } else if (from->t == (*answer)->t) {
    std::vector<ChunkHit> alike = {**answer, *from};
    SortHits(ray, &alike);
    *answer = alike.front();
  }
}

void HitChunkQuestion::Ask(const Chunk& chunk, std::span<const Ray> rays,
                           std::span<const uint32_t> which,
                           std::span<Answer> answers,
                           TraversalStatistics* statistics) const {
  const QueryOptions options{.max_distance = max_distance,
                             .statistics = statistics};
  for (const uint32_t i : which) {
    Answer& answer = answers[i];
    switch (mode) {
      case Mode::kAny:
        answer.count |= AnyHit(chunk.tree, rays[i], options) ? 1 : 0;
        break;
      case Mode::kCount:
        answer.count += CountHits(chunk.tree, rays[i], options);
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

void HitChunkQuestion::Merge(const Ray&, const Answer& from,
                             Answer* answer) const {
  answer->count = mode == Mode::kAny ? answer->count | from.count
                                     : answer->count + from.count;
  answer->hits.insert(answer->hits.end(), from.hits.begin(), from.hits.end());
}

void HitChunkQuestion::Finish(const Ray& ray, Answer* answer) const {
  if (answer->hits.size() > 1) SortHits(ray, &answer->hits);
}

void InsideChunkQuestion::Ask(const Chunk& chunk, std::span<const Vec3> points,
                              std::span<const uint32_t> which,
                              std::span<Answer> answers,
                              TraversalStatistics* statistics) const {
  for (const uint32_t i : which) {
    const Crossings found = CrossingsOfPart(chunk.tree, points[i], statistics);
    Merge(points[i], {found.winding, found.is_on_surface}, &answers[i]);
  }
}

void InsideChunkQuestion::Merge(const Vec3&, const Answer& from,
                                Answer* answer) const {
  answer->winding += from.winding;
  answer->is_on_surface |= from.is_on_surface;
}

}  // namespace orbox
