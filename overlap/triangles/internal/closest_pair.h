// SPDX-License-Identifier: Apache-2.0

// Candidates for the minimum of the squared distance of two triangles, or of a
// point and a triangle, over any number type (ladder.h). Private to
// exact_triangles.cc.
//
// The closest points are in the relative interiors of one pair of features (a
// vertex, an edge without its ends, a face without its boundary). There, they
// are also the closest points of the points, lines or planes that the features
// span.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_PAIR_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_PAIR_H_

#include <array>
#include <cstddef>
#include <optional>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/exact_points.h"

namespace orbox::exact {

enum class FeatureKind { kVertices, kVertexEdge, kVertexFace, kEdges };

// The points of both features, in this order: two vertices; a vertex and an
// edge; a vertex and a face; two edges.
struct FeaturePair {
  FeatureKind kind;
  std::array<const Vec3*, 4> points;
  bool is_swapped = false;  // the vertex belongs to the second triangle
};

// Two triangles have 9 pairs of vertices, 9 pairs of edges, and 24 pairs of a
// vertex and an edge or a face.
inline constexpr size_t kMostFeaturePairs = 42;

// Geometry of one pair of features.
template <typename Number>
class FeatureGeometry {
 public:
  explicit FeatureGeometry(const FeaturePair& pair) : pair_(pair) {}

  // Returns true if the closest points of the two spans are inside both
  // features and are unique.
  bool IsInside(Judge<Number>* judge) const {
    switch (pair_.kind) {
      case FeatureKind::kVertices:
        return true;
      case FeatureKind::kVertexEdge: {
        const Point<Number> d = Way(1, 2);
        return IsBetween(Dot(Way(1, 0), d), SquaredNorm(d), judge);
      }
      case FeatureKind::kVertexFace:
        return IsOverFace(judge);
      case FeatureKind::kEdges:
        return AreCrossing(judge);
    }
    return false;
  }

  // Returns the squared distance of the spans.
  Ratio<Number> Squared() const {
    switch (pair_.kind) {
      case FeatureKind::kVertices:
        return {SquaredNorm(Way(0, 1))};
      case FeatureKind::kVertexEdge: {
        const Point<Number> d = Way(1, 2);
        return {SquaredNorm(Cross(Way(1, 0), d)), SquaredNorm(d)};
      }
      case FeatureKind::kVertexFace:
      case FeatureKind::kEdges:
        break;
    }
    const Across& a = AcrossBoth();
    return {a.height * a.height, a.nn};
  }

  // Returns the closest points of the spans, rounded.
  Vec3 OnFirst(Judge<Number>* judge) const {
    return pair_.is_swapped ? OnLast(judge) : OnFront(judge);
  }
  Vec3 OnSecond(Judge<Number>* judge) const {
    return pair_.is_swapped ? OnFront(judge) : OnLast(judge);
  }

 private:
  const Vec3& At(size_t i) const { return *pair_.points[i]; }
  Point<Number> Way(size_t from, size_t to) const {
    return Difference<Number>(At(to), At(from));
  }

  // Returns a vector at right angles to both features.
  Point<Number> Normal() const {
    return pair_.kind == FeatureKind::kEdges ? Cross(Way(0, 1), Way(2, 3))
                                             : Cross(Way(1, 2), Way(1, 3));
  }
  // Returns a vector from one feature to the other.
  Point<Number> Between() const {
    return pair_.kind == FeatureKind::kEdges ? Way(0, 2) : Way(1, 0);
  }

  // Values for the distance and the closest points of a vertex and a face, or
  // of two edges.
  struct Across {
    Point<Number> n;
    Number height;  // from one feature to the other, times |n|
    Number nn;      // |n|^2
  };
  const Across& AcrossBoth() const {
    if (!across_.has_value()) {
      const Point<Number> n = Normal();
      across_ = {n, Dot(n, Between()), SquaredNorm(n)};
    }
    return *across_;
  }

  static bool IsBetween(const Number& x, const Number& limit,
                        Judge<Number>* judge) {
    return judge->Sign(x) > 0 && judge->Sign(limit - x) > 0;
  }

