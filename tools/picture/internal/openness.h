// SPDX-License-Identifier: Apache-2.0

// The openness of a surface: the fraction of the ambient light that reaches it
// past nearby surfaces (ambient occlusion).
//
//   const OpennessMap map(surface, camera, width, height, threads);
//   double open = map.At(pixel, point, normal);
//
// Values are computed with many rays at every fourth pixel in each direction.
// Other pixels interpolate the surrounding values on the same piece of surface,
// or cast rays if there are none (Ward, Rubinstein, Clear, "A ray tracing
// solution for diffuse interreflection", 1988, on a grid).
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_OPENNESS_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_OPENNESS_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/internal/camera.h"

namespace orbox::picture {

// Returns the openness at a point on the side of the unit normal: 1 if no
// surface is near, 0 at the bottom of a crack. Nearer surfaces count more.
// Surfaces farther than 0.4 (in picture space) do not count.
double Openness(const Tree& tree, const Vec3& point, const Vec3& normal);

class OpennessMap {
 public:
  // Returns the normal at a hit, towards the viewer.
  using NormalAt = absl::FunctionRef<Vec3(const Ray& ray, const RayHit& hit)>;

  // The tree and the camera must outlive this object.
  OpennessMap(const Tree& tree, const Camera& camera, int width, int height,
              size_t threads, NormalAt normal_at);

  double At(const Point2& pixel, const Vec3& point, const Vec3& normal) const;

 private:
  struct Place {
    Vec3 point;
    Vec3 normal;
    double open = -1;  // -1 without a surface
  };

  const Tree& tree_;
  const Camera& camera_;
  int across_;
  int down_;
  std::vector<Place> places_;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_OPENNESS_H_
