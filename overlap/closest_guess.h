// Which features of two shapes are closest to each other, in plain double:
// a guess that is nearly always right, and that others certify. Private.
//
//   ClosestGuess guess = GuessClosest(s, t);
//   SquaredRange range = RangeOf(guess.ToDifference(s, t));
//
// Any finite input is legal; where products overflow the guess is arbitrary.
#ifndef ORBOX_OVERLAP_CLOSEST_GUESS_H_
#define ORBOX_OVERLAP_CLOSEST_GUESS_H_

#include <array>
#include <cstddef>

#include "orbox/overlap/closest_range.h"
#include "orbox/overlap/shapes.h"

namespace orbox {

// A vertex, edge or face of a triangle, and a point of it: the first `size`
// (1 to 3) of the corners span the feature, and the point is
// corner[0] + sum of coefficient[i] * (corner[i + 1] - corner[0]).
struct Feature {
  size_t size = 1;
  std::array<size_t, 3> corner{0, 1, 2};
  std::array<double, 2> coefficient{0, 0};

  Vec3 PointOn(const Triangle& t) const;
};

struct PointGuess {
  Feature feature;
  Difference ToDifference(const Vec3& p, const Triangle& t) const;
};

struct PairGuess {
  Feature first;
  Feature second;
  Difference ToDifference(const Triangle& s, const Triangle& t) const;
};

// Ericson, "Real-Time Collision Detection", 5.1.5, by Voronoi regions.
PointGuess GuessClosest(const Vec3& p, const Triangle& t);

// Pairs of edges until one is seen to separate the triangles, then vertices
// against faces. Of triangles that meet, nothing is claimed.
PairGuess GuessClosest(const Triangle& s, const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_CLOSEST_GUESS_H_
