// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/triangle_distance.h"

#include <utility>

#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/internal/closest_candidates.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_range.h"
#include "orbox/overlap/triangles/internal/exact_triangles.h"
#include "orbox/overlap/triangles/internal/on_segment.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"
#include "orbox/overlap/triangles/internal/triangle_order.h"

namespace orbox {
namespace {

// Returns true if double shows that the point is on one of the edges.
bool IsOnEdge(const Vec3& p, const Triangle& t) {
  return IsOnSegment(p, t.a, t.b) || IsOnSegment(p, t.b, t.c) ||
         IsOnSegment(p, t.c, t.a);
}

// Sets *result if the range decides the rounded distance. Returns false if it
// does not.
bool GetDistance(const SquaredRange& range, const PairGuess& guess,
                 const Triangle& s, const Triangle& t,
                 TrianglePairDistance* result) {
  if (!RoundSqrt(range, &result->distance)) return false;
  result->on_first = guess.first.PointOn(s);
  result->on_second = guess.second.PointOn(t);
  return true;
}

// Returns the distance of triangles that do not overlap. Called if one pair of
// features does not decide.
TrianglePairDistance DistanceApart(const Triangle& s, const Triangle& t,
                                   ArithmeticCounts* counts) {
  const ClosestCandidates candidates(s, t);
  PairGuess closest;
  const SquaredRange range = RangeOfClosest(s, t, candidates, &closest);
  TrianglePairDistance result;
  if (GetDistance(range, closest, s, t, &result)) {
    Count(Arithmetic::kDouble, counts);
    return result;
  }
  Arithmetic used = Arithmetic::kDouble;
  result = exact::Distance(s, t, &used);
  Count(used, counts);
  return result;
}

// Adds one count for the highest arithmetic in `added`.
void Add(const ArithmeticCounts& added, ArithmeticCounts* counts) {
  if (counts != nullptr) Count(added.Highest(), counts);
}

// Sets *result to the distance, computed in a better unit. Returns false if
// there is no better unit.
bool GetRescaled(const Vec3& p, const Triangle& t, ArithmeticCounts* counts,
                 PointTriangleDistance* result) {
  const auto scaled = Rescaled<4>({p, t.a, t.b, t.c});
  if (!scaled.has_value()) return false;
  ArithmeticCounts used;
  *result = Distance((*scaled)[0], scaled->At(1), &used);
  if (!scaled->UnscaleLength(&result->distance) ||
      !scaled->UnscalePoint(&result->closest)) {
    return false;
  }
  Add(used, counts);
  return true;
}
bool GetRescaled(const Triangle& s, const Triangle& t, ArithmeticCounts* counts,
                 TrianglePairDistance* result) {
  const auto scaled = Rescaled<6>({s.a, s.b, s.c, t.a, t.b, t.c});
  if (!scaled.has_value()) return false;
  ArithmeticCounts used;
  *result = Distance(scaled->At(0), scaled->At(3), &used);
  if (!scaled->UnscaleLength(&result->distance) ||
      !scaled->UnscalePoint(&result->on_first) ||
      !scaled->UnscalePoint(&result->on_second)) {
    return false;
  }
  Add(used, counts);
  return true;
}

// Distance for triangles that are sorted and given in ascending order.
TrianglePairDistance SortedDistance(const Triangle& s, const Triangle& t,
                                    ArithmeticCounts* counts) {
  const PairGuess guess = GuessClosest(s, t);
  TrianglePairDistance result;
  if (guess.is_found &&
      GetDistance(RangeOf(guess.ToDifference(s, t)), guess, s, t, &result)) {
    Count(Arithmetic::kDouble, counts);
    return result;
  }
  if (GetRescaled(s, t, counts, &result)) return result;
  ArithmeticCounts contact_counts;
  const TriangleContact contact = ContactOf(s, t, &contact_counts);
  if (!contact.IsEmpty()) {
    Count(contact_counts.Highest(), counts);
    return {0, contact.points()[0], contact.points()[0]};
  }
  return DistanceApart(s, t, counts);
}

}  // namespace

PointTriangleDistance Distance(const Vec3& p, const Triangle& t,
                               ArithmeticCounts* counts) {
  const Triangle sorted = Sorted(t);
  const PointGuess guess = GuessClosest(p, sorted);
  PointTriangleDistance result;
  if (RoundSqrt(RangeOf(guess.ToDifference(p, sorted)), &result.distance)) {
    Count(Arithmetic::kDouble, counts);
    result.closest = guess.feature.PointOn(sorted);
    return result;
  }
  if (IsOnEdge(p, sorted)) {
    Count(Arithmetic::kDouble, counts);
    // The result is p, except that -0 becomes +0, as rounding does.
    return {0, p + Vec3{}};
  }
  if (GetRescaled(p, sorted, counts, &result)) return result;
  Arithmetic used = Arithmetic::kDouble;
  result = exact::Distance(p, sorted, &used);
  Count(used, counts);
  return result;
}

TrianglePairDistance Distance(const Triangle& s, const Triangle& t,
                              ArithmeticCounts* counts) {
  const Triangle first = Sorted(s);
  const Triangle second = Sorted(t);
  if (!IsBefore(second, first)) return SortedDistance(first, second, counts);
  TrianglePairDistance result = SortedDistance(second, first, counts);
  std::swap(result.on_first, result.on_second);
  return result;
}

double DistanceBetween(const Triangle& s, const Triangle& t,
                       ArithmeticCounts* counts) {
  // A correctly rounded distance does not depend on the order of corners.
  const PairGuess guess = GuessClosest(s, t);
  double distance = 0;
  if (guess.is_found &&
      RoundSqrt(RangeOf(guess.ToDifference(s, t)), &distance)) {
    Count(Arithmetic::kDouble, counts);
    return distance;
  }
  return Distance(s, t, counts).distance;
}

}  // namespace orbox
