// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/exact_triangles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/closest_candidates.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_pair.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox::exact {
namespace {

// Doubles: the stages that require numbers in range. Integers: the last stage.
struct Doubles {
  template <typename Formula>
  static auto TryDecideSign(const Formula& formula, Arithmetic* used) {
    return TryDecide<Bounded, LongBounded, Expansion>(formula, used);
  }
  template <typename Formula>
  static auto TryDecideValue(const Formula& formula, Arithmetic* used) {
    return TryDecide<LongBounded, Expansion>(formula, used);
  }
};
struct Integers {
  template <typename Formula>
  static auto TryDecideSign(const Formula& formula, Arithmetic* used) {
    return TryDecide<Exact>(formula, used);
  }
  template <typename Formula>
  static auto TryDecideValue(const Formula& formula, Arithmetic* used) {
    return TryDecide<Exact>(formula, used);
  }
};

// Pairs of features whose closest points are inside both. The closest points of
// the shapes are among them, unless a sign is undecided.
class FeaturePairs {
 public:
  bool is_undecided() const { return is_undecided_; }
  void SetUndecided() { is_undecided_ = true; }
  void Add(const FeaturePair& pair) { pairs_[count_++] = pair; }
  std::span<const FeaturePair> all() const { return {pairs_.data(), count_}; }

  template <typename Rungs>
  void AddIfInside(const FeaturePair& pair, Arithmetic* used) {
    const std::optional<bool> is_inside = Rungs::TryDecideSign(
        [&]<typename Number>(Judge<Number>& judge) {
          return FeatureGeometry<Number>(pair).IsInside(&judge);
        },
        used);
    if (!is_inside.has_value()) SetUndecided();
    if (is_inside.value_or(false)) Add(pair);
  }

  // Returns call(closest, judge) for the closest of the pairs. Returns nullopt
  // if the result is undecided.
  template <typename Rungs, typename Call>
  auto OfClosest(const Call& call, Arithmetic* used) const {
    const auto formula = [&]<typename Number>(Judge<Number>& judge) {
      Closest<Number> closest;
      for (size_t i = 0; i < count_; ++i) closest.Add(pairs_[i]);
      return call(closest, judge);
    };
    using Answer = decltype(Rungs::TryDecideValue(formula, used));
    return is_undecided_ ? Answer() : Rungs::TryDecideValue(formula, used);
  }

