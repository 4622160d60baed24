// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/moving_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "orbox/overlap/internal/numbers/bounded.h"
#include "orbox/overlap/motion/internal/moving_polynomials.h"
#include "orbox/overlap/motion/internal/time_cells.h"

namespace orbox {
namespace {

using moving::Measured;
using moving::MeasuredOfRounded;
using moving::Polynomial;

enum class FeatureSide { kOutside, kUndecided, kInside };

// Decides if features that are in one plane have a common point. Uses the areas
// of triangles in the plane, projected along each axis.
class Areas {
 public:
  template <typename Number>
  Areas(const MovingFeatures& f, std::type_identity<Number> /*measured so*/)
      : kind_(f.kind), count_(moving::AreaCountOf(f)) {
    for (size_t i = 0; i < count_; ++i) {
      const auto area = moving::AreaOf<Number>(f, i);
      for (size_t axis = 0; axis < 3; ++axis) {
        areas_[i][axis] = Polynomial<2>(area[axis]);
      }
    }
  }

  // Returns the side that is valid for all times from lo to hi at which the
  // features are in one plane.
  FeatureSide On(double lo, double hi) const {
    FeatureSide side = FeatureSide::kUndecided;
    for (size_t axis = 0; axis < 3; ++axis) {
      std::array<int, 4> signs{};
      for (size_t i = 0; i < count_; ++i) {
        signs[i] = areas_[i][axis].SignOn(lo, hi);
      }
      const FeatureSide seen = kind_ == MovingFeatureKind::kCornerFace
                                   ? CornerSide(signs)
                                   : EdgeSide(signs);
      if (seen == FeatureSide::kOutside) return seen;
      if (seen == FeatureSide::kInside) side = seen;
    }
    return side;
  }

 private:
  static FeatureSide CornerSide(const std::array<int, 4>& signs) {
    const int least = std::min({signs[0], signs[1], signs[2]});
    const int most = std::max({signs[0], signs[1], signs[2]});
    if (least < 0 && most > 0) return FeatureSide::kOutside;
    return least > 0 || most < 0 ? FeatureSide::kInside
                                 : FeatureSide::kUndecided;
  }

  // Returns kInside if the ends of each edge are on different sides of the
  // other edge.
  static FeatureSide EdgeSide(const std::array<int, 4>& signs) {
    const int first = signs[0] * signs[1];
    const int second = signs[2] * signs[3];
    if (first > 0 || second > 0) return FeatureSide::kOutside;
    return first < 0 && second < 0 ? FeatureSide::kInside
                                   : FeatureSide::kUndecided;
  }

  MovingFeatureKind kind_;
  size_t count_;
  std::array<std::array<Polynomial<2>, 3>, 4> areas_;
};

// Returns true if a plane at right angles to an axis separates the features all
// the time.
bool AreSeparated(const MovingFeatures& f) {
  const size_t split = f.kind == MovingFeatureKind::kCornerFace ? 1 : 2;
  for (size_t axis = 0; axis < 3; ++axis) {
    bool below = true;
    bool above = true;
    for (size_t i = 0; i < split; ++i) {
      for (size_t j = split; j < 4; ++j) {
        const double from = f.points[i].from[axis] - f.points[j].from[axis];
        const double to = f.points[i].to[axis] - f.points[j].to[axis];
        below = below && from < -moving::kTiny && to < -moving::kTiny;
        above = above && from > moving::kTiny && to > moving::kTiny;
      }
    }
    if (below || above) return true;
  }
  return false;
}

// Returns a time between lo and hi. Avoids the middle, because contacts in user
// data are often at such times.
double Between(double lo, double hi) { return lo + 0.484375 * (hi - lo); }

// Returns the latest time found from `lo` on at which the sign is certainly
// `sign`, by repeated halving. Requires that the sign is certain at lo and not
// at hi.
double LastCertain(const Polynomial<3>& f, double lo, double hi, int sign) {
  for (int i = 0; i < 60; ++i) {
    const double mid = Between(lo, hi);
    if (mid == lo || mid == hi) break;
    (f.SignAt(mid) == sign ? lo : hi) = mid;
  }
  return lo;
}

struct RootRange {
  double lo;
  double hi;
};

// Shrinks an interval around its only root, to `width` or as far as double can
// decide. Requires certain and different signs at its ends.
RootRange Narrowed(const Polynomial<3>& f, RootRange part, double width) {
  const int sign = f.SignAt(part.lo);
  while (part.hi - part.lo > width) {
    const double mid = Between(part.lo, part.hi);
    const int here = f.SignAt(mid);
    if (here == 0) break;
    (here == sign ? part.lo : part.hi) = mid;
  }
  return part;
}

// An interval of time. Local times in a window are from 0 at `start` to 1 at
// its end.
struct Window {
  double start = 0;
  double width = 1;  // a power of two; `start` is a multiple of a quarter

