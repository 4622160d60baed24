// SPDX-License-Identifier: Apache-2.0

// Queries for the hits of rays, and for inside or outside, which a ray decides.
#include "orbox/bvh/large/internal/chunk_traits.h"

#include <algorithm>
#include <numeric>

#include "hwy/cache_control.h"
#include "orbox/bvh/query/inside/internal/crossings.h"
#include "orbox/bvh/query/rays/internal/hit_order.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {
namespace {

ChunkHit InChunk(const Chunk& chunk, const RayHit& hit) {
  ChunkHit found;
  found.triangle = chunk.ids[hit.triangle];
  found.t = hit.t;
  found.barycentric = hit.barycentric;
  found.point = hit.point;
  found.corners = chunk.tree.mesh().triangle(hit.triangle);
  return found;
}

// Returns the ray with the local id of the triangle that it skips.
Ray InChunk(const Chunk& chunk, const Ray& ray) {
  if (ray.skip == Ray::kSkipNothing) return ray;
  Ray local = ray;
  // Local ids ascend with global ones.
  const auto at =
      std::lower_bound(chunk.ids.begin(), chunk.ids.end(), ray.skip);
  local.skip = at != chunk.ids.end() && *at == ray.skip
                   ? static_cast<uint64_t>(at - chunk.ids.begin())
                   : Ray::kSkipNothing;
  return local;
}

void SortHits(const Ray& ray, std::vector<ChunkHit>* hits) {
  HitOrder(ray, [](const ChunkHit& hit) { return hit.corners; }).Sort(hits);
}

}  // namespace

double FirstHitChunkTraits::Bound(const Answer& answer) const {
  // A later hit may round to this t.
  return answer ? std::min(max_distance, AboveRounded(answer->t))
                : max_distance;
}

void FirstHitChunkTraits::Run(const Chunk& chunk, std::span<const Ray> rays,
                              std::span<const uint32_t> which,
                              std::span<Answer> answers,
                              const Watch& watch) const {
  const auto take = [&](uint32_t i, const std::optional<RayHit>& hit) {
    if (hit) Merge(rays[i], InChunk(chunk, *hit), &answers[i]);
  };
  if (watch.statistics != nullptr) {
    for (const uint32_t i : which) {
      take(i, FirstHit(chunk.tree, InChunk(chunk, rays[i]), Bound(answers[i]),
                       watch));
    }
    return;
  }
  std::vector<Ray> queries;
  std::vector<uint32_t> order(which.size());
  std::vector<double> bounds;
  std::vector<std::optional<RayHit>> hits(which.size());
  queries.reserve(which.size());
  bounds.reserve(which.size());
  for (const uint32_t i : which) {
    queries.push_back(InChunk(chunk, rays[i]));
    bounds.push_back(Bound(answers[i]));
  }
  std::iota(order.begin(), order.end(), 0u);
  FirstHits(chunk.tree, {.rays = queries, .order = order, .bounds = bounds},
            hits, watch);
  // The mesh is not in the memory that the search has read.
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

void FirstHitChunkTraits::Merge(const Ray& ray, const Answer& from,
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

void HitChunkTraits::Run(const Chunk& chunk, std::span<const Ray> rays,
                         std::span<const uint32_t> which,
                         std::span<Answer> answers, const Watch& watch) const {
  const HitSearch<Ray> search(watch, max_distance);
  for (const uint32_t i : which) {
    Answer& answer = answers[i];
    switch (mode) {
      case Mode::kAny:
        answer.count |= search.Any(chunk.tree, InChunk(chunk, rays[i])) ? 1 : 0;
        break;
      case Mode::kCount:
        answer.count += search.Count(chunk.tree, InChunk(chunk, rays[i]));
        break;
      case Mode::kAll:
        VisitFound(
            chunk, rays[i],
            [&](const ChunkHit& hit) {
              answer.hits.push_back(hit);
              return Visit::kContinue;
            },
            watch);
        answer.count = answer.hits.size();
    }
  }
}

void HitChunkTraits::VisitFound(
    const Chunk& chunk, const Ray& ray,
    absl::FunctionRef<Visit(const ChunkHit&)> visitor,
    const Watch& watch) const {
  FeedHits(
      chunk.tree, InChunk(chunk, ray), max_distance,
      [&](const RayHit& hit) { return visitor(InChunk(chunk, hit)); }, watch);
}

void HitChunkTraits::Merge(const Ray&, const Answer& from,
                           Answer* answer) const {
  answer->count = mode == Mode::kAny ? answer->count | from.count
                                     : answer->count + from.count;
  answer->hits.insert(answer->hits.end(), from.hits.begin(), from.hits.end());
}

void HitChunkTraits::Finish(const Ray& ray, Answer* answer) const {
  if (answer->hits.size() > 1) SortHits(ray, &answer->hits);
}

void InsideChunkTraits::Run(const Chunk& chunk, std::span<const Vec3> points,
                            std::span<const uint32_t> which,
                            std::span<Answer> answers,
                            const Watch& watch) const {
  for (const uint32_t i : which) {
    const Crossings found = CrossingsOfPart(chunk.tree, points[i], watch);
    Merge(points[i], {found.winding, found.is_on_surface}, &answers[i]);
  }
}

void InsideChunkTraits::Merge(const Vec3&, const Answer& from,
                              Answer* answer) const {
  answer->winding += from.winding;
  answer->is_on_surface |= from.is_on_surface;
}

}  // namespace orbox
