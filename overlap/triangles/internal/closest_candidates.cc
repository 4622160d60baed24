// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/closest_candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// The minimum of several ranges.
class SmallestRange {
 public:
  // Adds a range. Returns true if it is the smallest so far.
  bool Add(const SquaredRange& range) {
    is_certified_ = is_certified_ && range.is_certified;
    ranges_[count_++] = range;
    const bool improves =
        count_ == 1 || Difference(range.value, ranges_[best_].value) < 0;
    if (improves) best_ = count_ - 1;
    return improves;
  }

  // Allows for a value that is at most `slack` below the added ones.
  void AllowBelow(double slack) { slack_ = std::max(slack_, slack); }
  void Fail() { is_certified_ = false; }

  SquaredRange Get() const {
    if (count_ == 0) return {};
    SquaredRange result = ranges_[best_];
    for (size_t i = 0; i < count_; ++i) {
      result.below =
          std::max(result.below, Difference(result.value, ranges_[i].value) +
                                     ranges_[i].below);
    }
    // The factor covers the rounding errors of differences and sums.
    result.below =
        (result.below + slack_) * (1 + 0x1p-20) + 0x1p-104 * result.value.hi;
    result.is_certified = is_certified_;
    return result;
  }

 private:
  static double Difference(const DoubleDouble& a, const DoubleDouble& b) {
    return (a.hi - b.hi) + (a.lo - b.lo);
  }

  std::array<SquaredRange, 15> ranges_;
  size_t count_ = 0;
  size_t best_ = 0;
  double slack_ = 0;
  bool is_certified_ = true;
};

// Returns the feature of the segment with corners 0 and 1 at a fraction.
Feature OnSegment(double fraction) {
  if (!(fraction > 0)) return {1, {0, 1, 2}, {0, 0}};
  if (!(fraction < 1)) return {1, {1, 0, 2}, {0, 0}};
  return {2, {0, 1, 2}, {fraction, 0}};
}

// Returns a bound of how much closer, as a squared distance, the insides of the
// two edges may be than their ends. Requires edges that are too close to
// parallel for a certified range. Derivation: start at the closest points and
// move along the edge e, staying as close to the other edge as possible. Until
// an end of either edge is reached, the squared distance grows by at most |e|^2
// times the squared sine of the angle. That is |e x f|^2 / |f|^2. The bound
// also holds with e and f exchanged.
double ParallelSlack(const Vec3& e, const Vec3& f) {
  const double ee = SquaredNorm(e);
  const double ff = SquaredNorm(f);
  // In double, the error of |e x f| is at most 2^-50 |e| |f|.
  const double cross = Norm(Cross(e, f)) + 0x1p-50 * std::sqrt(ee * ff);
  return (1 + 0x1p-20) * cross * cross / std::max(ee, ff);
}

// Returns the range of two edges. Sets the two features that seem to contain
// their closest points.
SquaredRange RangeOfEdges(const Vec3& a, const Vec3& b, const Vec3& c,
                          const Vec3& d, Feature* on_first,
                          Feature* on_second) {
  const EdgePair pair = ClosestOnEdges(a, b, c, d);
  const Feature on_s = *on_first = OnSegment(pair.s);
  const Feature on_t = *on_second = OnSegment(pair.t);
  const Vec3* const p[2] = {&a, &b};
  const Vec3* const q[2] = {&c, &d};
  const Vec3* const from = p[on_s.corner[0]];
  const Vec3* const to = q[on_t.corner[0]];
  const orbox::Difference::Generator first{p[on_s.corner[1]], from};
  const orbox::Difference::Generator second{to, q[on_t.corner[1]]};
  const bool second_first = on_s.size == 1 && on_t.size == 2;
  return RangeOf({.from = from,
                  .to = to,
                  .generators = {{second_first ? second : first,
                                  second_first ? first : second}},
                  .generator_count = 2,
                  .coefficients = {second_first ? on_t.coefficient[0]
                                                : on_s.coefficient[0],
                                   second_first ? 0 : on_t.coefficient[0]},
                  .active_count = on_s.size + on_t.size - 2,
                  .on_one_face = false});
}

void AddEdges(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
              const std::array<size_t, 2>& i, const std::array<size_t, 2>& j,
              SmallestRange* smallest, PairGuess* closest) {
  // The ranges of vertices include the ends of edges. Only points inside both
  // edges are added here.
  Feature on_s;
  Feature on_t;
  const SquaredRange range = RangeOfEdges(a, b, c, d, &on_s, &on_t);
  if (!range.is_certified) {
    const double slack = ParallelSlack(b - a, d - c);
    // Not certified if lengths underflow or overflow.
    slack <= 0x1p300 && slack >= 0x1p-300 ? smallest->AllowBelow(slack)
                                          : smallest->Fail();
    return;
  }
  if (!smallest->Add(range)) return;
  *closest = {on_s, on_t, true};
  for (size_t k = 0; k < 2; ++k) {
    closest->first.corner[k] = i[on_s.corner[k]];
    closest->second.corner[k] = j[on_t.corner[k]];
  }
  closest->first.corner[2] = 3 - i[0] - i[1];
  closest->second.corner[2] = 3 - j[0] - j[1];
}

}  // namespace

