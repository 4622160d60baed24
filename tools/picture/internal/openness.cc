// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/openness.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tools/base/parallel.h"

namespace orbox::picture {
namespace {

constexpr double kReach = 0.4;
constexpr int kStep = 4;    // pixels
constexpr int kAround = 2;  // steps

using Directions = std::vector<Vec3>;

// Adds the midpoint of each edge, projected to the unit sphere. `squared_edge`
// must be slightly above the squared length of the longest edge.
Directions Refined(const Directions& corners, double squared_edge) {
  Directions refined = corners;
  for (size_t i = 0; i < corners.size(); ++i) {
    for (size_t j = i + 1; j < corners.size(); ++j) {
      if (SquaredNorm(corners[i] - corners[j]) > squared_edge) continue;
      refined.push_back(Normalized(corners[i] + corners[j]));
    }
  }
  return refined;
}

// 162 almost evenly distributed directions: an icosahedron, refined twice.
Directions EvenDirections() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  Directions corners;
  for (const double s : {-1.0, 1.0}) {
    for (const double t : {-g, g}) {
      corners.push_back(Normalized(Vec3{0, s, t}));
      corners.push_back(Normalized(Vec3{s, t, 0}));
      corners.push_back(Normalized(Vec3{t, 0, s}));
    }
  }
  // Edges have length 1.05 first, then 0.55 and 0.62. Other pairs are at least
  // 1.7 and 0.9 apart.
  return Refined(Refined(corners, 1.5), 0.6);
}

}  // namespace

double Openness(const Tree& tree, const Vec3& point, const Vec3& normal) {
  static const Directions directions = EvenDirections();
  // Starts above the surface, far beyond rounding errors.
  const Vec3 from = point + normal * 0x1p-16;
  double all = 0, open = 0;
  for (const Vec3& direction : directions) {
    // Rays almost along the surface would hit flat neighbours of a surface that
    // is shaded as curved.
    const double cosine = Dot(direction, normal) - 0.1;
    if (cosine <= 0) continue;
    all += cosine;
    const std::optional<RayHit> hit =
        ClosestHit(tree, Ray{from, direction, 0, kReach});
    const double share = hit.has_value() ? hit->t / kReach : 1;
    open += cosine * share * share;
  }
  return open / all;
}

OpennessMap::OpennessMap(const Tree& tree, const Camera& camera, int width,
                         int height, size_t threads, NormalAt normal_at)
    : tree_(tree),
      camera_(camera),
      across_(width / kStep + 2),
      down_(height / kStep + 2),
      places_(static_cast<size_t>(across_) * down_) {
  tools::ParallelFor(down_, threads, [&](size_t row, size_t) {
    for (int column = 0; column < across_; ++column) {
      const Ray ray = camera.RayThrough({static_cast<double>(column * kStep),
                                         static_cast<double>(row * kStep)});
      const std::optional<RayHit> hit = ClosestHit(tree, ray);
      if (!hit.has_value()) continue;
      const Vec3 normal = normal_at(ray, *hit);
      places_[row * across_ + column] = {hit->point, normal,
                                         Openness(tree, hit->point, normal)};
    }
  });
}

double OpennessMap::At(const Point2& pixel, const Vec3& point,
                       const Vec3& normal) const {
  const double x = pixel.x / kStep, y = pixel.y / kStep;
  const double depth = -Dot(point - camera_.eye(), camera_.back());
  // Upper bound of the distance from the tangent plane for points of the same
  // piece of surface.
  const double thick = 2 * kStep * camera_.PixelSize(depth);
  double sum = 0, weights = 0;
  const int left = std::max(0, static_cast<int>(x) - kAround + 1);
  const int top = std::max(0, static_cast<int>(y) - kAround + 1);
  for (int v = top; v <= std::min(down_ - 1, static_cast<int>(y) + kAround);
       ++v) {
    for (int u = left;
         u <= std::min(across_ - 1, static_cast<int>(x) + kAround); ++u) {
      const Place& place = places_[static_cast<size_t>(v) * across_ + u];
      if (place.open < 0) continue;
      const double facing = Dot(place.normal, normal);
      const double off = std::abs(Dot(place.point - point, normal)) / thick;
      if (facing < 0.8 || off >= 1) continue;
      const double weight = (kAround - std::abs(x - u)) *
                            (kAround - std::abs(y - v)) * (1 - off) *
                            (facing - 0.79);
      if (weight <= 0) continue;
      sum += weight * place.open;
      weights += weight;
    }
  }
  return weights > 1e-3 ? sum / weights : Openness(tree_, point, normal);
}

}  // namespace orbox::picture
