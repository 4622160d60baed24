// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_region_overlap.h"

#include <algorithm>

#include "orbox/bvh/query/internal/region_positions.h"
#include "orbox/bvh/query/internal/visited.h"
#include "orbox/bvh/scene/internal/region_search.h"
#include "orbox/bvh/scene/internal/scene_batch.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

// Calls visit(body, search) for each body that may overlap the region.
template <typename VisitBody>
void Search(const Scene& scene, const Region& region,
            const SceneOptions& options, VisitBody visit) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(region));
  RegionSearch search(region);
  search.VisitBodies(scene, [&](BodyId body) {
    run.CheckCancelled();
    return body == options.except ? Visit::kContinue : visit(body, search);
  });
}

}  // namespace

bool AnyOverlap(const Scene& scene, const Region& region,
                const SceneOptions& options) {
  return AnyVisited(
      [&](auto visitor) { VisitOverlaps(scene, region, visitor, options); });
}

size_t CountOverlaps(const Scene& scene, const Region& region,
                     const SceneOptions& options) {
  return CountVisited(
      [&](auto visitor) { VisitOverlaps(scene, region, visitor, options); });
}

std::vector<BodyId> AllOverlaps(const Scene& scene, const Region& region,
                                const SceneOptions& options) {
  auto bodies = AllVisited<BodyId>(
      [&](auto visitor) { VisitOverlaps(scene, region, visitor, options); });
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

void VisitOverlaps(const Scene& scene, const Region& region,
                   BodyVisitor visitor, const SceneOptions& options) {
  Search(scene, region, options, [&](BodyId body, RegionSearch& search) {
    const bool is_there = AnyVisited([&](auto any) {
      search.VisitTriangles(scene, body, any, Execution(options));
    });
    return is_there ? visitor(body) : Visit::kContinue;
  });
}

std::vector<BodyTriangle> AllOverlappingTriangles(const Scene& scene,
                                                  const Region& region,
                                                  const SceneOptions& options) {
  auto triangles = AllVisited<BodyTriangle>([&](auto visitor) {
    VisitOverlappingTriangles(scene, region, visitor, options);
  });
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

void VisitOverlappingTriangles(const Scene& scene, const Region& region,
                               BodyTriangleVisitor visitor,
                               const SceneOptions& options) {
  const Execution run(options);
  Search(scene, region, options, [&](BodyId body, RegionSearch& search) {
    Visit next = Visit::kContinue;
    search.VisitTriangles(
        scene, body,
        [&](uint32_t id) {
          // The visitor may cancel the query.
          run.CheckCancelled();
          next = visitor({body, id});
          return next;
        },
        run);
    return next;
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Scene& scene,
                                                const Regions& regions,
                                                const SceneOptions& options) {
  return SceneBatch(scene, regions, options)
      .AskEach<uint8_t>(PositionsOf(regions), [](const auto&... asked) {
        return AnyOverlap(asked...);
      });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(const Scene& scene,
                                                  const Regions& regions,
                                                  const SceneOptions& options) {
  return SceneBatch(scene, regions, options)
      .AskEach<size_t>(PositionsOf(regions), [](const auto&... asked) {
        return CountOverlaps(asked...);
      });
}

absl::StatusOr<Lists<BodyId>> AllOverlaps(const Scene& scene,
                                          const Regions& regions,
                                          const SceneOptions& options) {
  return SceneBatch(scene, regions, options)
      .CollectEach<BodyId>(PositionsOf(regions), [](const auto&... asked) {
        return AllOverlaps(asked...);
      });
}

absl::StatusOr<Lists<BodyTriangle>> AllOverlappingTriangles(
    const Scene& scene, const Regions& regions, const SceneOptions& options) {
  return SceneBatch(scene, regions, options)
      .CollectEach<BodyTriangle>(PositionsOf(regions),
                                 [](const auto&... asked) {
                                   return AllOverlappingTriangles(asked...);
                                 });
}

}  // namespace orbox
