// SPDX-License-Identifier: Apache-2.0

// The features of two triangles that may contain their closest points. Private.
// Serves pairs of triangles with several features that are about equally close,
// for example parallel faces and edges.
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

// Lower bounds of the distances of features, in double. The bounds are rough
// but certain. Construction takes about a microsecond.
class ClosestCandidates {
 public:
  ClosestCandidates(const Triangle& s, const Triangle& t);

  // Removes candidates that are certainly farther, by ranges in double-double.
  // Takes about another microsecond. Serves triangles that nearly coincide: in
  // double, many of their features are equally close.
  void Narrow(const Triangle& s, const Triangle& t);

  // Returns true if a pair of features is a candidate: vertex i of one triangle
  // and the whole other triangle, or edge i of the first and edge j of the
  // second.
  bool HasVertexOfFirst(size_t i) const { return Keeps(first_[i]); }
  bool HasVertexOfSecond(size_t i) const { return Keeps(second_[i]); }
  bool HasEdges(size_t i, size_t j) const { return Keeps(edges_[i][j]); }

 private:
  bool Keeps(double bound) const { return !(bound > limit_); }  // NaN is kept

  double VertexBound(const Vec3& p, const Triangle& t);
  double EdgeBound(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

  double least_;  // the smallest distance so far
  double limit_;
  std::array<double, 3> first_;
  std::array<double, 3> second_;
  std::array<std::array<double, 3>, 3> edges_;
};

// Returns the certified range of the smallest squared distance among all
// candidates. Sets *closest to the features with this distance. Requires
// triangles that do not overlap.
SquaredRange RangeOfClosest(const Triangle& s, const Triangle& t,
                            const ClosestCandidates& candidates,
                            PairGuess* closest);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CANDIDATES_H_