 private:
  size_t count_ = 0;
  bool is_undecided_ = false;
  std::array<FeaturePair, kMostFeaturePairs> pairs_;
};

FeaturePair PairOf(const Vec3& p, const Triangle& t, const Feature& feature) {
  constexpr FeatureKind kKinds[3] = {FeatureKind::kVertices,
                                     FeatureKind::kVertexEdge,
                                     FeatureKind::kVertexFace};
  return {kKinds[feature.size - 1],
          {&p, &t[feature.corner[0]], &t[feature.corner[1]],
           &t[feature.corner[2]]}};
}

// Returns true if p is in the Voronoi region of the feature. The closest point
// on the span of the feature is then inside the feature, and no point of the
// triangle is closer to p.
template <typename Number>
bool IsInRegion(const FeaturePair& pair, Judge<Number>* judge) {
  if (pair.kind == FeatureKind::kVertexFace) {
    return FeatureGeometry<Number>(pair).IsInside(judge);
  }
  const auto& [p, a, b, c] = pair.points;
  const Point<Number> w = Difference<Number>(*p, *a);
  const Point<Number> e = Difference<Number>(*b, *a);
  const Point<Number> f = Difference<Number>(*c, *a);
  if (pair.kind == FeatureKind::kVertices) {
    return judge->Sign(Dot(w, e)) <= 0 && judge->Sign(Dot(w, f)) <= 0;
  }
  return FeatureGeometry<Number>(pair).IsInside(judge) &&
         judge->Sign(Dot(Cross(e, f), Cross(e, w))) <= 0;
}

// Returns the one feature of the triangle that is closest to p.
template <typename Rungs>
FeaturePairs FeaturesOf(const Vec3& p, const Triangle& t, Arithmetic* used) {
  FeaturePairs pairs;
  const auto add = [&](const Feature& feature) {
    const FeaturePair pair = PairOf(p, t, feature);
    const std::optional<bool> is_closest = Rungs::TryDecideSign(
        [&]<typename Number>(Judge<Number>& judge) {
          return IsInRegion<Number>(pair, &judge);
        },
        used);
    if (!is_closest.has_value()) pairs.SetUndecided();
    if (is_closest.value_or(false)) pairs.Add(pair);
    return is_closest.value_or(true);
  };
  if (add(GuessClosest(p, t).feature)) return pairs;
  for (size_t size = 3; size > 0; --size) {
    for (size_t i = 0; i < (size == 3 ? 1 : 3); ++i) {
      if (add({size, {i, (i + 1) % 3, (i + 2) % 3}})) return pairs;
    }
  }
  return pairs;  // not reached: the regions cover all of space
}

// Returns true if an earlier corner is equal to corner i. Only the first one of
// equal corners is used, with its edges.
bool IsRepeated(const Triangle& t, size_t i) {
  return (i > 0 && t[i] == t[0]) || (i > 1 && t[i] == t[1]);
}
bool IsRepeatedEdge(const Triangle& t, size_t edge) {
  const auto& [i, j] = kEdges[edge];
  return t[i] == t[j] || (edge == 1 && t[2] == t[1]) ||
         (edge == 2 && t[1] == t[0]);
}

// Returns the features that pairs of doubles cannot distinguish from the
// closest ones. For a vertex, only one feature of the other triangle is
// closest. If two vertices are the closest features, one of them is enough to
// find the pair.
template <typename Rungs>
FeaturePairs FeaturesOf(const Triangle& s, const Triangle& t,
                        Arithmetic* used) {
  ClosestCandidates candidates(s, t);
  candidates.Narrow(s, t);
  FeaturePairs pairs;
  FeaturePairs others;  // appended after the pairs of all vertices
  for (size_t i = 0; i < 3; ++i) {
    if (!candidates.HasVertexOfFirst(i) || IsRepeated(s, i)) continue;
    const FeaturePairs closest = FeaturesOf<Rungs>(s[i], t, used);
    if (closest.is_undecided()) pairs.SetUndecided();
    for (const FeaturePair& pair : closest.all()) {
      (pair.kind == FeatureKind::kVertices ? pairs : others).Add(pair);
    }
  }
  for (const FeaturePair& pair : others.all()) pairs.Add(pair);
  for (size_t i = 0; i < 3; ++i) {
    if (!candidates.HasVertexOfSecond(i) || IsRepeated(t, i)) continue;
    const FeaturePairs closest = FeaturesOf<Rungs>(t[i], s, used);
    if (closest.is_undecided()) pairs.SetUndecided();
    for (FeaturePair pair : closest.all()) {
      pair.is_swapped = true;
      if (pair.kind != FeatureKind::kVertices) pairs.Add(pair);
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      if (!candidates.HasEdges(i, j) || IsRepeatedEdge(s, i) ||
          IsRepeatedEdge(t, j)) {
        continue;
      }
      pairs.AddIfInside<Rungs>({FeatureKind::kEdges,
                                {&s[kEdges[i][0]], &s[kEdges[i][1]],
                                 &t[kEdges[j][0]], &t[kEdges[j][1]]}},
                               used);
    }
  }
  return pairs;
}

// A point and a triangle, or two triangles, scaled to a unit in which numbers
// are in range, if there is one.
struct PointShapes {
  PointShapes(const Vec3& p, const Triangle& t)
      : scaled({p, t.a, t.b, t.c}), first(scaled[0]), second(scaled.At(1)) {}
  ScaledPoints<4> scaled;
  Vec3 first;
  Triangle second;
};
struct PairShapes {
  PairShapes(const Triangle& s, const Triangle& t)
      : scaled({s.a, s.b, s.c, t.a, t.b, t.c}),
        first(scaled.At(0)),
        second(scaled.At(3)) {}
  ScaledPoints<6> scaled;
  Triangle first;
  Triangle second;
};
PointShapes ShapesOf(const Vec3& p, const Triangle& t) { return {p, t}; }
PairShapes ShapesOf(const Triangle& s, const Triangle& t) { return {s, t}; }

// Returns the result of `call` for the closest points, in double if the unit of
// the shapes allows it. `unscale(&answer)` converts the result back to the unit
// of the shapes, and returns false if it cannot.
template <typename Shape, typename Call, typename Unscale>
auto AnswerFor(const Shape& s, const Triangle& t, Arithmetic* used,
               const Call& call, const Unscale& unscale) {
  auto shapes = ShapesOf(s, t);
  const auto call_scaled = [&](const auto& closest, auto& judge) {
    return call(closest, judge, shapes.scaled);
  };
  if (shapes.scaled.is_exact()) {
    Arithmetic lower = Arithmetic::kDouble;
    const FeaturePairs pairs =
        FeaturesOf<Doubles>(shapes.first, shapes.second, &lower);
    auto answer = pairs.OfClosest<Doubles>(call_scaled, &lower);
    if (answer.has_value() && unscale(shapes.scaled, &*answer) &&
        shapes.scaled.is_exact()) {
      Raise(used, lower);
      return *answer;
    }
  }
  auto whole = ScaledPoints<1>::Unscaled();
  const auto call_whole = [&](const auto& closest, auto& judge) {
    return call(closest, judge, whole);
  };
  return *FeaturesOf<Integers>(s, t, used)
              .template OfClosest<Integers>(call_whole, used);
}

// The rounded root is zero only if the root is zero.
template <typename Number>
double RoundedRoot(const Ratio<Number>& squared, Judge<Number>* judge) {
  const double root =
      judge->RoundedSqrtOfQuotient(squared.numerator, squared.denominator);
  if (root != 0 || judge->Sign(squared.numerator) == 0) return root;
  return std::numeric_limits<double>::denorm_min();
}

template <typename Shape>
TrianglePairDistance SolveDistance(const Shape& s, const Triangle& t,
                                   Arithmetic* used) {
  return AnswerFor(
      s, t, used,
      []<typename Number>(const Closest<Number>& closest, Judge<Number>& judge,
                          const auto& /*scaled*/) {
        const FeatureGeometry<Number>& features = closest.features();
        const auto root = [&](const Ratio<Number>& squared) {
          return RoundedRoot(squared, &judge);
        };
        TrianglePairDistance d;
        d.distance = closest.Agreed(&judge, root);
        d.on_first = features.OnFirst(&judge);
        d.on_second = features.OnSecond(&judge);
        return d;
      },
      [](const auto& scaled, TrianglePairDistance* d) {
        return scaled.UnscaleLength(&d->distance) &&
               scaled.UnscalePoint(&d->on_first) &&
               scaled.UnscalePoint(&d->on_second);
      });
}

template <typename Shape>
int Compare(const Shape& s, const Triangle& t, double limit, Arithmetic* used) {
  return AnswerFor(
      s, t, used,
      [&]<typename Number>(const Closest<Number>& closest, Judge<Number>& judge,
                           auto& scaled) {
        const Number d = scaled.Scaled(limit);
        return closest.Agreed(&judge, [&](const Ratio<Number>& squared) {
          return judge.Sign(squared.numerator - d * d * squared.denominator);
        });
      },
      [](const auto& /*scaled*/, int* /*order*/) { return true; });
}

// The rounded squared distance, and the sign of (the squared distance) -
// `nearest`.
struct RoundedSquare {
  double nearest;
  int order;

