// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/apart_until.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/motion/internal/moving_polynomials.h"
#include "orbox/overlap/motion/internal/real_roots.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox {
namespace {

using moving::Measured;

// Whether the first points are above the others along an axis: at the start,
// and, touching allowed, at `time`.
bool AreAbove(std::span<const MovingPoint> above,
              std::span<const MovingPoint> below, size_t axis, double time) {
  double least = kInfinity;
  for (const MovingPoint& p : above) least = std::min(least, p.from[axis]);
  for (const MovingPoint& p : below) {
    if (!(p.from[axis] < least)) return false;
  }
  least = kInfinity;
  for (const MovingPoint& p : above) {
    least = std::min(least, CoordinateAt(p.from[axis], p.to[axis], time).lo);
  }
  return std::ranges::all_of(below, [&](const MovingPoint& p) {
    return CoordinateAt(p.from[axis], p.to[axis], time).hi <= least;
  });
}

bool ArePartedUntil(std::span<const MovingPoint> first,
                    std::span<const MovingPoint> second, double time) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (AreAbove(first, second, axis, time) ||
        AreAbove(second, first, axis, time)) {
      return true;
    }
  }
  return false;
}

size_t PointsOfFirst(FeatureKind kind) {
  return kind == FeatureKind::kCornerFace ? 1 : 2;
}

// The features with `to` as they are at `time`, in another unit; nothing where
// doubles do not hold that, or where what is computed of it may underflow.
std::optional<MovingFeatures> Until(const MovingFeatures& features,
                                    double time) {
  // So that products of three differences are normal numbers: a difference of
  // doubles is at least a unit in the last place of the smaller one.
  constexpr double kLeast = 0x1p-240;
  constexpr int kSize = 0;
  const ScaledPoints<8> scaled(EndsOf(features), kSize);
  if (!scaled.is_exact()) return std::nullopt;
  MovingFeatures f = FromEnds(features.kind, scaled);
  for (MovingPoint& p : f.points) {
    for (size_t k = 0; k < 3; ++k) {
      const Enclosure at = CoordinateAt(p.from[k], p.to[k], time);
      if (at.lo != at.hi) return std::nullopt;
      p.to[k] = at.lo;
      for (const double x : {p.from[k], p.to[k]}) {
        if (x != 0 && std::abs(x) < kLeast) return std::nullopt;
      }
    }
  }
  return f;
}

// The certain sign of a coefficient; nothing where it is not certain.
std::optional<int> SignOf(const Measured& x) {
  const double error = moving::kRelative * x.m;
  if (std::abs(x.v) > error) return x.v > 0 ? 1 : -1;
  // Every product has a factor that is 0.
  if (x.m == 0) return 0;
  return std::nullopt;
}

template <typename Number>
bool AreAbove(const MovingFeatures& f, bool is_first_above, size_t axis,
              double time, Judge<Number>* judge) {
  const size_t split = PointsOfFirst(f.kind);
  for (size_t i = 0; i < split; ++i) {
    for (size_t j = split; j < 4; ++j) {
      const MovingPoint& above = f.points[is_first_above ? i : j];
      const MovingPoint& below = f.points[is_first_above ? j : i];
      if (!(above.from[axis] > below.from[axis])) return false;
      const Number from = Number(above.from[axis]) - below.from[axis];
      const Number to = Number(above.to[axis]) - below.to[axis];
      const Number at = from + (to - from) * Number(time);
      if (judge->Sign(at) < 0) return false;
    }
  }
  return true;
}

template <typename Number>
bool AreApart(const MovingFeatures& f, double time, Judge<Number>* judge) {
  for (size_t axis = 0; axis < 3; ++axis) {
    for (const bool is_first_above : {true, false}) {
      if (AreAbove(f, is_first_above, axis, time, judge)) return true;
    }
  }
  const auto form = moving::VolumeOf<Number>(f);
  if (judge->Sign(form.c[0]) == 0) return false;
  const RealPolynomial<Number> volume(std::span<const Number>(form.c), judge);
  return volume.SignsOn(Number(), Number(time), judge).changes == 0;
}

}  // namespace

bool ArePartedUntil(const MovingTriangle& s, const MovingTriangle& t,
                    double time) {
  const auto points = [](const MovingTriangle& m) {
    return std::array<MovingPoint, 3>{
        {{m.from.a, m.to.a}, {m.from.b, m.to.b}, {m.from.c, m.to.c}}};
  };
  return ArePartedUntil(std::span<const MovingPoint>(points(s)),
                        std::span<const MovingPoint>(points(t)), time);
}

bool AreApartUntil(const MovingFeatures& features, double time) {
  const std::span<const MovingPoint> points(features.points);
  const size_t split = PointsOfFirst(features.kind);
  if (ArePartedUntil(points.first(split), points.subspan(split), time)) {
    return true;
  }
  const std::optional<MovingFeatures> until = Until(features, time);
  if (!until) return false;
  const auto volume = moving::VolumeOf<Measured>(*until);
  const std::optional<int> first = SignOf(volume.c[0]);
  if (!first || *first == 0) return false;
  return std::ranges::all_of(volume.c, [&](const Measured& c) {
    const std::optional<int> sign = SignOf(c);
    return sign == 0 || sign == first;
  });
}

bool AreApartUntilExactly(const MovingFeatures& features, double time) {
  // Volumes are products of three coordinates, and time has no unit.
  Arithmetic used = Arithmetic::kDouble;
  return DecideScaled(
      EndsOf(features),
      [&](const auto& scaled) {
        const MovingFeatures f = FromEnds(features.kind, scaled);
        return [f, time]<typename Number>(Judge<Number>& judge) {
          return AreApart<Number>(f, time, &judge);
        };
      },
      &used);
}

}  // namespace orbox
