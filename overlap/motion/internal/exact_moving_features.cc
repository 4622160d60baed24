// SPDX-License-Identifier: Apache-2.0

// The last stage of moving_features.h. It decides every case, by the number
// types of ladder.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/motion/internal/moving_features.h"
#include "orbox/overlap/motion/internal/moving_polynomials.h"
#include "orbox/overlap/motion/internal/real_roots.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox {
namespace {

// Finds the first contact of features in one number type.
template <typename Number>
class FirstMeeting {
 public:
  FirstMeeting(const MovingFeatures& features, const TimeCells& cells,
               Judge<Number>* judge)
      : features_(features), cells_(cells), judge_(judge) {}

  FeatureContact Find() {
    const auto& p = features_.points;
    const Polynomial volume = PolynomialOf(moving::VolumeOf<Number>(features_));
    const bool is_corner = features_.kind == MovingFeatureKind::kCornerFace;
    if (!volume.IsZero()) {
      KeepFirst(std::span(&volume, 1), [&](Root& t) {
        return is_corner ? IsInFaceAt(t) : DoEdgesMeetAt(t);
      });
    } else if (is_corner) {
      // The corner is always in the plane of the face, so it must cross an
      // edge.
      for (size_t i = 0; i < 3; ++i) {
        KeepFirst(CornerEdge(p[0], p[1 + i], p[1 + (i + 1) % 3], judge_));
      }
    } else {
      for (size_t i = 0; i < 4; ++i) KeepFirst(End(i));
    }
    return best_;
  }

 private:
  using Polynomial = RealPolynomial<Number>;
  using PolynomialVec = std::array<Polynomial, 3>;
  using Root = RealRoot<Number>;

  template <size_t kDegree>
  static Polynomial PolynomialOf(const moving::Form<kDegree, Number>& form,
                                 Judge<Number>* judge) {
    return Polynomial(std::span<const Number>(form.c), judge);
  }
  template <size_t kDegree>
  Polynomial PolynomialOf(const moving::Form<kDegree, Number>& form) const {
    return PolynomialOf(form, judge_);
  }
  template <size_t kDegree>
  static PolynomialVec PolynomialsOf(const moving::FormVec<kDegree, Number>& v,
                                     Judge<Number>* judge) {
    return {PolynomialOf(v[0], judge), PolynomialOf(v[1], judge),
            PolynomialOf(v[2], judge)};
  }

  struct CornerEdge {
    CornerEdge(const MovingPoint& p, const MovingPoint& a, const MovingPoint& b,
               Judge<Number>* judge)
        : area(PolynomialsOf(moving::AreaOf<Number>(a, b, p), judge)),
          to_a(PolynomialsOf(moving::Difference<Number>(a, p), judge)),
          to_b(PolynomialsOf(moving::Difference<Number>(b, p), judge)) {}

    bool MeetAt(Root& t, Judge<Number>* judge) const {
      for (size_t k = 0; k < 3; ++k) {
        if (t.SignOf(area[k], judge) != 0) return false;
        if (t.SignOf(to_a[k], judge) * t.SignOf(to_b[k], judge) > 0) {
          return false;
        }
      }
      return true;
    }

    PolynomialVec area;
    PolynomialVec to_a;
    PolynomialVec to_b;
  };

  // Returns the pair of end i of one edge and the other edge.
  CornerEdge End(size_t i) const {
    const auto& p = features_.points;
    const size_t other = i < 2 ? 2 : 0;
    return {p[i], p[other], p[other + 1], judge_};
  }

  PolynomialVec AreaAt(size_t i) const {
    return PolynomialsOf(moving::AreaOf<Number>(features_, i), judge_);
  }

  bool IsInFaceAt(Root& t) const {
    const std::array<PolynomialVec, 3> areas{AreaAt(0), AreaAt(1), AreaAt(2)};
    for (size_t axis = 0; axis < 3; ++axis) {
      const std::array<int, 3> signs{t.SignOf(areas[0][axis], judge_),
                                     t.SignOf(areas[1][axis], judge_),
                                     t.SignOf(areas[2][axis], judge_)};
      const auto [least, most] = std::ranges::minmax(signs);
      if (least < 0 && most > 0) return false;
      // Projected along this axis, the face has an area: the sum of these
      // areas.
      if (least != 0 || most != 0) return true;
    }
    return false;
  }

