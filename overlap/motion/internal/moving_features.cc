// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/moving_features.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "orbox/overlap/motion/internal/moving_polynomials.h"

namespace orbox {
namespace {

using moving::Measured;
using moving::Polynomial;

enum class Side { kOutside, kOpen, kInside };

// Whether features in one plane share a point, by the areas of triangles in it,
// projected along each axis.
class Areas {
 public:
  explicit Areas(const MovingFeatures& f)
      : kind_(f.kind), count_(moving::AreaCountOf(f)) {
    for (size_t i = 0; i < count_; ++i) {
      const auto area = moving::AreaOf<Measured>(f, i);
      for (size_t axis = 0; axis < 3; ++axis) {
        areas_[i][axis] = Polynomial<2>(area[axis]);
      }
    }
  }

  // At all times from lo to hi at which they are in one plane.
  Side On(double lo, double hi) const {
    Side side = Side::kOpen;
    for (size_t axis = 0; axis < 3; ++axis) {
      std::array<int, 4> signs{};
      for (size_t i = 0; i < count_; ++i) {
        signs[i] = areas_[i][axis].SignOn(lo, hi);
      }
      const Side seen = kind_ == FeatureKind::kCornerFace ? CornerSide(signs)
                                                          : EdgeSide(signs);
      if (seen == Side::kOutside) return seen;
      if (seen == Side::kInside) side = seen;
    }
    return side;
  }

 private:
  static Side CornerSide(const std::array<int, 4>& signs) {
    const int least = std::min({signs[0], signs[1], signs[2]});
    const int most = std::max({signs[0], signs[1], signs[2]});
    if (least < 0 && most > 0) return Side::kOutside;
    return least > 0 || most < 0 ? Side::kInside : Side::kOpen;
  }

  // Each edge's ends are on different sides of the other.
  static Side EdgeSide(const std::array<int, 4>& signs) {
    const int first = signs[0] * signs[1];
    const int second = signs[2] * signs[3];
    if (first > 0 || second > 0) return Side::kOutside;
    return first < 0 && second < 0 ? Side::kInside : Side::kOpen;
  }

  FeatureKind kind_;
  size_t count_;
  std::array<std::array<Polynomial<2>, 3>, 4> areas_;
};

// Whether a plane across an axis separates the features all the time.
bool AreParted(const MovingFeatures& f) {
  const size_t split = f.kind == FeatureKind::kCornerFace ? 1 : 2;
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

// Avoids the middle, which is a likely time of contact in user data.
double Between(double lo, double hi) { return lo + 0.484375 * (hi - lo); }

// The last time after `lo` and before `hi` at which the sign is certainly
// `sign`, by halving. It is certain at lo and not at hi.
double LastCertain(const Polynomial<3>& f, double lo, double hi, int sign) {
  for (int i = 0; i < 60; ++i) {
    const double mid = Between(lo, hi);
    if (mid == lo || mid == hi) break;
    (f.SignAt(mid) == sign ? lo : hi) = mid;
  }
  return lo;
}

struct Part {
  double lo;
  double hi;
};

// Shrinks a part around its only root, with certain and different signs at its
// ends: to `width`, or as far as double can decide.
Part Narrowed(const Polynomial<3>& f, Part part, double width) {
  const int sign = f.SignAt(part.lo);
  while (part.hi - part.lo > width) {
    const double mid = Between(part.lo, part.hi);
    const int here = f.SignAt(mid);
    if (here == 0) break;
    (here == sign ? part.lo : part.hi) = mid;
  }
  return part;
}

// The only root in [lo, hi], with certain and different signs at its ends.
FeatureContact Tighten(const Polynomial<3>& f, double lo, double hi,
                       double tolerance) {
  const int sign = f.SignAt(lo);
  while (hi - lo > tolerance) {
    const double mid = Between(lo, hi);
    const int here = f.SignAt(mid);
    if (here == 0) {
      lo = LastCertain(f, lo, mid, sign);
      hi = LastCertain(f, hi, mid, -sign);
      break;
    }
    (here == sign ? lo : hi) = mid;
  }
  const bool is_tight = hi - lo <= tolerance;
  return {is_tight ? FeatureVerdict::kContact : FeatureVerdict::kOpen, lo, hi};
}

}  // namespace

FeatureContact ContactInDouble(const MovingFeatures& features, double max_t,
                               double tolerance) {
  if (AreParted(features)) return {};
  const Polynomial<3> volume(moving::VolumeOf<Measured>(features));
  if (volume.SignOn(0, 1) != 0) return {};
  std::optional<Areas> areas;

  // The parts left to search, the earliest last. Parts shorter than kShortest
  // contain what double cannot distinguish.
  constexpr double kShortest = 0x1p-24;
  std::array<Part, 64> left;  // a part halved some 25 times, one half at a time
  size_t count = 0;
  left[count++] = {0, 1};
  while (count != 0) {
    const Part part = left[--count];
    if (part.lo > max_t) return {};
    if (volume.SignOn(part.lo, part.hi) != 0) continue;
    // A few values of one cubic shrink the part to where the areas mostly
    // decide.
    const bool has_one = volume.HasOneRoot(part.lo, part.hi);
    const auto [lo, hi] =
        has_one ? Narrowed(volume, part, (part.hi - part.lo) / 64) : part;
    if (lo > max_t) return {};
    if (!areas) areas.emplace(features);
    const Side side = areas->On(lo, hi);
    if (side == Side::kOutside) continue;
    if (side == Side::kInside && has_one) {
      return Tighten(volume, lo, hi, tolerance);
    }
    if (hi - lo < kShortest) return {FeatureVerdict::kOpen, lo, 1};
    const double mid = Between(lo, hi);
    left[count++] = {mid, hi};
    left[count++] = {lo, mid};
  }
  return {};
}

}  // namespace orbox
