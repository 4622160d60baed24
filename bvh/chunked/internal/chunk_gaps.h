// SPDX-License-Identifier: Apache-2.0

// How near boxes of chunks are to what is asked, one or eight of them at a
// time: conservative, and the same numbers on any machine. Private.
//
//   const GapFromPoint gap_to(p);
//   if (gap_to(box) <= d) ...
//   levels.VisitNear(gap_to, [&] { return d; }, take);
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_GAPS_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_GAPS_H_

#include <cstddef>

#include "orbox/bvh/chunked/internal/chunk_levels.h"
#include "orbox/bvh/query/region.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// No more than the distance from a point to a box; infinity where the point is
// not finite.
class ORBOX_EXPORT GapFromPoint {
 public:
  explicit GapFromPoint(const Vec3& p) : p_(p) {}
  double operator()(const Aabb& box) const;
  void operator()(const ChunkBoxRow& row, double* gaps) const;

 private:
  Vec3 p_;
};

// A lower bound of the t at which a ray comes to a point of a box; infinity
// where it certainly does not, or is not valid.
class ORBOX_EXPORT RayEntry {
 public:
  explicit RayEntry(const Ray& ray);
  double operator()(const Aabb& box) const;
  void operator()(const ChunkBoxRow& row, double* entries) const;

  // Implementation, as its loop sees it.
  struct Slabs {
    Vec3 origin;
    Vec3 inverse;  // of the direction; infinity where it says nothing
    bool is_flat[3];
    bool is_valid;
  };

 private:
  Slabs slabs_;
};

// 0 for boxes that a region may overlap, infinity for others.
class ORBOX_EXPORT GapFromRegion {
 public:
  // Requires that the region outlives this.
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

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_GAPS_H_
