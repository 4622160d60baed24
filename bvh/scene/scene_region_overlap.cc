// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_region_overlap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "orbox/bvh/query/internal/in_model.h"
#include "orbox/bvh/query/regions/internal/feed_region.h"
#include "orbox/bvh/query/regions/internal/region_search.h"
#include "orbox/bvh/scene/internal/scene_batch.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

constexpr Aabb kEverything{{-kMost, -kMost, -kMost}, {kMost, kMost, kMost}};

// Returns an error bound for about twelve sums and products, all of magnitude
// at most `size`.
double ErrorOf(double size) {
  return 0x1p-48 * size + std::numeric_limits<double>::min();
}

Aabb BoxAround(const Sphere& ball) {
  return Grown({ball.center, ball.center}, ball.radius);
}

Aabb BoxAround(const Aabb& box) { return Intersection(box, kEverything); }

// Returns a bounding box. The axes may deviate slightly from right angles.
Aabb BoxAround(const Obb& box) {
  constexpr double kRight = 0x1p-22;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double off = Dot(box.axes[i], box.axes[j]) - (i == j ? 1 : 0);
      // If the axes are far from orthogonal, the intersection of the slabs may
      // have any size.
      if (!(std::abs(off) <= kRight)) return kEverything;
    }
  }
  Aabb around;
  for (int i = 0; i < 3; ++i) {
    // The inverse of the axes differs from their transpose by less than 8
    // kRight, including all other rounding errors.
    double half = 0;
    for (int j = 0; j < 3; ++j) {
      half += (std::abs(box.axes[j][i]) + 16 * kRight) * box.half_extents[j];
    }
    const double reach = half + ErrorOf(half + std::abs(box.center[i]));
    around.lo[i] = std::max(box.center[i] - reach, -kMost);
    around.hi[i] = std::min(box.center[i] + reach, kMost);
  }
  return around;
}

Aabb BoxAround(HalfSpaces) { return kEverything; }

// A finite box that contains a region, and half-spaces whose intersection
// contains the region.
struct AroundRegion {
  Aabb box;
  RegionPlanes planes;
};

// Returns nothing if the region is empty.
std::optional<AroundRegion> Around(const Region::Shape& region) {
  RegionPlanes planes;
  if (!std::holds_alternative<Sphere>(region)) {
    auto found = PlanesOf(region);
    if (!found.has_value()) return std::nullopt;
    planes = *std::move(found);
  }
  const auto box_around = [](const auto& shape) { return BoxAround(shape); };
  return AroundRegion{std::visit(box_around, region), std::move(planes)};
}

// Returns true if certainly no point of the bounds is in the intersection of
// the half-spaces.
bool AreApart(const RegionPlanes& planes, const Aabb& bounds) {
  const Vec3 reach = Max(Abs(bounds.lo), Abs(bounds.hi));
  for (size_t k = 0; k < planes.half_spaces.size(); ++k) {
    const HalfSpace& h = planes.half_spaces[k];
    double least = 0;
    for (int i = 0; i < 3; ++i) {
      least += std::min(h.normal[i] * bounds.lo[i], h.normal[i] * bounds.hi[i]);
    }
    const double size = Dot(Abs(h.normal), reach) + std::abs(h.offset);
    if (least - ErrorOf(size) - planes.errors[k] > h.offset) return true;
  }
  return false;
}

// Calls visit(mesh, body) for each body that may overlap the region.
template <typename VisitBody>
void Search(const Scene& scene, const Region& region, const BodyFilter& filter,
            const Execution& run, VisitBody visit) {
  const std::optional<AroundRegion> around = Around(region.shape());
  if (!around.has_value()) return;
  bool stopped = false;
  scene.broad_phase().FindBodies(around->box, [&](BodyId body) {
    if (stopped || body == filter.except) return;
    if (AreApart(around->planes, scene.bounds(body))) return;
    run.CheckCancelled();
    stopped = visit(scene.body(body), body) == Visit::kStop;
  });
}

