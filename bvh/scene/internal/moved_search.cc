// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/moved_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/posed/internal/check_pose.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/boxes/internal/ray_span.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// Returns a tree over a handful of triangles. The build fails only if memory
// runs out.
Tree SmallTree(std::vector<Vec3> vertices,
               std::vector<TriangleIndices> triangles) {
  auto tree = Build(
      mesh_internal::MeshAccess::Of(std::move(vertices), std::move(triangles)),
      {.quality = Quality::kFast, .threads = 1});
  if (!tree.ok()) throw std::bad_alloc();
  return *std::move(tree);
}

// A segment of the ray such that all points of the ray in a box are within
// `error` of it.
struct Clipped {
  Segment segment;
  double error = kInfinity;
};

// Returns nothing if the ray misses the box.
std::optional<Clipped> Clip(const Ray& ray, const Aabb& box, double max_t) {
  const auto span = SpanInBox(ray, box, max_t);
  if (!span) return std::nullopt;
  Clipped part;
  part.segment = {ray.origin + ray.direction * span->enter,
                  ray.origin + ray.direction * span->leave};
  // Each end has the error of two roundings per coordinate, and points between
  // them have no larger one.
  const Vec3 reach = Abs(ray.origin) + Abs(ray.direction) * span->leave;
  const double error = 0x1p-51 * (reach.x + reach.y + reach.z) +
                       std::numeric_limits<double>::min();
  if (!IsBeyond(part.segment.a) && !IsBeyond(part.segment.b)) {
    part.error = error;
  }
  return part;
}

}  // namespace

PointProbe::PointProbe(const Vec3& p)
    : point_(p), tree_(SmallTree({{0, 0, 0}}, {{0, 0, 0}})) {}

PosedTree PointProbe::For(const PosedTree& body) const {
  // Conversion of floats between equal spaces is exact.
  const double unit = body.scale() * body.tree().space().unscale;
  const double scale = std::ldexp(1.0, std::clamp(std::ilogb(unit), -200, 200));
  Pose pose = Pose::Translation(point_);
  for (int i = 0; i < 3; ++i) pose.rows[i] = pose.rows[i] * scale;
  return posed_internal::PosedAccess::Make(tree_, pose, scale);
}

void VisitAllTriangles(const PosedTree& body, IdVisitor visitor) {
  const auto count = static_cast<uint32_t>(body.tree().mesh().triangle_count());
  for (uint32_t id = 0; id < count; ++id) {
    if (visitor(id) == Visit::kStop) return;
  }
}

void VisitWithin(const PosedTree& body, const PointProbe& p, double radius,
                 IdVisitor visitor, const Watch& watch) {
  if (IsBeyond(p.point())) {
    return VisitAllTriangles(body, [&](uint32_t id) {
      return Distance(p.point(), body.triangle(id)).distance <= radius
                 ? visitor(id)
                 : Visit::kContinue;
    });
  }
  VisitWithin(
      p.For(body), body, radius,
      [&](const PairDistance& pair) { return visitor(pair.triangles.b); },
      watch.Alone());
}

void VisitHitsOf(const PosedTree& body, const Aabb& bounds, const Ray& ray,
                 double max_t, RayHitVisitor visitor, const Watch& watch) {
  const std::optional<Clipped> part = Clip(ray, bounds, max_t);
  if (!part) return;
  const auto test = [&](uint32_t id) {
    const auto hit = Intersect(ray, body.triangle(id), max_t);
    if (!hit) return Visit::kContinue;
    return visitor({id, hit->t, hit->barycentric, hit->point});
  };
  // Beyond the range of models, all triangles are candidates.
  if (part->error == kInfinity) return VisitAllTriangles(body, test);
  const Tree segment =
      SmallTree({part->segment.a, part->segment.b}, {{0, 1, 1}});
  VisitWithin(
      segment, body, part->error,
      [&](const PairDistance& pair) { return test(pair.triangles.b); },
      watch.Alone());
}

}  // namespace orbox
