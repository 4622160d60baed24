// SPDX-License-Identifier: Apache-2.0

// Convex polygons that are clipped by planes: pieces of triangles. Private.
//
//   Polygon piece(triangle);
//   piece.Clip(n, on);                 // keeps the part behind a plane
//   if (piece.size() != 0) use(piece);
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_POLYGON_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_POLYGON_H_

#include <algorithm>
#include <cstddef>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A convex polygon, in order around it.
class ORBOX_EXPORT Polygon {
 public:
  // Largest number of corners that a triangle or a face of a box can have after
  // all cuts of a search.
  static constexpr size_t kMostCorners = 32;

  Polygon() {}  // leaves corners uninitialized: most are never used
  explicit Polygon(const Triangle& t) : size_(3) {
    for (size_t i = 0; i < 3; ++i) corners_[i] = t[i];
  }
  Polygon(const Polygon& other) { *this = other; }
  Polygon& operator=(const Polygon& other) {
    size_ = other.size_;
    std::copy(other.begin(), other.end(), corners_);
    return *this;
  }

  size_t size() const { return size_; }
  const Vec3* begin() const { return corners_; }
  const Vec3* end() const { return corners_ + size_; }
  const Vec3& operator[](size_t i) const { return corners_[i]; }
  // Ignores corners beyond kMostCorners.
  void Add(const Vec3& p) {
    if (size_ < kMostCorners) corners_[size_++] = p;
  }

  // Keeps the part where Dot(n, p - on) <= 0.
  void Clip(const Vec3& n, const Vec3& on);
  // Clip for a plane across an axis: keeps the part where sign * p[axis] <=
  // offset.
  void ClipAxis(size_t axis, double sign, double offset);

 private:
  template <typename Height>
  void Cut(Height height_of);

  size_t size_ = 0;
  union {
    Vec3 corners_[kMostCorners];
  };
};

// Returns the part of a triangle in a box. The rounding error of its corners is
// about 2^-48 of the triangle's size.
ORBOX_EXPORT Polygon PartInBox(const Triangle& t, const Aabb& box);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_POLYGON_H_
