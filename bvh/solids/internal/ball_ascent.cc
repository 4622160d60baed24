// SPDX-License-Identifier: Apache-2.0

// Enlarges a ball by moving its centre.

#include <algorithm>
#include <cmath>

#include "orbox/bvh/solids/internal/ball_search.h"

namespace orbox {
namespace {

// A plane that limits the ball: its distance from the centre, and the direction
// in which that distance grows.
struct Limit {
  double distance;
  Vec3 away;
};

// Returns the step that maximizes the least value of distance + Dot(away,
// step), minus |step|^2 / (2 * stretch). Solves the dual problem: weights of
// the limits move from one limit to another until nothing is gained.
Vec3 BestStep(const std::vector<Limit>& limits, double stretch,
              std::vector<double>* weights) {
  constexpr int kMoves = 48;
  weights->assign(limits.size(), 0);
  size_t nearest = 0;
  for (size_t i = 1; i < limits.size(); ++i) {
    if (limits[i].distance < limits[nearest].distance) nearest = i;
  }
  (*weights)[nearest] = 1;
  Vec3 sum = limits[nearest].away;
  for (int move = 0; move < kMoves; ++move) {
    const auto slope = [&](size_t i) {
      return limits[i].distance + stretch * Dot(limits[i].away, sum);
    };
    size_t least = 0;
    size_t most = nearest;
    double least_slope = slope(0);
    double most_slope = -1e300;
    for (size_t i = 0; i < limits.size(); ++i) {
      const double s = slope(i);
      if (s < least_slope) {
        least_slope = s;
        least = i;
      }
      if ((*weights)[i] > 0 && s > most_slope) {
        most_slope = s;
        most = i;
      }
    }
    const double gain = most_slope - least_slope;
    if (!(gain > 1e-6 * limits[nearest].distance)) break;
    const Vec3 change = limits[least].away - limits[most].away;
    const double curvature = stretch * SquaredNorm(change);
    const double moved = std::min(
        (*weights)[most], curvature > 0 ? gain / curvature : (*weights)[most]);
    (*weights)[most] -= moved;
    (*weights)[least] += moved;
    sum += change * moved;
  }
  return sum * stretch;
}

}  // namespace

Sphere BallSearch::Improved(const Sphere& ball) {
  constexpr int kRounds = 8;
  constexpr int kSteps = 24;
  Sphere best = ball;
  std::array<std::vector<uint32_t>, 2> near;
  std::vector<Limit> limits;
  std::vector<double> weights;
  for (int round = 0; round < kRounds; ++round) {
    // Triangles that matter to centres near this one.
    const Vec3 from = best.center;
    const double reach = 4 * best.radius;
    for (size_t i = 0; i < 2; ++i) {
      if (!sides_[i].is_sheet) {
        FindNearInTree(GrownBy({from, from}, reach), i, &near[i]);
      }
    }
    const auto radius_at = [&](const Vec3& p) {
      double radius = reach - MaxCoordinate(Abs(p - from));
      for (size_t i = 0; i < 2; ++i) {
        const std::vector<BoundaryTriangle>& all = sides_[i].triangles;
        for (const uint32_t place : near[i]) {
          const BoundaryTriangle& t = all[place];
          if (SquaredDistance(p, t.box) >= radius * radius) continue;
          radius = std::min(radius, t.DistanceFrom(p));
        }
      }
      return radius - 2 * error_;
    };
    double stretch = best.radius;
    for (int step = 0; step < kSteps; ++step) {
      limits.clear();
      for (size_t i = 0; i < 2; ++i) {
        for (const uint32_t place : near[i]) {
          const Vec3 away =
              best.center - sides_[i].triangles[place].ClosestTo(best.center);
          const double distance = Norm(away);
          if (distance > best.radius + 2 * stretch || distance == 0) continue;
          limits.push_back({distance, away * (1 / distance)});
        }
      }
      if (limits.empty()) break;
      Vec3 by = BestStep(limits, stretch, &weights);
      const double length = Norm(by);
      // Stays within the part that is certainly inside.
      const double most = 0.875 * best.radius;
      if (length > most) by = by * (most / length);
      const Vec3 p = best.center + by;
      const double radius = radius_at(p);
      if (radius > best.radius * (1 + 0x1p-14)) {
        best = {p, radius};
        stretch *= 2;
      } else {
        stretch /= 4;
        if (stretch < 0x1p-8 * best.radius) break;
      }
    }
    // Ends unless `reach` may have limited the ball.
    if (best.radius + MaxCoordinate(Abs(best.center - from)) < 0.9 * reach) {
      break;
    }
  }
  return best;
}

}  // namespace orbox
