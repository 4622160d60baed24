// What builders sort: a triangle's box, its id, and ranges of such. Private.
#ifndef ORBOX_BVH_BUILD_PRIMITIVE_H_
#define ORBOX_BVH_BUILD_PRIMITIVE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "orbox/overlap/shapes.h"

namespace orbox {

// Positions [begin, end) of the primitives.
struct PrimitiveRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
};

// A box that starts empty and grows.
struct GrowingBox {
  Vec3f lo{std::numeric_limits<float>::infinity(),
           std::numeric_limits<float>::infinity(),
           std::numeric_limits<float>::infinity()};
  Vec3f hi{-std::numeric_limits<float>::infinity(),
           -std::numeric_limits<float>::infinity(),
           -std::numeric_limits<float>::infinity()};

  void Add(const Vec3f& p) {
    lo = Min(lo, p);
    hi = Max(hi, p);
  }
  void Add(const Vec3f& other_lo, const Vec3f& other_hi) {
    lo = Min(lo, other_lo);
    hi = Max(hi, other_hi);
  }

  // Half of the surface; 0 where nothing was added.
  float HalfArea() const {
    const Vec3f d = hi - lo;
    return d.x >= 0 ? d.x * d.y + d.y * d.z + d.z * d.x : 0;
  }
};

// A triangle's box in tree space, rounded outward.
struct Primitive {
  Vec3f lo;
  Vec3f hi;
  uint32_t id = 0;

  // Twice the centre of the box: only its order matters.
  float DoubledCenter(size_t axis) const { return lo[axis] + hi[axis]; }
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_PRIMITIVE_H_