  // Returns a double that is not later than local time t, which is from 0 to 1.
  double Before(double t) const {
    constexpr double kDown = 1 - 0x1p-52;  // for two upward roundings of u each
    return (start + t * width) * kDown;
  }
  // Returns the local time of `time`. Requires a multiple of 2^-53.
  double Here(double time) const { return (time - start) / width; }

  // Returns a window that contains all times from `before` to `length`, in
  // local time, after it. Returns nullopt if this is too short for doubles.
  std::optional<Window> Around(double before, double length) const {
    Window inner{0, 4 * length * width};
    const double quarter = length * width;
    if (quarter < 0x1p-52) return std::nullopt;
    inner.start =
        std::min(std::floor(before / quarter) * quarter, 1 - inner.width);
    return inner;
  }
};

// Returns the coordinate at t relative to another point. Returns nullopt if its
// relative error may be larger than 2 u.
std::optional<double> SeenAt(double t, size_t axis, const MovingPoint& p,
                             const MovingPoint& from) {
  const auto away = [axis](const Vec3& a, const Vec3& b) {
    return LongBounded(a[axis]) - LongBounded(b[axis]);
  };
  const LongBounded x =
      away(p.from, from.from) * (LongBounded(1) - LongBounded(t)) +
      away(p.to, from.to) * LongBounded(t);
  const double rest = x.lo + x.rest;
  const double seen = x.hi + rest;
  // Rounded once. The error bound and the rounding of `rest` are added.
  const double lost = x.error + 0x1p-52 * std::abs(rest);
  if (!(lost <= 0x1p-54 * std::abs(seen))) return std::nullopt;
  return seen;
}

// Returns the features relative to the last point during a window.
std::optional<MovingFeatures> SeenIn(const Window& window,
                                     const MovingFeatures& f) {
  MovingFeatures seen{f.kind, {}};
  for (size_t i = 0; i + 1 < f.points.size(); ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const auto from = SeenAt(window.start, k, f.points[i], f.points.back());
      const auto to =
          SeenAt(window.start + window.width, k, f.points[i], f.points.back());
      if (!from || !to) return std::nullopt;
      seen.points[i].from[k] = *from;
      seen.points[i].to[k] = *to;
    }
  }
  return seen;
}

// The search for the first contact of features up to max_t, in windows. All
// points may come together in a time that is almost too short for doubles, like
// those of a mesh that shrinks to a point. The features are then tested again
// in a window around this time.
class WindowSearch {
 public:
  WindowSearch(const MovingFeatures& features, double max_t,
               const TimeCells& cells, Windows windows)
      : features_(features),
        max_t_(max_t),
        cells_(cells),
        shortest_(windows == Windows::kOne ? kShortestOfOne : kShortest),
        windows_left_(windows == Windows::kOne ? 0 : kMostWindows) {}

  // Requires that `seen` is the features during the window. Its coordinates may
  // be rounded, unless Number is Measured.
  template <typename Number>
  FeatureContact Find(const Window& window, const MovingFeatures& seen) {
    const Polynomial<3> volume(moving::VolumeOf<Number>(seen));
    if (volume.SignOn(0, 1) != 0) return {};
    std::optional<Areas> areas;
    // Intervals that remain to be searched, with the earliest last.
    std::array<RootRange, 64> left;  // one entry per halving, some 25
    size_t count = 0;
    left[count++] = {0, 1};
    while (count != 0) {
      const RootRange part = left[--count];
      if (window.Before(part.lo) > max_t_) return {};
      if (volume.SignOn(part.lo, part.hi) != 0) continue;
      // A few values of one cubic shrink the interval. Then the areas mostly
      // decide.
      const bool has_one = volume.HasOneRoot(part.lo, part.hi);
      const RootRange rest =
          has_one ? Narrowed(volume, part, (part.hi - part.lo) / 64) : part;
      if (window.Before(rest.lo) > max_t_) return {};
      if (!areas) areas.emplace(seen, std::type_identity<Number>());
      const FeatureSide side = areas->On(rest.lo, rest.hi);
      if (side == FeatureSide::kOutside) continue;
      if (side == FeatureSide::kInside && has_one) {
        const FeatureContact contact = CellOf(volume, window, rest);
        const bool is_done = !contact.may_decide || windows_left_ == 0;
        return is_done ? contact : FindAround(window, contact.earliest);
      }
      if (rest.hi - rest.lo < shortest_) {
        const double before = window.Before(rest.lo);
        // Around a single root, areas that are undecided may be 0. No window
        // can decide that.
        const FeatureContact contact =
            windows_left_ > 0 && !has_one
                ? FindAround(window, before)
                : Undecided(before, ComeTogether(volume, rest.lo));
        if (contact.verdict != FeatureVerdict::kNone) return contact;
        continue;
      }
      const double mid = Between(rest.lo, rest.hi);
      left[count++] = {mid, rest.hi};
      left[count++] = {rest.lo, mid};
    }
    return {};
  }

