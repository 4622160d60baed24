// SPDX-License-Identifier: Apache-2.0

// The shapes that Orbox tests against each other, in double and in float.
//
//   Sphere ball{{0, 0, 0}, 1.5};
//   Aabb box = BoundsOf(triangle);
//
// All shapes are closed sets: they contain their boundary, so touching is
// overlapping, everywhere. They are plain values. Each states its rule of
// validity, and IsValid checks it. Lengths are in the model's units.
#ifndef ORBOX_OVERLAP_SHAPES_SHAPES_H_
#define ORBOX_OVERLAP_SHAPES_SHAPES_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/text.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The points within `radius` (finite, not negative) of `center`.
template <typename T>
struct BasicSphere {
  BasicVec3<T> center;
  T radius{};
};

// The points p with lo <= p <= hi on each axis; lo <= hi, both finite. A box
// may be flat or a single point.
template <typename T>
struct BasicAabb {
  BasicVec3<T> lo;
  BasicVec3<T> hi;

  constexpr BasicVec3<T> Center() const { return lo * T{0.5} + hi * T{0.5}; }
  constexpr BasicVec3<T> HalfExtents() const {
    return hi * T{0.5} - lo * T{0.5};
  }
};

// The points p with |Dot(p - center, axes[i])| <= half_extents[i] for each i.
// `axes` are unit vectors at right angles to each other, up to rounding. If
// they are not exactly orthonormal, the box is the set that these inequalities
// define.
template <typename T>
struct BasicObb {
  BasicVec3<T> center;
  std::array<BasicVec3<T>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  BasicVec3<T> half_extents;
};

// The convex hull of three points. Degenerate triangles (segments and single
// points) are legal everywhere.
template <typename T>
struct BasicTriangle {
  BasicVec3<T> a;
  BasicVec3<T> b;
  BasicVec3<T> c;

  constexpr BasicVec3<T>& operator[](size_t i) {
    return i == 0 ? a : (i == 1 ? b : c);
  }
  constexpr const BasicVec3<T>& operator[](size_t i) const {
    return i == 0 ? a : (i == 1 ? b : c);
  }
  friend constexpr bool operator==(const BasicTriangle&,
                                   const BasicTriangle&) = default;
};

// The convex hull of two points; they may coincide.
template <typename T>
struct BasicSegment {
  BasicVec3<T> a;
  BasicVec3<T> b;
};

// The points origin + t * direction with t >= 0; `direction` is not zero and
// need not have unit length. The other members limit the hits of the ray.
template <typename T>
struct BasicRay {
  static constexpr uint64_t kSkipNothing = ~uint64_t{0};

  BasicVec3<T> origin;
  BasicVec3<T> direction;
  // Hits with a smaller t are left out; finite, not negative.
  T min_t{};
  // Hits with a larger t are left out; not negative, may be infinite. The ray
  // {p, q - p, 0, 1} is the segment from p to q.
  T max_t = std::numeric_limits<T>::infinity();
  // Id of a triangle that is left out, such as the one from which the ray
  // starts. An id that no triangle has leaves out nothing. Tests of a ray and
  // one triangle do not read it.
  uint64_t skip = kSkipNothing;
};

using Sphere = BasicSphere<double>;
using Aabb = BasicAabb<double>;
using Obb = BasicObb<double>;
using Triangle = BasicTriangle<double>;
using Segment = BasicSegment<double>;
using Ray = BasicRay<double>;
using Spheref = BasicSphere<float>;
using Aabbf = BasicAabb<float>;
using Obbf = BasicObb<float>;

template <typename T>
bool IsValid(const BasicSphere<T>& s) {
  return IsFinite(s.center) && std::isfinite(s.radius) && s.radius >= 0;
}

template <typename T>
bool IsValid(const BasicAabb<T>& b) {
  return IsFinite(b.lo) && IsFinite(b.hi) && b.lo.x <= b.hi.x &&
         b.lo.y <= b.hi.y && b.lo.z <= b.hi.z;
}

// Also checks that the axes are orthonormal within rounding: each product of
// two is within 16 unit roundoffs of 1 or 0. Axes that were normalised in T or
// rounded to T satisfy this. The error bounds of the tests on OBBs rely on it.
template <typename T>
bool IsValid(const BasicObb<T>& b) {
  constexpr T kTolerance = 8 * std::numeric_limits<T>::epsilon();
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = i; j < 3; ++j) {
      const T expected = i == j ? T{1} : T{0};
      const T error = std::abs(Dot(b.axes[i], b.axes[j]) - expected);
      if (!(error <= kTolerance)) return false;
    }
  }
  return IsFinite(b.center) && IsFinite(b.half_extents) &&
         b.half_extents.x >= 0 && b.half_extents.y >= 0 &&
         b.half_extents.z >= 0;
}

template <typename T>
constexpr BasicAabb<T> BoundsOf(const BasicTriangle<T>& t) {
  return {Min(t.a, Min(t.b, t.c)), Max(t.a, Max(t.b, t.c))};
}

template <typename T>
constexpr BasicAabb<T> Union(const BasicAabb<T>& a, const BasicAabb<T>& b) {
  return {Min(a.lo, b.lo), Max(a.hi, b.hi)};
}

// Returns the type and its members in their order, as in Sphere{(0, 0, 1),
// 0.5}. See text.h for the uses of a text.
ORBOX_EXPORT ShapeText TextOf(const Sphere& s);
ORBOX_EXPORT ShapeText TextOf(const Spheref& s);
ORBOX_EXPORT ShapeText TextOf(const Aabb& b);
ORBOX_EXPORT ShapeText TextOf(const Aabbf& b);
ORBOX_EXPORT ShapeText TextOf(const Obb& b);
ORBOX_EXPORT ShapeText TextOf(const Obbf& b);
ORBOX_EXPORT ShapeText TextOf(const Triangle& t);
ORBOX_EXPORT ShapeText TextOf(const Segment& s);
ORBOX_EXPORT ShapeText TextOf(const Ray& r);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_SHAPES_H_