  friend bool operator==(const RoundedSquare&, const RoundedSquare&) = default;
};

// Returns the neighbouring doubles that enclose the squared distance.
template <typename Shape>
DistanceInterval SquaredBounds(const Shape& s, const Triangle& t) {
  const RoundedSquare square = AnswerFor(
      s, t, nullptr,
      []<typename Number>(const Closest<Number>& closest, Judge<Number>& judge,
                          const auto& /*scaled*/) {
        return closest.Agreed(&judge, [&](const Ratio<Number>& squared) {
          const double nearest =
              judge.RoundedQuotient(squared.numerator, squared.denominator);
          if (std::isinf(nearest)) return RoundedSquare{nearest, -1};
          return RoundedSquare{
              nearest,
              judge.Sign(squared.numerator - squared.denominator * nearest)};
        });
      },
      [](const auto& scaled, RoundedSquare* answer) {
        return scaled.Unscale(&answer->nearest) &&
               scaled.Unscale(&answer->nearest);
      });
  const double nearest = square.nearest;
  return {square.order < 0 ? std::nextafter(nearest, -kInfinity) : nearest,
          square.order > 0 ? std::nextafter(nearest, kInfinity) : nearest};
}

// Returns true if `axis` strictly separates the box [lo, hi] from the triangle.
template <typename Number>
bool Separates(const Point<Number>& axis, const Point<Number>& lo,
               const Point<Number>& hi, const Corners<Number>& t,
               Judge<Number>* judge) {
  Number box_lo, box_hi;
  for (size_t i = 0; i < 3; ++i) {
    const bool up = judge->Sign(axis[i]) >= 0;
    box_lo = box_lo + axis[i] * (up ? lo[i] : hi[i]);
    box_hi = box_hi + axis[i] * (up ? hi[i] : lo[i]);
  }
  bool above = true, below = true;
  for (const Point<Number>& p : t) {
    const Number height = Dot(axis, p);
    above = above && judge->Sign(height - box_hi) > 0;
    below = below && judge->Sign(height - box_lo) < 0;
  }
  return above || below;
}

// Separating axes: the three of the box, the normal of the triangle, and the
// nine products of a box axis and a triangle edge. These also suffice for flat
// boxes and degenerate triangles: making them a little thicker along the box
// axes adds no new axis, and does not make disjoint compact sets overlap.
template <typename Number>
bool BoxOverlaps(const Point<Number>& lo, const Point<Number>& hi,
                 const Corners<Number>& t, uint32_t axes,
                 Judge<Number>* judge) {
  const Point<Number> units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto separates = [&](const Point<Number>& axis) {
    return Separates(axis, lo, hi, t, judge);
  };
  for (size_t k = 0; k < 3; ++k) {
    if ((axes & BoxAxes::Along(k)) != 0 && separates(units[k])) return false;
  }
  if ((axes & BoxAxes::kNormal) != 0 &&
      separates(Cross(t[1] - t[0], t[2] - t[0]))) {
    return false;
  }
  for (size_t edge = 0; edge < 3; ++edge) {
    for (size_t k = 0; k < 3; ++k) {
      if ((axes & BoxAxes::Across(k, edge)) != 0 &&
          separates(Cross(units[k], t[(edge + 1) % 3] - t[edge]))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool Overlaps(const Aabb& box, const Triangle& t, uint32_t axes,
              Arithmetic* used) {
  const auto overlaps = [&](const auto& points) {
    return [&]<typename Number>(Judge<Number>& judge) {
      return BoxOverlaps(Lift<Number>(points[0]), Lift<Number>(points[1]),
                         Lift<Number>(points.At(2)), axes, &judge);
    };
  };
  return DecideScaled<5>({box.lo, box.hi, t.a, t.b, t.c}, overlaps, used);
}

// The map x -> (axes[i] . (x - center)) turns the box into an AABB and the
// triangle into a triangle. A point is in the box if and only if its image is
// in the AABB. This holds even if the map is not a rotation.
bool Overlaps(const Obb& box, const Triangle& t, uint32_t axes,
              Arithmetic* used) {
  const auto overlaps = [&](const auto& points) {
    return [&]<typename Number>(Judge<Number>& judge) {
      const Point<Number> extents = Lift<Number>(points[1]);
      Corners<Number> image;
      for (size_t i = 0; i < 3; ++i) {
        const Point<Number> w = Difference<Number>(points[2 + i], points[0]);
        image[i] = {Dot(Lift<Number>(box.axes[0]), w),
                    Dot(Lift<Number>(box.axes[1]), w),
                    Dot(Lift<Number>(box.axes[2]), w)};
      }
      return BoxOverlaps(-extents, extents, image, axes, &judge);
    };
  };
  return DecideScaled<5>({box.center, box.half_extents, t.a, t.b, t.c},
                         overlaps, used);
}

int CompareDistance(const Vec3& p, const Triangle& t, double limit,
                    Arithmetic* used) {
  return Compare(p, t, limit, used);
}

int CompareDistance(const Triangle& s, const Triangle& t, double limit,
                    Arithmetic* used) {
  return Compare(s, t, limit, used);
}

DistanceInterval BoundsOfSquaredDistance(const Vec3& p, const Triangle& t) {
  return SquaredBounds(p, t);
}

DistanceInterval BoundsOfSquaredDistance(const Triangle& s, const Triangle& t) {
  return SquaredBounds(s, t);
}

PointTriangleDistance Distance(const Vec3& p, const Triangle& t,
                               Arithmetic* used) {
  const TrianglePairDistance d = SolveDistance(p, t, used);
  return {d.distance, d.on_second};
}

TrianglePairDistance Distance(const Triangle& s, const Triangle& t,
                              Arithmetic* used) {
  return SolveDistance(s, t, used);
}

}  // namespace orbox::exact