 private:
  // Shorter intervals contain times that double cannot distinguish. If windows
  // are allowed, such an interval is tested in a separate window: around a
  // triple root, the value of a cubic is within its error of 2^-48 for a time
  // of 2^-16.
  static constexpr double kShortestOfOne = 0x1p-24;
  static constexpr double kShortest = 0x1p-14;
  // Four nested windows are as short as doubles allow. Features that are
  // undecided at more times are mostly undecided at all times, for example
  // because they stay in one plane.
  static constexpr int kMostWindows = 8;

  static FeatureContact Undecided(double before, bool may_decide) {
    return {FeatureVerdict::kUndecided, before, 1, may_decide};
  }

  // Returns true if all points seem to come together at t. Around a triple
  // root, the value of a cubic is within its error for longer than around other
  // roots, but not at all times.
  static bool ComeTogether(const Polynomial<3>& volume, double t) {
    constexpr double kNear = 0x1p-18;
    constexpr double kFar = 0x1p-10;
    return volume.SignAt(t - kNear) == 0 && volume.SignAt(t + kNear) == 0 &&
           volume.SignAt(t - kFar) != 0 && volume.SignAt(t + kFar) != 0;
  }

  // Searches an interval that starts at `before` and is shorter than kShortest.
  FeatureContact FindAround(const Window& window, double before) {
    --windows_left_;
    const std::optional<Window> inner = window.Around(before, kShortest);
    if (!inner) return Undecided(before, false);
    const std::optional<MovingFeatures> seen = SeenIn(*inner, features_);
    if (!seen) return Undecided(before, false);
    return Find<MeasuredOfRounded>(*inner, *seen);
  }

  // Returns the cell of the only root in an interval with certain and different
  // signs at its ends, or kUndecided.
  FeatureContact CellOf(const Polynomial<3>& f, const Window& window,
                        const RootRange& part) const {
    auto [lo, hi] = part;
    const int sign = f.SignAt(lo);
    const double width = cells_.width() / window.width;
    while (hi - lo > width) {
      const double mid = Between(lo, hi);
      const int here = f.SignAt(mid);
      if (here == 0) {
        lo = LastCertain(f, lo, mid, sign);
        hi = LastCertain(f, hi, mid, -sign);
        break;
      }
      (here == sign ? lo : hi) = mid;
    }
    const bool may_decide = hi - lo < kShortest;
    if (hi - lo > width) return Undecided(window.Before(lo), may_decide);
    // At most two cells overlap the interval. Finds the end of the first cell
    // that ends after lo.
    double end = cells_.EndOf(window.Before(lo));
    if (window.Here(end) <= lo) end = cells_.EndOf(end);
    if (window.Here(end) < hi) {
      const int here = f.SignAt(window.Here(end));
      if (here == 0) return Undecided(window.Before(lo), may_decide);
      if (here == sign) end = cells_.EndOf(end);
    }
    const double inside = std::nextafter(end, 0);
    return {FeatureVerdict::kContact, cells_.StartOf(inside), end};
  }

  const MovingFeatures& features_;
  const double max_t_;
  const TimeCells& cells_;
  const double shortest_;
  int windows_left_;
};

}  // namespace

FeatureContact ContactInDouble(const MovingFeatures& features, double max_t,
                               const TimeCells& cells, Windows windows) {
  if (AreSeparated(features)) return {};
  return WindowSearch(features, max_t, cells, windows)
      .Find<Measured>(Window(), features);
}

}  // namespace orbox
