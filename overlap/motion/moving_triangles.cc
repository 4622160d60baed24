// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/moving_triangles.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "orbox/overlap/motion/internal/apart_until.h"
#include "orbox/overlap/motion/internal/moving_features.h"
#include "orbox/overlap/motion/internal/moving_neighbors.h"
#include "orbox/overlap/motion/internal/time_cells.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// A time after all contacts.
constexpr double kUnknown = 2;

using Corners = std::array<MovingPoint, 3>;

Corners CornersOf(const MovingTriangle& t) {
  return {{{t.from.a, t.to.a}, {t.from.b, t.to.b}, {t.from.c, t.to.c}}};
}

auto Key(const Vec3& p) { return std::tie(p.x, p.y, p.z); }

bool IsBefore(const MovingPoint& p, const MovingPoint& q) {
  return std::tuple(Key(p.from), Key(p.to)) <
         std::tuple(Key(q.from), Key(q.to));
}

// An interval of coordinates.
struct CoordinateRange {
  double lo = HUGE_VAL;
  double hi = -HUGE_VAL;
  void Add(double x) {
    lo = std::min(lo, x);
    hi = std::max(hi, x);
  }
};
// Returns true if all coordinates of s are below those of t, or all above, by
// more than `error`, at the start and at the end. This then holds at all times
// between.
bool AreSeparatedAlong(const std::array<CoordinateRange, 2>& s,
                       const std::array<CoordinateRange, 2>& t, double error) {
  return (s[0].hi + error < t[0].lo && s[1].hi + error < t[1].lo) ||
         (t[0].hi + error < s[0].lo && t[1].hi + error < s[1].lo);
}

// Both triangles, scaled so that the largest coordinate is less than 1, in an
// order that does not depend on the order of the arguments.
class MovingPair {
 public:
  MovingPair(const MovingTriangle& s, const MovingTriangle& t)
      : s_(CornersOf(s)), t_(CornersOf(t)) {
    double largest = 0;
    for (const Corners* corners : {&s_, &t_}) {
      for (const MovingPoint& p : *corners) {
        largest = std::max(
            {largest, MaxCoordinate(Abs(p.from)), MaxCoordinate(Abs(p.to))});
      }
    }
    is_finite_ = IsAllFinite();
    // Scaled in two steps, because the power of two itself may be out of range.
    const int exponent =
        is_finite_ && largest > 0 ? -std::ilogb(largest) - 1 : 0;
    first_scale_ = std::ldexp(1.0, exponent / 2);
    second_scale_ = std::ldexp(1.0, exponent - exponent / 2);
  }

  bool is_finite() const { return is_finite_; }

