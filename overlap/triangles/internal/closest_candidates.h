// SPDX-License-Identifier: Apache-2.0

// Which features of two triangles may hold their closest points? Private: for
// pairs with several features as close as each other, or nearly so, as parallel
// faces and edges have.
//
//   ClosestCandidates candidates(s, t);
//   PairGuess closest;
//   SquaredRange range = RangeOfClosest(s, t, candidates, &closest);
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CANDIDATES_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CANDIDATES_H_

#include <array>
#include <cstddef>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_range.h"

namespace orbox {

// The corners at the ends of the edges of a triangle.
constexpr std::array<std::array<size_t, 2>, 3> kEdges{{{0, 1}, {0, 2}, {1, 2}}};

// Lower bounds of the distances of features, in double: rough, and safe. About
// a microsecond to construct.
class ClosestCandidates {
 public:
  ClosestCandidates(const Triangle& s, const Triangle& t);

  // Leaves out those that are farther by ranges in double-double, which takes
  // about as long again: triangles that nearly coincide have many features that
  // double takes for the closest.
  void Narrow(const Triangle& s, const Triangle& t);

  // Whether to look at vertex i of either triangle against the whole of the
  // other, and at edge i of the first against edge j of the second.
  bool HasVertexOfFirst(size_t i) const { return Keeps(first_[i]); }
  bool HasVertexOfSecond(size_t i) const { return Keeps(second_[i]); }
  bool HasEdges(size_t i, size_t j) const { return Keeps(edges_[i][j]); }

 private:
  bool Keeps(double bound) const { return !(bound > limit_); }  // NaN is kept

  double VertexBound(const Vec3& p, const Triangle& t);
  double EdgeBound(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

  double least_;  // the smallest distance seen
  double limit_;
  std::array<double, 3> first_;
  std::array<double, 3> second_;
  std::array<std::array<double, 3>, 3> edges_;
};

// The certified range of the smallest squared distance among all candidates,
// and the features that have it. Requires triangles that do not meet.
SquaredRange RangeOfClosest(const Triangle& s, const Triangle& t,
                            const ClosestCandidates& candidates,
                            PairGuess* closest);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CANDIDATES_H_
