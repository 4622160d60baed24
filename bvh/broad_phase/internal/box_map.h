// Boxes in float, for a first look. Private.
//
// Rounding to nearest is monotone, and so are moving and scaling: a <= b
// implies Map(a) <= Map(b). So boxes with disjoint maps are disjoint, and boxes
// whose maps overlap without touching (all six comparisons are strict) overlap.
// Only if maps touch, the doubles decide. Neither outward rounding nor a margin
// is needed.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_MAP_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_MAP_H_

#include <algorithm>
#include <cstddef>
#include <limits>

#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// No map is beyond this.
inline constexpr float kMapEnd = 2;

// Maps a box to [-1, 1]^3, up to rounding, axis by axis. Boxes outside are also
// mapped monotonely; far outside, to +-kMapEnd.
class BoxMap {
 public:
  BoxMap() = default;
  explicit BoxMap(const Aabb& bounds) {
    // Halves do not overflow, unlike the whole. For flat or almost flat bounds,
    // a finite scale serves as well as an infinite one.
    center_ = bounds.Center();
    const Vec3 half = bounds.HalfExtents();
    for (size_t axis = 0; axis < 3; ++axis) {
      scale_[axis] =
          1 / std::max(half[axis], std::numeric_limits<double>::min());
    }
  }

  float operator()(double x, size_t axis) const {
    const auto y = static_cast<float>((x - center_[axis]) * scale_[axis]);
    return std::min(std::max(y, -kMapEnd), kMapEnd);
  }
  Vec3f operator()(const Vec3& p) const {
    return {(*this)(p.x, 0), (*this)(p.y, 1), (*this)(p.z, 2)};
  }
  Aabbf operator()(const Aabb& b) const {
    return {(*this)(b.lo), (*this)(b.hi)};
  }

 private:
  Vec3 center_;
  Vec3 scale_{1, 1, 1};
};

// The box around all bodies; a point at the origin without any.
inline Aabb BoundsOf(const Bodies& bodies) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Aabb all{{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    if (bodies.Contains(body)) all = Union(all, bodies.box(body));
  }
  return bodies.count() > 0 ? all : Aabb{};
}

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_MAP_H_