  bool IsOverFace(Judge<Number>* judge) const {
    if (At(1) == At(2) || At(2) == At(3) || At(1) == At(3)) return false;
    const Point<Number> n = Normal();
    const Point<Number> w = Way(1, 0);
    const Number v = Dot(Cross(w, Way(1, 3)), n);
    if (judge->Sign(v) <= 0) return false;
    const Number u = Dot(Cross(Way(1, 2), w), n);
    return judge->Sign(u) > 0 && judge->Sign(SquaredNorm(n) - (v + u)) > 0;
  }

  // Returns false for parallel edges: then a pair with a vertex is equally
  // close.
  bool AreCrossing(Judge<Number>* judge) const {
    const Point<Number> n = Normal();
    const Point<Number> w = Between();
    const Number s = Dot(Cross(w, Way(2, 3)), n);
    if (judge->Sign(s) <= 0) return false;
    const Number t = Dot(Cross(w, Way(0, 1)), n);
    if (judge->Sign(t) <= 0) return false;
    const Number nn = SquaredNorm(n);
    return judge->Sign(nn - s) > 0 && judge->Sign(nn - t) > 0;
  }

  // Returns the vertex, except that -0 becomes +0, as in rounding.
  Vec3 Vertex(size_t i) const { return At(i) + Vec3{}; }

  Vec3 OnFront(Judge<Number>* judge) const {
    if (pair_.kind != FeatureKind::kEdges) return Vertex(0);
    const Across& a = AcrossBoth();
    return RationalPoint<Number>{
        .base = Lift<Number>(At(0)),
        .offset = Way(0, 1) * Dot(Cross(Way(0, 2), Way(2, 3)), a.n),
        .denominator = a.nn}
        .Rounded(judge);
  }

  Vec3 OnLast(Judge<Number>* judge) const {
    switch (pair_.kind) {
      case FeatureKind::kVertices:
        return Vertex(1);
      case FeatureKind::kVertexEdge: {
        const Point<Number> d = Way(1, 2);
        return RationalPoint<Number>{.base = Lift<Number>(At(1)),
                                     .offset = d * Dot(Way(1, 0), d),
                                     .denominator = SquaredNorm(d)}
            .Rounded(judge);
      }
      case FeatureKind::kVertexFace: {
        const Across& a = AcrossBoth();
        return OffsetPoint(At(0), a.n, -a.height, a.nn, judge);
      }
      case FeatureKind::kEdges:
        break;
    }
    const Across& a = AcrossBoth();
    return RationalPoint<Number>{
        .base = Lift<Number>(At(2)),
        .offset = Way(2, 3) * Dot(Cross(Way(0, 2), Way(0, 1)), a.n),
        .denominator = a.nn}
        .Rounded(judge);
  }

  FeaturePair pair_;
  mutable std::optional<Across> across_;
};

// The closest one of several pairs of features. Pairs whose order is undecided
// in these numbers are also kept.
template <typename Number>
class Closest {
 public:
  // Requires features whose closest points are inside both.
  void Add(const FeaturePair& pair) {
    const FeatureGeometry<Number> features(pair);
    const Ratio<Number> squared = features.Squared();
    const std::optional<int> order =
        count_ == 0 ? -1 : CertainOrder(squared, squared_);
    if (!order.has_value()) {
      undecided_[undecided_count_++] = pair;
    } else if (*order < 0) {
      squared_ = squared;
      best_ = features;
    }
    ++count_;
  }

  // Returns the first one of the pairs that may be the closest.
  const FeatureGeometry<Number>& features() const { return *best_; }

  // Returns call(the squared distance). If another pair that may be closer
  // gives a different result, marks the judge as undecided.
  template <typename Call>
  auto Agreed(Judge<Number>* judge, const Call& call) const {
    const auto answer = call(squared_);
    for (size_t i = 0; i < undecided_count_; ++i) {
      const Ratio<Number> other =
          FeatureGeometry<Number>(undecided_[i]).Squared();
      const int order = CertainOrder(other, squared_).value_or(-1);
      if (order < 0 && call(other) != answer) judge->SetUndecided();
    }
    return answer;
  }

 private:
  static std::optional<int> CertainOrder(const Ratio<Number>& x,
                                         const Ratio<Number>& y) {
    return CertainSign<Number>(x.numerator * y.denominator -
                               y.numerator * x.denominator);
  }

  size_t count_ = 0;
  std::optional<FeatureGeometry<Number>> best_;
  Ratio<Number> squared_;
  size_t undecided_count_ = 0;
  std::array<FeaturePair, kMostFeaturePairs> undecided_;
};

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_PAIR_H_
