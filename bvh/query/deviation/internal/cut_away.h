// SPDX-License-Identifier: Apache-2.0

// The rest of a triangle after removal of the points that are within a distance
// of another triangle. Private.
//
//   CutAway cut(near, id, enough);
//   if (!cut.From(corners, middle)) ...          // too little was cut
//   for (const SampledCorners& part : cut.left()) ...
//
// The points that are near enough to one triangle are a convex set. The set is
// cut away along chords, so the rest contains all points that are not near
// enough and a few that are. The rest is returned as triangles. Their new
// corners are points of the edges, rounded. Each corner has its distance from
// the other triangle.
#ifndef ORBOX_BVH_QUERY_DEVIATION_INTERNAL_CUT_AWAY_H_
#define ORBOX_BVH_QUERY_DEVIATION_INTERNAL_CUT_AWAY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/bvh/query/points/internal/distance_sample.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class CutAway {
 public:
  // Requires that `near` has this id.
  CutAway(const Triangle& near, uint64_t id, double enough)
      : near_(near), id_(id), enough_(enough) {}

  // Cuts a triangle. Call it once. `middle` is a point of the triangle that is
  // near enough. Returns false if the cut removes too little of the triangle,
  // or if numbers are too large for the computation.
  bool From(const SampledCorners& corners, const Vec3& middle);

  std::span<const SampledCorners> left() const {
    return {left_.data(), count_};
  }
  // Upper bound of the distance of the points that were cut away.
  double upper() const { return upper_; }

  static constexpr size_t kMost = 8;

 private:
  struct Corner {
    DistanceSample sample;
    // Distance from the other triangle.
    PlainDistance near;
  };
  using Corners = std::array<Corner, 3>;

  Corner At(const Vec3& p) const;
  bool IsIn(const Corner& corner) const {
    return corner.near.distance <= enough_;
  }
  void Cut(const Corners& corners, int depth);
  // Searches for a point that is near enough on an edge whose ends are not.
  // Returns false if it finds none.
  bool FindIn(const Corner& p, const Corner& q, Corner* in) const;
  // Returns the last point on the way from `in`, which is near enough, to
  // `out`, which is not, that is certainly near enough.
  Corner LastIn(const Corner& in, const Corner& out) const;
  void Keep(const Corner& p, const Corner& q, const Corner& r);

  const Triangle near_;
  const uint64_t id_;
  const double enough_;
  double upper_ = 0;
  size_t count_ = 0;
  bool is_uncut_ = false;
  std::array<SampledCorners, kMost> left_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_DEVIATION_INTERNAL_CUT_AWAY_H_
