// SPDX-License-Identifier: Apache-2.0

// The exact stage of moving_features.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/internal/numbers/exact_number.h"
#include "orbox/overlap/motion/internal/moving_features.h"
#include "orbox/overlap/motion/internal/real_roots.h"

namespace orbox {
namespace {

using PolynomialVec = std::array<ExactPolynomial, 3>;

PolynomialVec Difference(const MovingPoint& p, const MovingPoint& q) {
  PolynomialVec d;
  for (size_t k = 0; k < 3; ++k) {
    const Exact from = Exact(p.from[k]) - Exact(q.from[k]);
    const Exact to = Exact(p.to[k]) - Exact(q.to[k]);
    d[k] = ExactPolynomial({from, to - from});
  }
  return d;
}

PolynomialVec Cross(const PolynomialVec& a, const PolynomialVec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

ExactPolynomial Dot(const PolynomialVec& a, const PolynomialVec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

PolynomialVec Area(const MovingPoint& a, const MovingPoint& b,
                   const MovingPoint& p) {
  return Cross(Difference(b, a), Difference(p, a));
}

bool IsZero(const PolynomialVec& v) {
  return v[0].IsZero() && v[1].IsZero() && v[2].IsZero();
}

RealRoot Start() { return {ExactPolynomial(), Exact(), Exact()}; }

// The first time at which all components vanish and `meets` returns true: at
// the start, or at one of their roots. A component that is not zero has all of
// them.
template <typename Meets>
std::optional<RealRoot> FirstRoot(std::span<const ExactPolynomial> components,
                                  Meets meets) {
  RealRoot start = Start();
  const auto vanishes = [&start](const ExactPolynomial& c) {
    return start.SignOf(c) == 0;
  };
  if (std::ranges::all_of(components, vanishes) && meets(start)) return start;
  const auto f = std::ranges::find_if_not(components, &ExactPolynomial::IsZero);
  if (f == components.end()) return std::nullopt;
  for (RealRoot& root : RootsUpToOne(*f)) {
    if (meets(root)) return root;
  }
  return std::nullopt;
}

void KeepEarliest(std::optional<RealRoot> root, double tolerance,
                  FeatureContact* best) {
  if (!root) return;
  root->RefineTo(Exact(tolerance));
  // The exact times, except that isolation may have made intervals shorter than
  // doubles can express.
  double lo = root->lo().ToDouble();
  double hi = root->hi().ToDouble();
  if (Exact(lo) > root->lo()) lo = std::nextafter(lo, -kInfinity);
  if (Exact(hi) < root->hi()) hi = std::nextafter(hi, kInfinity);
  if (best->verdict == FeatureVerdict::kNone) {
    *best = {FeatureVerdict::kContact, lo, hi};
  } else {
    best->earliest = std::min(best->earliest, lo);
    best->latest = std::min(best->latest, hi);
  }
}

// A corner and an edge.
class CornerEdge {
 public:
  CornerEdge(const MovingPoint& p, const MovingPoint& a, const MovingPoint& b)
      : area_(Area(a, b, p)),
        to_a_(Difference(a, p)),
        to_b_(Difference(b, p)) {}

  bool MeetAt(RealRoot& t) const {
    for (size_t k = 0; k < 3; ++k) {
      if (t.SignOf(area_[k]) != 0) return false;
      if (t.SignOf(to_a_[k]) * t.SignOf(to_b_[k]) > 0) return false;
    }
    return true;
  }

  // For a corner that always stays in one plane with the edge.
  void KeepFirst(double tolerance, FeatureContact* best) const {
    const auto meets = [this](RealRoot& t) { return MeetAt(t); };
    if (!IsZero(area_)) {
      KeepEarliest(FirstRoot(area_, meets), tolerance, best);
      return;
    }
    // Always on one line: the corner is on the edge, or has to pass an end.
    if (RealRoot start = Start(); MeetAt(start)) {
      KeepEarliest(start, tolerance, best);
      return;
    }
    KeepEarliest(FirstRoot(to_a_, meets), tolerance, best);
    KeepEarliest(FirstRoot(to_b_, meets), tolerance, best);
  }

 private:
  PolynomialVec area_;
  PolynomialVec to_a_;
  PolynomialVec to_b_;
};

FeatureContact CornerFaceContact(const std::array<MovingPoint, 4>& p,
                                 double tolerance) {
  FeatureContact best;
  const ExactPolynomial volume =
      Dot(Cross(Difference(p[2], p[1]), Difference(p[3], p[1])),
          Difference(p[0], p[1]));
  if (volume.IsZero()) {
    // Always in one plane: the corner has to cross an edge.
    for (size_t i = 0; i < 3; ++i) {
      CornerEdge(p[0], p[1 + i], p[1 + (i + 1) % 3])
          .KeepFirst(tolerance, &best);
    }
    return best;
  }
  const std::array<PolynomialVec, 3> areas{
      Area(p[1], p[2], p[0]), Area(p[2], p[3], p[0]), Area(p[3], p[1], p[0])};
  const auto meets = [&areas](RealRoot& t) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const std::array<int, 3> signs{t.SignOf(areas[0][axis]),
                                     t.SignOf(areas[1][axis]),
                                     t.SignOf(areas[2][axis])};
      const auto [least, most] = std::ranges::minmax(signs);
      if (least < 0 && most > 0) return false;
      // Projected along this axis the face has an area: their sum.
      if (least != 0 || most != 0) return true;
    }
    return false;
  };
  KeepEarliest(FirstRoot(std::span(&volume, 1), meets), tolerance, &best);
  return best;
}

FeatureContact EdgeEdgeContact(const std::array<MovingPoint, 4>& p,
                               double tolerance) {
  FeatureContact best;
  const std::array<CornerEdge, 4> ends{
      CornerEdge(p[0], p[2], p[3]), CornerEdge(p[1], p[2], p[3]),
      CornerEdge(p[2], p[0], p[1]), CornerEdge(p[3], p[0], p[1])};
  const ExactPolynomial volume =
      Dot(Cross(Difference(p[1], p[0]), Difference(p[3], p[2])),
          Difference(p[2], p[0]));
  if (volume.IsZero()) {
    for (const CornerEdge& end : ends) end.KeepFirst(tolerance, &best);
    return best;
  }
  const std::array<PolynomialVec, 4> areas{
      Area(p[0], p[1], p[2]), Area(p[0], p[1], p[3]), Area(p[2], p[3], p[0]),
      Area(p[2], p[3], p[1])};
  const auto meets = [&areas, &ends](RealRoot& t) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const int a = t.SignOf(areas[0][axis]);
      const int b = t.SignOf(areas[1][axis]);
      const int c = t.SignOf(areas[2][axis]);
      const int d = t.SignOf(areas[3][axis]);
      if (a * b > 0 || c * d > 0) return false;
      // Projected along this axis they are not parallel.
      if (a != b || c != d) return true;
    }
    // Parallel, or without length: if they meet, an end does.
    return std::ranges::any_of(
        ends, [&t](const CornerEdge& end) { return end.MeetAt(t); });
  };
  KeepEarliest(FirstRoot(std::span(&volume, 1), meets), tolerance, &best);
  return best;
}

}  // namespace

FeatureContact ContactExactly(const MovingFeatures& features,
                              double tolerance) {
  return features.kind == FeatureKind::kCornerFace
             ? CornerFaceContact(features.points, tolerance)
             : EdgeEdgeContact(features.points, tolerance);
}

}  // namespace orbox
