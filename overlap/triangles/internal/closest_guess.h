// SPDX-License-Identifier: Apache-2.0

// A guess, in plain double, of the closest features of two shapes. The guess is
// nearly always right. Other code certifies it. Private.
//
//   PairGuess guess = GuessClosest(s, t);
//   SquaredRange range = RangeOf(guess.ToDifference(s, t));
//
// Any finite input is legal. If products overflow, the guess is arbitrary.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_GUESS_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_GUESS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/closest_range.h"

namespace orbox {

// A vertex, edge or face of a triangle, and a point of this feature. The first
// `size` (1 to 3) of the corners span the feature. The point is corner[0] + sum
// of coefficient[i] * (corner[i + 1] - corner[0]).
struct Feature {
  size_t size = 1;
  std::array<size_t, 3> corner{0, 1, 2};
  std::array<double, 2> coefficient{0, 0};

  Vec3 PointOn(const Triangle& t) const;

 private:
  // PointOn for an edge whose length is above the largest double.
  ORBOX_EXPORT Vec3 PointOnLongest(const Triangle& t) const;
};

struct PointGuess {
  Feature feature;
  Difference ToDifference(const Vec3& p, const Triangle& t) const;
};

struct PairGuess {
  Feature first;
  Feature second;
  // True if the search has found closest features. Triangles that overlap have
  // none.
  bool is_found = false;
  Difference ToDifference(const Triangle& s, const Triangle& t) const;
};

// Ericson, "Real-Time Collision Detection", 5.1.5, by Voronoi regions.
ORBOX_EXPORT PointGuess GuessClosest(const Vec3& p, const Triangle& t);

// Tests pairs of edges until one pair separates the triangles. If none does,
// tests vertices against faces.
ORBOX_EXPORT PairGuess GuessClosest(const Triangle& s, const Triangle& t);

struct EdgePair {
  double s;
  double t;
  Vec3 difference;  // from a + s (b - a) to c + t (d - c)
};

// Returns the closest points of the segments ab and cd.
EdgePair ClosestOnEdges(const Vec3& a, const Vec3& b, const Vec3& c,
                        const Vec3& d);

// Implementation.

inline Vec3 Feature::PointOn(const Triangle& t) const {
  // Coefficients that the feature does not use are zero.
  const Vec3& base = t[corner[0]];
  const Vec3 p = base + (coefficient[0] * (t[corner[1]] - base) +
                         coefficient[1] * (t[corner[2]] - base));
  return IsFinite(p) ? p : PointOnLongest(t);
}

inline Difference PointGuess::ToDifference(const Vec3& p,
                                           const Triangle& t) const {
  const Vec3& base = t[feature.corner[0]];
  return {.from = &p,
          .to = &base,
          .generators = {{{&base, &t[feature.corner[1]]},
                          {&base, &t[feature.corner[2]]}}},
          .generator_count = 2,
          .coefficients = feature.coefficient,
          .active_count = feature.size - 1,
          .on_one_face = feature.size == 3};
}

inline Difference PairGuess::ToDifference(const Triangle& s,
                                          const Triangle& t) const {
  const Vec3& from = s[first.corner[0]];
  const Vec3& to = t[second.corner[0]];
  const Difference::Generator all[4] = {{&s[first.corner[1]], &from},
                                        {&s[first.corner[2]], &from},
                                        {&to, &t[second.corner[1]]},
                                        {&to, &t[second.corner[2]]}};
  const double coefficients[4] = {first.coefficient[0], first.coefficient[1],
                                  second.coefficient[0], second.coefficient[1]};
  // The active generators come first, depending on the sizes of the two
  // features.
  constexpr uint8_t kFirst[3][3][4] = {
      {{0, 1, 2, 3}, {2, 0, 1, 3}, {2, 3, 0, 1}},
      {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 2, 3, 1}},
      {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}}};
  const auto& order = kFirst[first.size - 1][second.size - 1];
  return {.from = &from,
          .to = &to,
          .generators = {{all[order[0]], all[order[1]], all[order[2]],
                          all[order[3]]}},
          .generator_count = 4,
          .coefficients = {coefficients[order[0]], coefficients[order[1]]},
          .active_count = first.size + second.size - 2,
          .on_one_face = first.size == 3 || second.size == 3};
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_GUESS_H_
