#include "orbox/bvh/scene/scene_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "orbox/bvh/query/region_overlap.h"
#include "orbox/bvh/scene/internal/box_gap.h"
#include "orbox/bvh/scene/internal/moved_search.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Aabb BoxOf(const Vec3& p) { return {p, p}; }

// The bodies that have triangles according to `visit`, which gets a body and
// where to put its triangles; no triangles are put if bodies suffice.
template <typename VisitBody>
void VisitBall(const Scene& scene, const Sphere& ball, VisitBody visit) {
  if (!IsFinite(ball.center) || !(ball.radius >= 0)) return;
  const PointProbe probe(ball.center);
  scene.broad_phase().FindBodies(
      Grown(BoxOf(ball.center), ball.radius), [&](BodyId id) {
        const PosedTree& body = scene.body(id);
        visit(id, [&](IdVisitor visitor) {
          if (body.is_moved()) {
            VisitWithin(body, probe, ball.radius, visitor);
          } else {
            VisitOverlaps(body.tree(), ball, visitor);
          }
        });
      });
}

template <typename VisitBody>
void VisitBox(const Scene& scene, const Aabb& box, VisitBody visit) {
  // Also false if there is a NaN.
  const bool is_valid =
      box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z;
  if (!is_valid) return;
  const Vec3 least{-kMost, -kMost, -kMost};
  const Vec3 most{kMost, kMost, kMost};
  // A box at infinity contains nothing; infinite sides are cut to the finite
  // range.
  for (int i = 0; i < 3; ++i) {
    if (box.lo[i] == kInfinity || box.hi[i] == -kInfinity) return;
  }
  const Aabb finite{Max(box.lo, least), Min(box.hi, most)};
  scene.broad_phase().FindBodies(finite, [&](BodyId id) {
    const PosedTree& body = scene.body(id);
    const Aabb& bounds = scene.bounds(id);
    // No part of the body is outside its bounds.
    const Aabb inside{Max(finite.lo, bounds.lo), Min(finite.hi, bounds.hi)};
    visit(id, [&](IdVisitor visitor) {
      if (body.is_moved()) {
        VisitMeeting(body, bounds, inside, visitor);
      } else {
        VisitOverlaps(body.tree(), inside, visitor);
      }
    });
  });
}

// Puts what VisitBall and VisitBox find into lists.
class TriangleList {
 public:
  template <typename Triangles>
  void operator()(BodyId body, Triangles triangles) {
    triangles([&](uint32_t id) {
      found_.push_back({body, id});
      return Visit::kContinue;
    });
  }

  std::vector<BodyTriangle> Take() {
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  std::vector<BodyTriangle> found_;
};

class BodyList {
 public:
  template <typename Triangles>
  void operator()(BodyId body, Triangles triangles) {
    bool is_there = false;
    triangles([&](uint32_t) {
      is_there = true;
      return Visit::kStop;
    });
    if (is_there) found_.push_back(body);
  }

  std::vector<BodyId> Take() {
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  std::vector<BodyId> found_;
};

bool IsRay(const Ray& ray, double max_t) {
  return IsFinite(ray.origin) && IsFinite(ray.direction) &&
         ray.direction != Vec3{} && max_t >= 0;
}

void VisitHitsOfBody(const Scene& scene, BodyId id, const Ray& ray,
                     double max_t, HitVisitor visitor) {
  const PosedTree& body = scene.body(id);
  if (body.is_moved()) {
    VisitHitsOf(body, scene.bounds(id), ray, max_t, visitor);
  } else if (const auto hit =
                 ClosestHit(body.tree(), ray, {.max_distance = max_t})) {
    visitor(*hit);  // the others are behind it
  }
}

// Whether the first of two hits comes before the second.
bool IsBefore(const Scene& scene, const Ray& ray, const BodyHit& x,
              const BodyHit& y) {
  if (x.hit.t != y.hit.t) return x.hit.t < y.hit.t;
  const int order =
      CompareHits(ray, scene.body(x.body).triangle(x.hit.triangle),
                  scene.body(y.body).triangle(y.hit.triangle));
  if (order != 0) return order < 0;
  return BodyTriangle{x.body, x.hit.triangle} <
         BodyTriangle{y.body, y.hit.triangle};
}

}  // namespace

std::optional<BodyPoint> ClosestPoint(const Scene& scene, const Vec3& p,
                                      double max_distance) {
  if (!IsFinite(p) || !(max_distance >= 0)) return std::nullopt;
  const PointProbe probe(p);
  std::optional<BodyPoint> best;
  double limit = max_distance;
  scene.broad_phase().VisitNearest(
      BoxOf(p), max_distance, [&](BodyId id, double) {
        const PosedTree& body = scene.body(id);
        const double within =
            best ? std::min(max_distance, AboveRounded(limit)) : max_distance;
        const auto found =
            body.is_moved()
                ? ClosestPointOf(body, probe, within)
                : ClosestPoint(body.tree(), p, {.max_distance = within});
        if (!found || found->distance > limit) return limit;
        if (best && found->distance == limit && best->body < id) return limit;
        best = {id, *found};
        limit = found->distance;
        return limit;
      });
  return best;
}

std::vector<BodyTriangle> CollectInRange(const Scene& scene,
                                         const Sphere& ball) {
  TriangleList list;
  VisitBall(scene, ball, std::ref(list));
  return list.Take();
}

std::vector<BodyTriangle> CollectInRange(const Scene& scene, const Aabb& box) {
  TriangleList list;
  VisitBox(scene, box, std::ref(list));
  return list.Take();
}

std::vector<BodyId> BodiesInRange(const Scene& scene, const Sphere& ball) {
  BodyList list;
  VisitBall(scene, ball, std::ref(list));
  return list.Take();
}

std::vector<BodyId> BodiesInRange(const Scene& scene, const Aabb& box) {
  BodyList list;
  VisitBox(scene, box, std::ref(list));
  return list.Take();
}

std::optional<BodyHit> ClosestHit(const Scene& scene, const Ray& ray,
                                  double max_t) {
  if (!IsRay(ray, max_t)) return std::nullopt;
  std::optional<BodyHit> best;
  double limit = max_t;
  scene.broad_phase().VisitAlong(ray, max_t, [&](BodyId id, double) {
    VisitHitsOfBody(scene, id, ray, limit, [&](const RayHit& hit) {
      const BodyHit found{id, hit};
      if (!best || IsBefore(scene, ray, found, *best)) best = found;
      return Visit::kContinue;
    });
    // An earlier hit may round to the same t, and be slightly above it.
    if (best) limit = std::min(max_t, std::nextafter(best->hit.t, kInfinity));
    return limit;
  });
  return best;
}

bool AnyHit(const Scene& scene, const Ray& ray, double max_t) {
  if (!IsRay(ray, max_t)) return false;
  bool found = false;
  scene.broad_phase().VisitAlong(ray, max_t, [&](BodyId id, double) {
    if (found) return -1.0;
    VisitHitsOfBody(scene, id, ray, max_t, [&](const RayHit&) {
      found = true;
      return Visit::kStop;
    });
    return found ? -1.0 : max_t;
  });
  return found;
}

}  // namespace orbox
