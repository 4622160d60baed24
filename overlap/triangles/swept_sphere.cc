// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/swept_sphere.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/sweep_plane.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// The motion relative to its start, in units in which the largest coordinate is
// about 1. At time t, the centre is at t * motion.
struct SweepFrame {
  Vec3 motion;
  Triangle triangle;
  double radius;
  // The factor from lengths of the model to these units, if a double can
  // represent it.
  double scale;

  // Bound of the rounding error of a distance. No coordinate is 2 or more.
  static constexpr double kError = kSweepError * 2;

  SweepFrame(const SweptSphere& ball, const Triangle& t);
};

SweepFrame::SweepFrame(const SweptSphere& ball, const Triangle& t) {
  double size =
      std::max(MaxCoordinate(Abs(ball.from)), MaxCoordinate(Abs(ball.to)));
  for (size_t i = 0; i < 3; ++i) {
    size = std::max(size, MaxCoordinate(Abs(t[i])));
  }
  // Differences of larger numbers may overflow, so these are halved first.
  const double first = size > 0x1p1000 ? 0.5 : 1;
  const Vec3 start = ball.from * first;
  motion = ball.to * first - start;
  double largest = MaxCoordinate(Abs(motion));
  for (size_t i = 0; i < 3; ++i) {
    triangle[i] = t[i] * first - start;
    largest = std::max(largest, MaxCoordinate(Abs(triangle[i])));
  }
  // Scaled in two steps, because the power of two itself may be out of range.
  const int exponent = largest > 0 ? -std::ilogb(largest) : 0;
  const double half = std::ldexp(1.0, exponent / 2);
  const double rest = std::ldexp(1.0, exponent - exponent / 2);
  motion = motion * half * rest;
  for (size_t i = 0; i < 3; ++i) triangle[i] = triangle[i] * half * rest;
  radius = ball.radius * first * half * rest;
  scale = first * half * rest;
}

enum class TimeContact { kApart, kTouching, kUndecided };

// Certain facts about one time t. If the contact is kApart, ball and triangle
// are apart from `free_since` to `free_until`. Both may be infinite.
struct TimeFacts {
  TimeContact contact = TimeContact::kUndecided;
  double free_since = 0;
  double free_until = 0;
  double speed = 0;  // of approach; an upper bound of the exact one
  // If the contact is kApart: the plane that proves it.
  Vec3 normal;
  double level = 0;
  double along = 0;
};

// Returns a direction from the triangle to the point c, as accurate as double
// allows. This is the vector from the closest point to c, made orthogonal to
// the feature that contains the closest point.
Vec3 DirectionTo(const Vec3& c, const Triangle& t, const Feature& closest) {
  const Vec3 away = c - closest.PointOn(t);
  const Vec3& corner = t[closest.corner[0]];
  const Vec3 e = t[closest.corner[1]] - corner;
  if (closest.size == 3) {
    const Vec3 n = Cross(e, t[closest.corner[2]] - corner);
    const double size = MaxCoordinate(Abs(n));
    if (size > 0) return n * ((Dot(n, away) < 0 ? -1 : 1) / size);
  }
  if (closest.size == 2) {
    const double ee = SquaredNorm(e);
    if (ee > 0) return away - e * (Dot(away, e) / ee);
  }
  return away;
}

// The result is certain for any direction. Consider the plane at right angles
// to this direction through the triangle's foremost corner. If the ball is in
// front of it, ball and triangle are apart, and stay apart until the ball
// reaches the plane (conservative advancement: Mirtich, "Impulse-based dynamic
// simulation", 1996; here with a plane, so that the steps are Newton's).
TimeFacts At(const SweepFrame& s, double t) {
  const Vec3 c = s.motion * t;
  const Feature closest = GuessClosest(c, s.triangle).feature;
  TimeFacts moment;
  if (Norm(c - closest.PointOn(s.triangle)) + SweepFrame::kError <= s.radius) {
    moment.contact = TimeContact::kTouching;
    return moment;
  }
  Vec3 n = DirectionTo(c, s.triangle, closest);
  const double size = MaxCoordinate(Abs(n));
  if (!(size > 0)) return moment;
  n = n * (1 / size);  // so that no square underflows
  n = n * (1 / Norm(n));
  const double height =
      std::min({Dot(n, c - s.triangle.a), Dot(n, c - s.triangle.b),
                Dot(n, c - s.triangle.c)});
  const double gap = height - SweepFrame::kError - s.radius;
  if (!(gap > 0)) return moment;
  moment.contact = TimeContact::kApart;
  moment.normal = n;
  moment.level = Dot(n, c);
  // Upper bounds of the speeds in both directions: the error bound is added.
  const double along = Dot(n, s.motion);
  moment.along = along;
  moment.speed = SweepFrame::kError - along;
  const double back = SweepFrame::kError + along;
  constexpr double kLess = 1 - 0x1p-50;
  moment.free_until =
      moment.speed <= 0 ? HUGE_VAL : (t + gap / moment.speed * kLess) * kLess;
  moment.free_since = back <= 0 ? -HUGE_VAL : t - gap / back * kLess + 0x1p-50;
  return moment;
}