  bool DoEdgesMeetAt(Root& t) const {
    const std::array<PolynomialVec, 4> areas{AreaAt(0), AreaAt(1), AreaAt(2),
                                             AreaAt(3)};
    for (size_t axis = 0; axis < 3; ++axis) {
      const int a = t.SignOf(areas[0][axis], judge_);
      const int b = t.SignOf(areas[1][axis], judge_);
      const int c = t.SignOf(areas[2][axis], judge_);
      const int d = t.SignOf(areas[3][axis], judge_);
      if (a * b > 0 || c * d > 0) return false;
      // Projected along this axis, the edges are not parallel.
      if (a != b || c != d) return true;
    }
    // The edges are parallel, or one has no length. If they touch, an end of
    // one touches the other.
    for (size_t i = 0; i < 4; ++i) {
      if (End(i).MeetAt(t, judge_)) return true;
    }
    return false;
  }

  // Keeps the first time at which all components are zero and `accepts` returns
  // true: the start, or a common root. All common roots are roots of any
  // component that is not the zero polynomial.
  template <typename Accepts>
  void KeepFirst(std::span<const Polynomial> components,
                 const Accepts& accepts) {
    if (judge_->is_undecided()) return;
    Root start{Number()};
    const auto vanishes = [&](const Polynomial& c) {
      return start.SignOf(c, judge_) == 0;
    };
    if (std::ranges::all_of(components, vanishes) && accepts(start)) {
      return Keep(&start);
    }
    const auto f = std::ranges::find_if_not(components, &Polynomial::IsZero);
    if (f == components.end()) return;
    for (Root& root : RootsUpToOne(*f, judge_)) {
      if (accepts(root)) return Keep(&root);
      if (judge_->is_undecided()) return;
    }
  }

  // KeepFirst for a corner that is always in one plane with the edge.
  void KeepFirst(const CornerEdge& pair) {
    const auto accepts = [&](Root& t) { return pair.MeetAt(t, judge_); };
    if (!std::ranges::all_of(pair.area, &Polynomial::IsZero)) {
      return KeepFirst(pair.area, accepts);
    }
    // The corner is always on the line of the edge: either it is on the edge at
    // the start, or it must pass an end.
    if (Root start{Number()}; accepts(start)) return Keep(&start);
    KeepFirst(pair.to_a, accepts);
    KeepFirst(pair.to_b, accepts);
  }

  // Keeps the cell of a root: the cell of a double just before the root, or the
  // next cell.
  void Keep(Root* root) {
    root->RefineTo(cells_.width(), judge_);
    double lo = judge_->RoundedQuotient(root->lo(), Number(1));
    if (judge_->Sign(Number(lo) - root->lo()) > 0) {
      lo = std::nextafter(lo, -kInfinity);
    }
    const double next = cells_.EndOf(lo);
    if (next < 1) {
      const std::array<Number, 2> after{Number(-next), Number(1)};
      if (root->SignOf(Polynomial(after, judge_), judge_) >= 0) lo = next;
    }
    const double end = cells_.EndOf(lo);
    if (best_.verdict == FeatureVerdict::kContact && best_.latest <= end)
      return;
    best_ = {FeatureVerdict::kContact, cells_.StartOf(lo), end};
  }

  const MovingFeatures& features_;
  const TimeCells& cells_;
  Judge<Number>* judge_;
  FeatureContact best_;
};

}  // namespace

FeatureContact ContactExactly(const MovingFeatures& features,
                              const TimeCells& cells, Arithmetic* used) {
  // The greatest common divisors of areas and volumes are products of up to 21
  // coordinates.
  constexpr int kSize = 30;
  return DecideScaled(
      EndsOf(features),
      [&](const auto& scaled) {
        const MovingFeatures f = FromEnds(features.kind, scaled);
        return [f, cells]<typename Number>(Judge<Number>& judge) {
          return FirstMeeting<Number>(f, cells, &judge).Find();
        };
      },
      used, kSize);
}

}  // namespace orbox
