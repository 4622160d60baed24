// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/polygon.h"

#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

template <typename Height>
void Polygon::Cut(Height height_of) {
  if (size_ == 0) return;
  double heights[kMostCorners];
  double highest = -kInfinity;
  for (size_t i = 0; i < size_; ++i) {
    heights[i] = height_of(corners_[i]);
    highest = std::max(highest, heights[i]);
  }
  if (!(highest > 0)) return;
  Polygon kept;
  size_t last = size_ - 1;
  for (size_t i = 0; i < size_; last = i++) {
    if ((heights[i] > 0) != (heights[last] > 0)) {
      const double at = heights[last] / (heights[last] - heights[i]);
      kept.Add(corners_[last] + (corners_[i] - corners_[last]) * at);
    }
    if (heights[i] <= 0) kept.Add(corners_[i]);
  }
  *this = kept;
}

void Polygon::Clip(const Vec3& n, const Vec3& on) {
  Cut([&](const Vec3& p) { return Dot(n, p - on); });
}

void Polygon::ClipAxis(size_t axis, double sign, double offset) {
  Cut([&](const Vec3& p) { return sign * p[axis] - offset; });
}

Polygon PartInBox(const Triangle& t, const Aabb& box) {
  Polygon part(t);
  const Aabb bounds = BoundsOf(t);
  for (size_t axis = 0; axis < 3; ++axis) {
    if (bounds.hi[axis] > box.hi[axis]) part.ClipAxis(axis, 1, box.hi[axis]);
    if (bounds.lo[axis] < box.lo[axis]) part.ClipAxis(axis, -1, -box.lo[axis]);
    if (part.size() == 0) break;
  }
  return part;
}

}  // namespace orbox