// The result of the search for the first contact in [0, 1].
struct ContactSearch {
  double earliest = 0;
  double latest = 1;
  bool is_certain = false;  // contact at `latest` is certain
  bool is_free = false;     // there is no contact until max_t
};

// Steps converge quadratically or, towards a grazing contact, by one bit each.
// This number is more than sufficient in both cases.
constexpr int kMostSteps = 120;

// Searches for the first contact. If `plane` is not null, sets *plane to the
// last plane that separated ball and triangle, and sets is_known if there is
// one.
ContactSearch FindContact(const SweepFrame& s, double max_t,
                          SweepPlane* plane) {
  ContactSearch search;
  double step = 0x1p-52;
  double t = 0;
  for (int i = 0; i < kMostSteps; ++i) {
    const TimeFacts moment = At(s, t);
    if (moment.contact == TimeContact::kTouching) {
      search.latest = t;
      search.is_certain = true;
      return search;
    }
    double next = t;
    if (moment.contact == TimeContact::kApart) {
      if (plane != nullptr) {
        // The ball has been in front of the plane since its start.
        plane->is_known = moment.along < -SweepFrame::kError;
        plane->normal = moment.normal;
        plane->level = moment.level;
        plane->time = t;
        plane->along = moment.along;
      }
      // Between `earliest` and `free_since`, the ball may have touched the
      // triangle.
      if (moment.free_since > search.earliest) {
        search.latest = std::min(1.0, moment.free_since);
        return search;
      }
      search.earliest = std::max(search.earliest, moment.free_until);
      if (search.earliest > max_t) {
        search.is_free = true;
        return search;
      }
      next = search.earliest;
      step = std::max(0x1p-52, SweepFrame::kError / moment.speed);
    }
    if (t >= 1) return search;
    // A step below the error bound makes no progress, so a larger step is
    // taken.
    if (!(next - t > step)) {
      step *= 2;
      next = t + step;
    }
    t = std::min(next, 1.0);
  }
  return search;
}

// Sets the values that are common to all planes of a scene.
void Place(const SweepFrame& s, const SweptSphere& ball, SweepPlane* plane) {
  // Outside these limits, `scale` may differ from the factor of the
  // coordinates.
  if (!(s.scale > 0x1p-900 && s.scale < 0x1p900)) plane->is_known = false;
  plane->start = ball.from;
  plane->scale = s.scale;
  plane->radius = s.radius;
  plane->together = 0x1p-42 / Norm(s.motion);
}

Vec3 CenterAt(const SweptSphere& ball, double t) {
  return ball.from * (1 - t) + ball.to * t;
}

}  // namespace

std::optional<SweepContact> FirstContact(const SweptSphere& ball,
                                         const Triangle& triangle, double max_t,
                                         ArithmeticCounts* counts) {
  return FirstContact(ball, triangle, max_t, counts, nullptr);
}

std::optional<SweepContact> FirstContact(const SweptSphere& ball,
                                         const Triangle& triangle, double max_t,
                                         ArithmeticCounts* counts,
                                         SweepPlane* plane) {
  if (!IsValid(ball) || !(max_t >= 0)) return std::nullopt;
  max_t = std::min(max_t, 1.0);
  const SweepFrame scene(ball, triangle);
  SweepPlane found;
  ContactSearch search =
      FindContact(scene, max_t, plane != nullptr ? &found : nullptr);
  if (search.is_free) {
    Count(Arithmetic::kDouble, counts);
    return std::nullopt;
  }
  ArithmeticCounts exact;
  const bool at_start =
      search.earliest == 0 &&
      Overlaps(Sphere{ball.from, ball.radius}, triangle, &exact);
  if (at_start) {
    search.latest = 0;
  } else if (!search.is_certain) {
    // The swept ball is the set of all points within its radius of the path.
    const Triangle path{ball.from, ball.to, ball.to};
    if (!WithinDistance(path, triangle, ball.radius, &exact)) {
      Count(exact.Highest(), counts);
      return std::nullopt;
    }
  }
  Count(exact.Highest(), counts);
  if (plane != nullptr && found.is_known) {
    Place(scene, ball, &found);
    *plane = found;
  }
  return SweepContact{
      search.earliest, search.latest,
      Distance(CenterAt(ball, search.latest), triangle).closest};
}

}  // namespace orbox