bool FindAny(const Scene& scene, const Region& region, const BodyFilter& filter,
             const Execution& run) {
  bool is_any = false;
  Search(scene, region, filter, run, [&](const PosedTree& mesh, BodyId) {
    is_any = RegionSearch(Watch(run)).Any(mesh, region);
    return is_any ? Visit::kStop : Visit::kContinue;
  });
  return is_any;
}

std::vector<BodyId> FindBodies(const Scene& scene, const Region& region,
                               const BodyFilter& filter, const Execution& run) {
  std::vector<BodyId> bodies;
  Search(scene, region, filter, run, [&](const PosedTree& mesh, BodyId body) {
    if (RegionSearch(Watch(run)).Any(mesh, region)) bodies.push_back(body);
    return Visit::kContinue;
  });
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

std::vector<BodyTriangle> FindTriangles(const Scene& scene,
                                        const Region& region,
                                        const BodyFilter& filter,
                                        const Execution& run) {
  std::vector<BodyTriangle> triangles;
  std::vector<uint32_t> ids;
  Search(scene, region, filter, run, [&](const PosedTree& mesh, BodyId body) {
    ids.clear();
    RegionSearch(Watch(run)).Append(mesh, region, &ids, IdOrder::kOfTree);
    for (const uint32_t id : ids) triangles.push_back({body, id});
    return Visit::kContinue;
  });
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

}  // namespace

bool AnyOverlap(const Scene& scene, const Region& region,
                const BodyFilter& filter) {
  return ValueOrEnd(AnyOverlap(scene, region, filter, RunOptions()));
}

absl::StatusOr<bool> AnyOverlap(const Scene& scene, const Region& region,
                                const BodyFilter& filter,
                                const RunOptions& options) {
  return RunWith(options, scene, CheckQuery(region), [&](const Execution& run) {
    return FindAny(scene, region, filter, run);
  });
}

std::vector<BodyId> AllOverlaps(const Scene& scene, const Region& region,
                                const BodyFilter& filter) {
  return ValueOrEnd(AllOverlaps(scene, region, filter, RunOptions()));
}

absl::StatusOr<std::vector<BodyId>> AllOverlaps(const Scene& scene,
                                                const Region& region,
                                                const BodyFilter& filter,
                                                const RunOptions& options) {
  return RunWith(options, scene, CheckQuery(region), [&](const Execution& run) {
    return FindBodies(scene, region, filter, run);
  });
}

std::vector<BodyTriangle> AllOverlappingTriangles(const Scene& scene,
                                                  const Region& region,
                                                  const BodyFilter& filter) {
  return ValueOrEnd(
      AllOverlappingTriangles(scene, region, filter, RunOptions()));
}

absl::StatusOr<std::vector<BodyTriangle>> AllOverlappingTriangles(
    const Scene& scene, const Region& region, const BodyFilter& filter,
    const RunOptions& options) {
  return RunWith(options, scene, CheckQuery(region), [&](const Execution& run) {
    return FindTriangles(scene, region, filter, run);
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Scene& scene,
                                                const Regions& regions,
                                                const BodyFilter& filter,
                                                const RunOptions& options) {
  return SceneBatch(scene, regions, options)
      .RunEach<uint8_t>(PositionsOf(regions),
                        [&](const Region& region, const Execution& run) {
                          return FindAny(scene, region, filter, run);
                        });
}

absl::StatusOr<Lists<BodyId>> AllOverlaps(const Scene& scene,
                                          const Regions& regions,
                                          const BodyFilter& filter,
                                          const RunOptions& options) {
  return SceneBatch(scene, regions, options)
      .CollectEach<BodyId>(PositionsOf(regions),
                           [&](const Region& region, const Execution& run) {
                             return FindBodies(scene, region, filter, run);
                           });
}

absl::StatusOr<Lists<BodyTriangle>> AllOverlappingTriangles(
    const Scene& scene, const Regions& regions, const BodyFilter& filter,
    const RunOptions& options) {
  return SceneBatch(scene, regions, options)
      .CollectEach<BodyTriangle>(
          PositionsOf(regions),
          [&](const Region& region, const Execution& run) {
            return FindTriangles(scene, region, filter, run);
          });
}

}  // namespace orbox