ClosestCandidates::ClosestCandidates(const Triangle& s, const Triangle& t)
    : least_(kInfinity), limit_(kInfinity) {
  double reach = 0;
  for (const Vec3& p : {s.b, s.c, t.a, t.b, t.c}) {
    reach = std::max(reach, MaxCoordinate(Abs(p - s.a)));
  }
  for (size_t i = 0; i < 3; ++i) {
    first_[i] = VertexBound(s[i], t);
    second_[i] = VertexBound(t[i], s);
    for (size_t j = 0; j < 3; ++j) {
      edges_[i][j] = EdgeBound(s[kEdges[i][0]], s[kEdges[i][1]],
                               t[kEdges[j][0]], t[kEdges[j][1]]);
    }
  }
  // 2^-30 and 64 u are far more than the rounding errors of the bounds,
  // relative to the bounds and to the extent of the triangles. If products
  // overflow or underflow, all candidates are kept.
  if (reach >= 0x1p-200 && reach <= 0x1p200) {
    limit_ = least_ * (1 + 0x1p-30) + 0x1p-47 * reach;
  }
}

void ClosestCandidates::Narrow(const Triangle& s, const Triangle& t) {
  double least = std::numeric_limits<double>::max();
  // Returns a lower bound of the square, and lowers `least` to its upper bound.
  // Errors of ranges are doubled to cover the rounding of sums. Candidates
  // without a certified range are kept.
  const auto lower = [&least](const SquaredRange& range) {
    if (!range.is_certified) return -kInfinity;
    const double square = range.value.hi;
    least = std::min(least, (square + 2 * range.above) * (1 + 0x1p-50));
    return (square - 2 * range.below) * (1 - 0x1p-50);
  };
  const auto of_vertex = [&](double bound, const Vec3& p, const Triangle& of) {
    return Keeps(bound)
               ? lower(RangeOf(GuessClosest(p, of).ToDifference(p, of)))
               : kInfinity;
  };
  for (size_t i = 0; i < 3; ++i) {
    first_[i] = of_vertex(first_[i], s[i], t);
    second_[i] = of_vertex(second_[i], t[i], s);
    for (size_t j = 0; j < 3; ++j) {
      Feature on_s, on_t;
      double& edges = edges_[i][j];
      edges = Keeps(edges)
                  ? lower(RangeOfEdges(s[kEdges[i][0]], s[kEdges[i][1]],
                                       t[kEdges[j][0]], t[kEdges[j][1]], &on_s,
                                       &on_t))
                  : kInfinity;
    }
  }
  limit_ = least;
}

// The bound is the distance to a plane at right angles to r. The triangle is on
// the other side of this plane.
double ClosestCandidates::VertexBound(const Vec3& p, const Triangle& t) {
  // The triangle relative to p. Far from the origin, rounding a point of t at
  // its original position would cause an error that is large compared with the
  // extent of the triangle.
  const Triangle seen{t.a - p, t.b - p, t.c - p};
  const Vec3 r = GuessClosest(Vec3(), seen).feature.PointOn(seen);
  const double length = Norm(r);
  least_ = std::min(least_, length);
  return std::min({Dot(r, seen.a), Dot(r, seen.b), Dot(r, seen.c)}) / length;
}

double ClosestCandidates::EdgeBound(const Vec3& a, const Vec3& b, const Vec3& c,
                                    const Vec3& d) {
  const Vec3 r = ClosestOnEdges(a, b, c, d).difference;
  const double length = Norm(r);
  least_ = std::min(least_, length);
  return (std::min(Dot(r, c - a), Dot(r, d - a)) -
          std::max(0.0, Dot(r, b - a))) /
         length;
}

SquaredRange RangeOfClosest(const Triangle& s, const Triangle& t,
                            const ClosestCandidates& candidates,
                            PairGuess* closest) {
  SmallestRange smallest;
  for (size_t i = 0; i < 3; ++i) {
    const Feature vertex{1, {i, kEdges[2 - i][0], kEdges[2 - i][1]}, {0, 0}};
    if (candidates.HasVertexOfFirst(i)) {
      const PointGuess guess = GuessClosest(s[i], t);
      if (smallest.Add(RangeOf(guess.ToDifference(s[i], t)))) {
        *closest = {vertex, guess.feature, true};
      }
    }
    if (candidates.HasVertexOfSecond(i)) {
      const PointGuess guess = GuessClosest(t[i], s);
      if (smallest.Add(RangeOf(guess.ToDifference(t[i], s)))) {
        *closest = {guess.feature, vertex, true};
      }
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      if (!candidates.HasEdges(i, j)) continue;
      AddEdges(s[kEdges[i][0]], s[kEdges[i][1]], t[kEdges[j][0]],
               t[kEdges[j][1]], kEdges[i], kEdges[j], &smallest, closest);
    }
  }
  return smallest.Get();
}

}  // namespace orbox
