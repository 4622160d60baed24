// SPDX-License-Identifier: Apache-2.0

// Lower bounds of the distances of boxes of chunks from a query, for one or
// eight boxes at a time. Conservative, and equal on any machine. Private.
//
//   const GapFromPoint gap_to(p);
//   if (gap_to(box) <= d) ...
//   levels.VisitNear(gap_to, [&] { return d; }, take);
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_GAPS_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_GAPS_H_

#include <cstddef>

#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/bvh/query/region.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Lower bound of the distance from a point to a box; infinity if the point is
// not finite.
class ORBOX_EXPORT GapFromPoint {
 public:
  explicit GapFromPoint(const Vec3& p) : p_(p) {}
  double operator()(const Aabb& box) const;
  void operator()(const ChunkBoxRow& row, double* gaps) const;

 private:
  Vec3 p_;
};

// Lower bound of the t at which a ray enters a box. Infinity if it certainly
// does not, or if the ray is not valid.
class ORBOX_EXPORT RayEntry {
 public:
  explicit RayEntry(const Ray& ray);
  double operator()(const Aabb& box) const;
  void operator()(const ChunkBoxRow& row, double* entries) const;

  // Implementation: the ray in the form that the loop uses.
  struct Slabs {
    Vec3 origin;
    Vec3 inverse;  // of the direction; infinity if it bounds nothing
    double max_t;  // of the ray
    bool is_flat[3];
    bool is_valid;
  };

 private:
  Slabs slabs_;
};

// Returns false only if no point of the box is in the region.
ORBOX_EXPORT bool MayOverlap(const Region& region, const Aabb& box);

// 0 for boxes that may overlap a region, infinity for others.
class ORBOX_EXPORT GapFromRegion {
 public:
  // Requires that the region outlives this object.
  explicit GapFromRegion(const Region& region) : region_(region) {}
  double operator()(const Aabb& box) const;
  void operator()(const ChunkBoxRow& row, double* gaps) const;

 private:
  const Region& region_;
};

// 0 for boxes that `test(box)` accepts, infinity for others.
template <typename Test>
class GapOfTest {
 public:
  explicit GapOfTest(Test test) : test_(test) {}
  double operator()(const Aabb& box) const {
    return test_(box) ? 0 : kInfinity;
  }
  void operator()(const ChunkBoxRow& row, double* gaps) const {
    for (size_t i = 0; i < ChunkBoxRow::kWidth; ++i) {
      gaps[i] = (*this)(row.box(i));
    }
  }

 private:
  Test test_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_GAPS_H_