  // Returns true if a fixed plane separates the triangles all the time: a plane
  // at right angles to an axis, or one parallel to either triangle at half
  // time.
  bool AreSeparated() const {
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto extent = [axis](const Corners& corners) {
        std::array<CoordinateRange, 2> e;
        for (const MovingPoint& p : corners) {
          e[0].Add(p.from[axis]);
          e[1].Add(p.to[axis]);
        }
        return e;
      };
      if (AreSeparatedAlong(extent(s_), extent(t_), 0)) return true;
    }
    return AreSeparatedAcross(s_) || AreSeparatedAcross(t_);
  }

  // Returns true if the triangles certainly have no common point except their
  // common corners.
  bool StayApart(std::span<const SharedCorner> shared) const {
    if (shared.size() != 1 && shared.size() != 2) return false;
    // Common corners come first.
    Corners s;
    Corners t;
    std::array<bool, 3> in_s{};
    std::array<bool, 3> in_t{};
    size_t count = 0;
    for (const SharedCorner& pair : shared) {
      s[count] = Scaled(s_[pair.of_first]);
      t[count++] = Scaled(t_[pair.of_second]);
      in_s[pair.of_first] = true;
      in_t[pair.of_second] = true;
    }
    for (size_t i = 0, j = count, k = count; i < 3; ++i) {
      if (!in_s[i]) s[j++] = Scaled(s_[i]);
      if (!in_t[i]) t[k++] = Scaled(t_[i]);
    }
    return shared.size() == 1 ? StayApartAtCorner(s, t) : StayApartAtEdge(s, t);
  }

  // Sorts corners and triangles, so that their order in the arguments does not
  // matter. Updates `shared`.
  void Sort(std::span<SharedCorner> shared) {
    const auto sort = [&](Corners& corners, size_t SharedCorner::*of) {
      std::array<size_t, 3> order{0, 1, 2};
      std::ranges::stable_sort(order, [&](size_t i, size_t j) {
        return IsBefore(corners[i], corners[j]);
      });
      const Corners old = corners;
      for (size_t i = 0; i < 3; ++i) corners[i] = old[order[i]];
      for (SharedCorner& pair : shared) {
        pair.*of = static_cast<size_t>(std::ranges::find(order, pair.*of) -
                                       order.begin());
      }
    };
    sort(s_, &SharedCorner::of_first);
    sort(t_, &SharedCorner::of_second);
    if (std::ranges::lexicographical_compare(t_, s_, IsBefore)) {
      std::swap(s_, t_);
      for (SharedCorner& pair : shared) {
        std::swap(pair.of_first, pair.of_second);
      }
    }
  }

  // Calls visit(features) for every pair of edges, and for every corner and the
  // face of the other triangle, if the two have no common corner.
  template <typename Visit>
  void ForEachFeaturePair(std::span<const SharedCorner> shared,
                          Visit visit) const {
    const auto is_shared = [shared](size_t i, size_t j) {
      return std::ranges::any_of(shared, [=](const SharedCorner& pair) {
        return pair.of_first == i && pair.of_second == j;
      });
    };
    const auto is_any = [&](size_t i, bool of_s) {
      return (of_s ? is_shared(i, 0) : is_shared(0, i)) ||
             (of_s ? is_shared(i, 1) : is_shared(1, i)) ||
             (of_s ? is_shared(i, 2) : is_shared(2, i));
    };
    for (size_t i = 0; i < 3; ++i) {
      for (size_t j = 0; j < 3; ++j) {
        const size_t k = (i + 1) % 3;
        const size_t l = (j + 1) % 3;
        if (is_shared(i, j) || is_shared(i, l) || is_shared(k, j) ||
            is_shared(k, l)) {
          continue;
        }
        visit(MovingFeatures{MovingFeatureKind::kEdgeEdge,
                             {s_[i], s_[k], t_[j], t_[l]}});
      }
    }
    for (size_t i = 0; i < 3; ++i) {
      if (!is_any(i, true)) {
        visit(MovingFeatures{MovingFeatureKind::kCornerFace,
                             {s_[i], t_[0], t_[1], t_[2]}});
      }
      if (!is_any(i, false)) {
        visit(MovingFeatures{MovingFeatureKind::kCornerFace,
                             {t_[i], s_[0], s_[1], s_[2]}});
      }
    }
  }

  MovingFeatures Scaled(MovingFeatures features) const {
    for (MovingPoint& p : features.points) p = Scaled(p);
    return features;
  }

 private:
  Vec3 Scaled(const Vec3& p) const { return p * first_scale_ * second_scale_; }

  MovingPoint Scaled(const MovingPoint& p) const {
    return {Scaled(p.from), Scaled(p.to)};
  }

  bool IsAllFinite() const {
    for (const Corners* corners : {&s_, &t_}) {
      for (const MovingPoint& p : *corners) {
        if (!IsFinite(p.from) || !IsFinite(p.to)) return false;
      }
    }
    return true;
  }

  // Tests along the normal of `face` at half time. A rounded direction of the
  // normal is sufficient. `error` covers the rounding of products with the
  // normal.
  bool AreSeparatedAcross(const Corners& face) const {
    const auto middle = [this](const MovingPoint& p) {
      return Scaled(p.from) + Scaled(p.to);
    };
    const Vec3 a = middle(face[0]);
    const Vec3 n = Cross(middle(face[1]) - a, middle(face[2]) - a);
    const double size = std::abs(n.x) + std::abs(n.y) + std::abs(n.z);
    // Coordinates are below 1. So the sum of the three products is at most
    // `size`, with a rounding error of three units each.
    const double error = 0x1p-49 * size + 0x1p-1000;
    const auto extent = [&](const Corners& corners) {
      std::array<CoordinateRange, 2> e;
      for (const MovingPoint& p : corners) {
        e[0].Add(Dot(n, Scaled(p.from)));
        e[1].Add(Dot(n, Scaled(p.to)));
      }
      return e;
    };
    return AreSeparatedAlong(extent(s_), extent(t_), error);
  }

  Corners s_;
  Corners t_;
  bool is_finite_ = false;
  double first_scale_ = 1;
  double second_scale_ = 1;
};

