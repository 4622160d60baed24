// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/depth_layer.h"

#include <algorithm>
#include <cmath>

namespace orbox::picture {
namespace {

// A number that grows by `dx` from sample to sample, by `dy` from row to row.
struct Plane {
  double dx = 0;
  double dy = 0;
  double at_origin = 0;

  // The number is 0 at `from` and `to`, and positive on their left.
  static Plane Edge(const Vec3& from, const Vec3& to) {
    const double dx = from.y - to.y, dy = to.x - from.x;
    return {dx, dy, -(dx * from.x + dy * from.y)};
  }
  double At(double x, double y) const { return dx * x + dy * y + at_origin; }
};

}  // namespace

void DepthLayer::Add(const std::array<Vec3, 3>& corners,
                     const DepthFace& face) {
  const auto& [a, b, c] = corners;
  const double area = Plane::Edge(a, b).At(c.x, c.y);
  if (!(std::abs(area) > 0 && std::isfinite(area))) return;
  const auto [x_lo, x_hi] = std::minmax({a.x, b.x, c.x});
  const auto [y_lo, y_hi] = std::minmax({a.y, b.y, c.y});
  // Samples are at the middles of their squares.
  const int left = static_cast<int>(std::clamp(x_lo - 0.5, 0.0, 1.0 * width_));
  const int right = static_cast<int>(std::clamp(x_hi + 1.0, 0.0, 1.0 * width_));
  const int top = static_cast<int>(std::clamp(y_lo - 0.5, 0.0, 1.0 * height_));
  const int bottom =
      static_cast<int>(std::clamp(y_hi + 1.0, 0.0, 1.0 * height_));
  if (left >= right || top >= bottom) return;
  std::array<Plane, 3> shares = {Plane::Edge(b, c), Plane::Edge(c, a),
                                 Plane::Edge(a, b)};
  Plane depth;
  for (int i = 0; i < 3; ++i) {
    Plane& share = shares[i];
    share = {share.dx / area, share.dy / area, share.at_origin / area};
    depth.dx += share.dx * corners[i].z;
    depth.dy += share.dy * corners[i].z;
    depth.at_origin += share.at_origin * corners[i].z;
  }
  const auto number = static_cast<int32_t>(faces_.size());
  faces_.push_back(face);
  for (int y = top; y < bottom; ++y) {
    // The samples of the row between the three edges.
    double from = left, to = right;
    for (const Plane& share : shares) {
      const double rest = share.dy * (y + 0.5) + share.at_origin;
      if (share.dx > 0) {
        from = std::max(from, std::ceil(-rest / share.dx - 0.5));
      } else if (share.dx < 0) {
        to = std::min(to, std::floor(-rest / share.dx - 0.5) + 1);
      } else if (rest < 0) {
        to = from;
      }
    }
    if (!(from < to)) continue;
    DepthSample* const row = &samples_[static_cast<size_t>(y) * width_];
    const double start = depth.dy * (y + 0.5) + depth.at_origin;
    for (int x = static_cast<int>(from); x < static_cast<int>(to); ++x) {
      const auto z = static_cast<float>(start + depth.dx * (x + 0.5));
      if (z > row[x].depth && z <= nearest_) row[x] = {z, number};
    }
  }
}

}  // namespace orbox::picture
