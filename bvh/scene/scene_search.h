// Which body of a scene is closest to a point, which triangles overlap a ball
// or a box, and what does a ray hit first?
//
//   std::optional<BodyPoint> near = ClosestPoint(scene, p);
//   for (const BodyTriangle& t : CollectInRange(scene, Sphere{p, 0.1})) ...
//   std::optional<BodyHit> hit = ClosestHit(scene, Ray{eye, direction});
//
// Exact for the moved vertices, as closest_point.h, region_overlap.h and
// ray_hit.h are for those of one tree, with the same rules for invalid
// arguments. Ties go to the lowest body, then to its lowest triangle.
//
// A body without a pose costs a query of its tree. A moved body costs a query
// of two trees, because the point, box or ray becomes a mesh of a few
// triangles: 20 to 40 us a point or ray in a scene of a thousand turned bodies,
// and hundreds for a box that overlaps many triangles. Bodies are visited from
// the nearest on. Require that the scene is up to date (Scene::Update).
// Thread-safe. Allocate the results and small meshes.
#ifndef ORBOX_BVH_SCENE_SCENE_SEARCH_H_
#define ORBOX_BVH_SCENE_SCENE_SEARCH_H_

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct BodyPoint {
  BodyId body = 0;
  SurfacePoint surface;
};

// Nothing if no body is within `max_distance`.
ORBOX_EXPORT std::optional<BodyPoint> ClosestPoint(
    const Scene& scene, const Vec3& p,
    double max_distance = std::numeric_limits<double>::infinity());

struct BodyTriangle {
  BodyId body = 0;
  uint32_t triangle = 0;

  friend auto operator<=>(const BodyTriangle&, const BodyTriangle&) = default;
};

// All triangles that overlap the shape, ascending by (body, triangle).
ORBOX_EXPORT std::vector<BodyTriangle> CollectInRange(const Scene& scene,
                                                      const Sphere& ball);
ORBOX_EXPORT std::vector<BodyTriangle> CollectInRange(const Scene& scene,
                                                      const Aabb& box);

// All bodies with a triangle that overlaps the shape, ascending.
ORBOX_EXPORT std::vector<BodyId> BodiesInRange(const Scene& scene,
                                               const Sphere& ball);
ORBOX_EXPORT std::vector<BodyId> BodiesInRange(const Scene& scene,
                                               const Aabb& box);

struct BodyHit {
  BodyId body = 0;
  RayHit hit;
};

// The first hit of the ray.
ORBOX_EXPORT std::optional<BodyHit> ClosestHit(
    const Scene& scene, const Ray& ray,
    double max_t = std::numeric_limits<double>::infinity());

// Ends at the first hit found.
ORBOX_EXPORT bool AnyHit(
    const Scene& scene, const Ray& ray,
    double max_t = std::numeric_limits<double>::infinity());

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_SEARCH_H_