// Returns the first contact of all pairs of features, for triangles that are
// apart at the start. May omit contacts of features that are apart until
// `known`.
std::optional<MotionContact> FirstOfFeatures(
    const MovingPair& pair, std::span<const SharedCorner> shared,
    const MotionContactOptions& options, double known,
    ArithmeticCounts* counts) {
  const TimeCells cells(options.tolerance);
  MotionContact best{2, 2};
  Arithmetic used = Arithmetic::kDouble;
  pair.ForEachFeaturePair(shared, [&](const MovingFeatures& features) {
    // The cell of a contact that is reported may begin at max_t.
    const double limit = std::min(options.max_t + cells.width(), best.latest);
    if (known <= 1 && AreApartUntil(features, known)) return;
    const MovingFeatures scaled = pair.Scaled(features);
    FeatureContact contact =
        ContactInDouble(scaled, limit, cells, Windows::kOne);
    const auto is_undecided = [&] {
      return contact.verdict == FeatureVerdict::kUndecided &&
             contact.earliest <= limit;
    };
    if (is_undecided()) {
      // Another contact in the cell of the best one does not change the result.
      if (best.earliest < known && AreApartUntil(features, best.earliest)) {
        return;
      }
      if (contact.may_decide) {
        contact = ContactInDouble(scaled, limit, cells, Windows::kMany);
      }
      if (is_undecided()) contact = ContactExactly(features, cells, &used);
    }
    if (contact.verdict != FeatureVerdict::kContact) return;
    best.earliest = std::min(best.earliest, contact.earliest);
    best.latest = std::min(best.latest, contact.latest);
  });
  Count(used, counts);
  if (best.earliest > std::min(options.max_t, 1.0)) return std::nullopt;
  return best;
}

template <typename OverlapAtStart>
std::optional<MotionContact> FirstContactIf(
    const MovingTriangle& s, const MovingTriangle& t,
    std::span<SharedCorner> shared, const MotionContactOptions& options,
    double known, ArithmeticCounts* counts, OverlapAtStart overlap_at_start) {
  MovingPair pair(s, t);
  if (!pair.is_finite() || !(options.max_t >= 0)) return std::nullopt;
  if (shared.empty() ? pair.AreSeparated() : pair.StayApart(shared)) {
    Count(Arithmetic::kDouble, counts);
    return std::nullopt;
  }
  ArithmeticCounts at_start;
  if (overlap_at_start(&at_start)) {
    Count(at_start.Highest(), counts);
    return MotionContact{0, 0};
  }
  pair.Sort(shared);
  return FirstOfFeatures(pair, shared, options, known, counts);
}

std::optional<MotionContact> ContactAlone(const MovingTriangle& s,
                                          const MovingTriangle& t,
                                          const MotionContactOptions& options,
                                          double known,
                                          ArithmeticCounts* counts) {
  return FirstContactIf(s, t, {}, options, known, counts,
                        [&](ArithmeticCounts* at_start) {
                          return Overlaps(s.from, t.from, at_start);
                        });
}

std::optional<MotionContact> ContactBeyond(const MovingTriangle& s,
                                           const MovingTriangle& t,
                                           std::span<const SharedCorner> shared,
                                           const MotionContactOptions& options,
                                           double known,
                                           ArithmeticCounts* counts) {
  std::array<SharedCorner, 3> room;
  const size_t count = std::min(shared.size(), room.size());
  std::copy_n(shared.begin(), count, room.begin());
  CornerSet points;
  for (const SharedCorner& pair : shared) points.Add(s.from[pair.of_first]);
  return FirstContactIf(s, t, {room.data(), count}, options, known, counts,
                        [&](ArithmeticCounts* at_start) {
                          return OverlapsBeyond(s.from, t.from, points.points(),
                                                at_start);
                        });
}

}  // namespace

std::optional<MotionContact> FirstContact(const MovingTriangle& s,
                                          const MovingTriangle& t,
                                          const MotionContactOptions& options,
                                          ArithmeticCounts* counts) {
  return ContactAlone(s, t, options, kUnknown, counts);
}

std::optional<MotionContact> FirstContactBeyond(
    const MovingTriangle& s, const MovingTriangle& t,
    std::span<const SharedCorner> shared, const MotionContactOptions& options,
    ArithmeticCounts* counts) {
  return ContactBeyond(s, t, shared, options, kUnknown, counts);
}

std::optional<MotionContact> FirstContactBefore(
    const MovingTriangle& s, const MovingTriangle& t,
    std::span<const SharedCorner> shared, const MotionContactOptions& options,
    double known) {
  return shared.empty() ? ContactAlone(s, t, options, known, nullptr)
                        : ContactBeyond(s, t, shared, options, known, nullptr);
}

Triangle At(const MovingTriangle& triangle, double t) {
  if (t == 0) return triangle.from;
  if (t == 1) return triangle.to;
  Triangle at;
  for (size_t i = 0; i < 3; ++i) {
    at[i] = triangle.from[i] * (1 - t) + triangle.to[i] * t;
  }
  return at;
}

}  // namespace orbox
