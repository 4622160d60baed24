// SPDX-License-Identifier: Apache-2.0

// Boxes in float, as a filter before doubles. Private.
//
// Rounding to nearest is monotone, and so are translation and scaling: a <= b
// implies Map(a) <= Map(b). So boxes with disjoint maps are disjoint, and boxes
// whose maps overlap without touching (all six comparisons are strict) overlap.
// Only if maps touch, the doubles decide. Neither outward rounding nor a margin
// is needed.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_MAP_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_MAP_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Bound of the absolute value of mapped coordinates.
inline constexpr float kMapEnd = 2;

// Maps a box to [-1, 1]^3, up to rounding, axis by axis. The map is monotone
// outside of its bounds, too; far outside, it is +-kMapEnd.
class BoxMap {
 public:
  BoxMap() = default;
  explicit BoxMap(const Aabb& bounds) {
    // Halves do not overflow, unlike the whole length. For flat or almost flat
    // bounds, a finite scale serves as well as an infinite one.
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
  // Returns the length of a unit on the map.
  double scale(size_t axis) const { return scale_[axis]; }

 private:
  Vec3 center_;
  Vec3 scale_{1, 1, 1};
};

// Returns the box around all bodies; a point at the origin if there are none.
inline Aabb BoundsOf(const Bodies& bodies) {
  Aabb all{{kInfinity, kInfinity, kInfinity},
           {-kInfinity, -kInfinity, -kInfinity}};
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    if (bodies.Contains(body)) all = Union(all, bodies.box(body));
  }
  return bodies.count() > 0 ? all : Aabb{};
}

// Returns bounds for a map: the box around all bodies, or a smaller box if a
// few bodies are so far away, or so large, that a map of all bodies would not
// resolve the others.
inline Aabb MapBoundsOf(const Bodies& bodies) {
  if (bodies.count() == 0) return {};
  // Runs in each frame, so the sample is small. It finds fifths of the
  // distribution, no finer ranks.
  constexpr size_t kSample = 64;
  const BodySample sample(kSample, bodies.count());
  std::array<double, 2 * kSample> centers[3];
  std::array<double, 2 * kSample> lengths[3];
  size_t size = 0;
  Aabb all{{kInfinity, kInfinity, kInfinity},
           {-kInfinity, -kInfinity, -kInfinity}};
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    if (!bodies.Contains(body)) continue;
    const Aabb& box = bodies.box(body);
    all = Union(all, box);
    if (!sample.Has(body) || size == centers[0].size()) continue;
    for (size_t axis = 0; axis < 3; ++axis) {
      centers[axis][size] = box.lo[axis] * 0.5 + box.hi[axis] * 0.5;
      lengths[axis][size] = box.hi[axis] - box.lo[axis];
    }
    ++size;
  }
  // Four fifths of the sampled bodies are in an interval. Five times that
  // interval contains all of any bell curve or crowded corner.
  const size_t tenth = size / 10;
  if (tenth == 0) return all;
  const auto of_rank = [size](auto& values, size_t rank) {
    double* const first = values.data();
    std::nth_element(first, first + rank, first + size);
    return first[rank];
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    const double lo = of_rank(centers[axis], tenth);
    const double hi = of_rank(centers[axis], size - 1 - tenth);
    const double room =
        2 * (hi - lo) + of_rank(lengths[axis], size - 1 - tenth);
    all.lo[axis] = std::max(all.lo[axis], lo - room);
    all.hi[axis] = std::min(all.hi[axis], hi + room);
  }
  return all;
}

// The box of a body in float. Half a cache line, aligned so that it never
// crosses a line. The fourth coordinates fill vectors of four and always
// overlap.
struct alignas(32) MappedBox {
  float lo[4];
  float hi[4];

  static MappedBox Of(const Aabbf& box) {
    return {{box.lo.x, box.lo.y, box.lo.z, 0},
            {box.hi.x, box.hi.y, box.hi.z, 1}};
  }
  // Returns a box that overlaps nothing.
  static MappedBox Nothing() {
    constexpr auto kFar = static_cast<float>(kInfinity);
    return {{kFar, kFar, kFar, 0}, {-kFar, -kFar, -kFar, 1}};
  }
  bool IsNothing() const { return lo[0] > hi[0]; }
  bool Contains(const MappedBox& box) const {
    return (lo[0] <= box.lo[0]) & (lo[1] <= box.lo[1]) & (lo[2] <= box.lo[2]) &
           (hi[0] >= box.hi[0]) & (hi[1] >= box.hi[1]) & (hi[2] >= box.hi[2]);
  }
};

inline bool Overlaps(const MappedBox& a, const MappedBox& b) {
  return (a.lo[0] <= b.hi[0]) & (a.lo[1] <= b.hi[1]) & (a.lo[2] <= b.hi[2]) &
         (b.lo[0] <= a.hi[0]) & (b.lo[1] <= a.hi[1]) & (b.lo[2] <= a.hi[2]);
}

// By number of the body.
using MappedBoxes = std::vector<MappedBox>;

// Maps the boxes of all bodies. Numbers without a body get Nothing().
inline void MapAll(const Bodies& bodies, const BoxMap& map,
                   MappedBoxes* boxes) {
  boxes->resize(bodies.id_end());
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    (*boxes)[body] = bodies.Contains(body)
                         ? MappedBox::Of(map(bodies.box(body)))
                         : MappedBox::Nothing();
  }
}

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_MAP_H_
