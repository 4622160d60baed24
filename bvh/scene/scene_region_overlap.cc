// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_region_overlap.h"

#include <algorithm>

#include "orbox/bvh/query/internal/region_places.h"
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
  if (run.finds_nothing()) return;
  RegionSearch search(region);
  search.VisitBodies(scene, [&](BodyId body) {
    if (run.is_cancelled()) return Visit::kStop;
    return body == options.except ? Visit::kContinue : visit(body, search);
  });
}

}  // namespace

bool AnyOverlap(const Scene& scene, const Region& region,
                const SceneOptions& options) {
  bool is_any = false;
  VisitOverlaps(
      scene, region,
      [&](BodyId) {
        is_any = true;
        return Visit::kStop;
      },
      options);
  return is_any;
}

size_t CountOverlaps(const Scene& scene, const Region& region,
                     const SceneOptions& options) {
  size_t count = 0;
  VisitOverlaps(
      scene, region,
      [&](BodyId) {
        ++count;
        return Visit::kContinue;
      },
      options);
  return count;
}

std::vector<BodyId> AllOverlaps(const Scene& scene, const Region& region,
                                const SceneOptions& options) {
  std::vector<BodyId> bodies;
  VisitOverlaps(
      scene, region,
      [&](BodyId body) {
        bodies.push_back(body);
        return Visit::kContinue;
      },
      options);
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

void VisitOverlaps(const Scene& scene, const Region& region,
                   BodyVisitor visitor, const SceneOptions& options) {
  Search(scene, region, options, [&](BodyId body, RegionSearch& search) {
    bool is_there = false;
    search.VisitTriangles(
        scene, body,
        [&](uint32_t) {
          is_there = true;
          return Visit::kStop;
        },
        options.statistics);
    return is_there ? visitor(body) : Visit::kContinue;
  });
}

std::vector<BodyTriangle> AllOverlappingTriangles(const Scene& scene,
                                                  const Region& region,
                                                  const SceneOptions& options) {
  std::vector<BodyTriangle> triangles;
  VisitOverlappingTriangles(
      scene, region,
      [&](const BodyTriangle& t) {
        triangles.push_back(t);
        return Visit::kContinue;
      },
      options);
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
          next = run.is_cancelled() ? Visit::kStop : visitor({body, id});
          return next;
        },
        options.statistics);
    return next;
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Scene& scene,
                                                const Regions& regions,
                                                const SceneOptions& options) {
  return SceneBatch(scene, regions.size(), options)
      .AskEach<uint8_t>(PlacesOf(regions),
                        [&](size_t i, const SceneOptions& alone) {
                          return AnyOverlap(scene, regions[i], alone) ? 1 : 0;
                        });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(const Scene& scene,
                                                  const Regions& regions,
                                                  const SceneOptions& options) {
  return SceneBatch(scene, regions.size(), options)
      .AskEach<size_t>(PlacesOf(regions),
                       [&](size_t i, const SceneOptions& alone) {
                         return CountOverlaps(scene, regions[i], alone);
                       });
}

absl::StatusOr<Lists<BodyId>> AllOverlaps(const Scene& scene,
                                          const Regions& regions,
                                          const SceneOptions& options) {
  return SceneBatch(scene, regions.size(), options)
      .CollectEach<BodyId>(PlacesOf(regions),
                           [&](size_t i, const SceneOptions& alone) {
                             return AllOverlaps(scene, regions[i], alone);
                           });
}

absl::StatusOr<Lists<BodyTriangle>> AllOverlappingTriangles(
    const Scene& scene, const Regions& regions, const SceneOptions& options) {
  return SceneBatch(scene, regions.size(), options)
      .CollectEach<BodyTriangle>(
          PlacesOf(regions), [&](size_t i, const SceneOptions& alone) {
            return AllOverlappingTriangles(scene, regions[i], alone);
          });
}

}  // namespace orbox
