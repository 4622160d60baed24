// SPDX-License-Identifier: Apache-2.0

// The best few of the triangles that a search finds, ranked without branches.
// For more, k_nearest.cc selects from a longer list. Private.
//
//   FewNearest best(k, max_distance);
//   double bound = best.Offer(near);     // for each
//   std::vector<SurfacePoint> sorted(best.count());
//   sorted.resize(best.WriteSorted(sorted));
#ifndef ORBOX_BVH_QUERY_POINTS_INTERNAL_FEW_NEAREST_H_
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_FEW_NEAREST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/bvh/query/internal/rank_few.h"
#include "orbox/bvh/query/points/closest_point.h"

namespace orbox {

class FewNearest {
 public:
  // Upper bound of k. A larger k would leave too little room for new triangles,
  // so that the list would be sorted too often.
  static constexpr size_t kMost = kMostRanked - 8;

  // Requires 0 < k <= kMost.
  FewNearest(size_t k, double max_distance) : k_(k), bound_(max_distance) {}

  // Removes all triangles, to start again.
  void Clear(double max_distance) {
    count_ = 0;
    bound_ = max_distance;
  }

  // Adds a triangle. Returns a distance beyond which no triangle is among the
  // best.
  double Offer(const SurfacePoint& near) {
    distances_[count_] = near.distance;
    ids_[count_] = near.triangle;
    x_[count_] = near.point.x;
    y_[count_] = near.point.y;
    z_[count_] = near.point.z;
    if (++count_ == kMostRanked) Cut();
    return bound_;
  }

  // Number of triangles that WriteSorted writes.
  size_t count() const { return std::min(k_, count_); }

  // Writes the best, nearest first, and at equal distance the lowest id first.
  // Returns their number. Requires room for them.
  size_t WriteSorted(std::span<SurfacePoint> sorted) {
    int64_t ranks[kMostRanked];
    RankFew(distances_, ids_, count_, ranks);
    SurfacePoint beyond;
    for (size_t i = 0; i < count_; ++i) {
      // Selects without a branch, because the branch would be unpredictable.
      const auto rank = static_cast<size_t>(ranks[i]);
      SurfacePoint& to = *(rank < k_ ? &sorted[rank] : &beyond);
      to.triangle = static_cast<uint32_t>(ids_[i]);
      to.distance = distances_[i];
      to.point.x = x_[i];
      to.point.y = y_[i];
      to.point.z = z_[i];
    }
    return count();
  }

 private:
  // Keeps only the best k.
  void Cut() {
    int64_t ranks[kMostRanked];
    RankFew(distances_, ids_, count_, ranks);
    size_t kept = 0;
    for (size_t i = 0; i < count_; ++i) {
      const auto rank = static_cast<size_t>(ranks[i]);
      if (rank >= k_) continue;
      if (rank + 1 == k_) bound_ = distances_[i];
      distances_[kept] = distances_[i];
      ids_[kept] = ids_[i];
      x_[kept] = x_[i];
      y_[kept] = y_[i];
      z_[kept] = z_[i];
      ++kept;
    }
    count_ = kept;
  }

  size_t k_;
  size_t count_ = 0;
  double bound_;
  // Structure of arrays, uninitialized. Ids are stored as doubles, which
  // represent them exactly, because they are compared together with distances.
  double distances_[kMostRanked];
  double ids_[kMostRanked];
  double x_[kMostRanked];
  double y_[kMostRanked];
  double z_[kMostRanked];
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_FEW_NEAREST_H_
