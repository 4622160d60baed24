// SPDX-License-Identifier: Apache-2.0

// What is left of a triangle without what is within a distance of another one?
// Private.
//
//   CutAway cut(near, id, enough);
//   if (!cut.From(corners, middle)) ...          // most of it is left
//   for (const SampledCorners& part : cut.left()) ...
//
// The points that are near enough to one triangle are a convex set. It is cut
// away along chords, so that what is left is more than what is not near enough,
// and is told in triangles. Their new corners are points of the edges of those
// before, but for rounding, and what is known of them is their distance from
// that triangle.
#ifndef ORBOX_BVH_QUERY_INTERNAL_CUT_AWAY_H_
#define ORBOX_BVH_QUERY_INTERNAL_CUT_AWAY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/bvh/query/internal/distance_sample.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class CutAway {
 public:
  // `near` has this id.
  CutAway(const Triangle& near, uint64_t id, double enough)
      : near_(near), id_(id), enough_(enough) {}

  // Cuts a triangle, once. `middle` is a point of it that is near enough. False
  // where most of it is left, or where numbers are too large to tell.
  bool From(const SampledCorners& corners, const Vec3& middle);

  std::span<const SampledCorners> left() const {
    return {left_.data(), count_};
  }
  // No point of the triangle is farther from the other one.
  double upper() const { return upper_; }

  static constexpr size_t kMost = 8;

 private:
  struct Corner {
    DistanceSample sample;
    // From the other triangle.
    PlainDistance near;
  };
  using Corners = std::array<Corner, 3>;

  Corner At(const Vec3& p) const;
  bool IsIn(const Corner& corner) const {
    return corner.near.distance <= enough_;
  }
  void Cut(const Corners& corners, int depth);
  // Finds a point that is in on an edge whose ends are both out, if one is in
  // sight.
  bool FindIn(const Corner& p, const Corner& q, Corner* in) const;
  // The last point from one that is in to one that is out that is surely in.
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

#endif  // ORBOX_BVH_QUERY_INTERNAL_CUT_AWAY_H_
