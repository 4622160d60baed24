// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/depth_layer.h"

#include <algorithm>
#include <cmath>

namespace orbox::picture {
namespace {

// A linear function that grows by `dx` per sample and by `dy` per row.
struct LinearRamp {
  double dx = 0;
  double dy = 0;
  double at_origin = 0;

  // Returns a function that is 0 at `from` and `to`, and positive to the left
  // of the line between them.
  static LinearRamp Edge(const Vec3& from, const Vec3& to) {
    const double dx = from.y - to.y, dy = to.x - from.x;
    return {dx, dy, -(dx * from.x + dy * from.y)};
  }
  double At(double x, double y) const { return dx * x + dy * y + at_origin; }
};

}  // namespace

void DepthLayer::Add(const std::array<Vec3, 3>& corners, size_t body) {
  const auto& [a, b, c] = corners;
  const double area = LinearRamp::Edge(a, b).At(c.x, c.y);
  if (!(std::abs(area) > 0 && std::isfinite(area))) return;
  const auto [x_lo, x_hi] = std::minmax({a.x, b.x, c.x});
  const auto [y_lo, y_hi] = std::minmax({a.y, b.y, c.y});
  // Range of the samples inside the triangle's bounding box. Samples are at the
  // centres of their squares. Most triangles of a large scene contain none.
  const auto first = [](double lo, int size) {
    return static_cast<int>(std::ceil(std::clamp(lo - 0.5, 0.0, 1.0 * size)));
  };
  const auto end = [](double hi, int size) {
    return static_cast<int>(std::clamp(std::floor(hi + 0.5), 0.0, 1.0 * size));
  };
  const int left = first(x_lo, width_), right = end(x_hi, width_);
  const int top = first(y_lo, height_), bottom = end(y_hi, height_);
  if (left >= right || top >= bottom) return;
  std::array<LinearRamp, 3> shares = {
      LinearRamp::Edge(b, c), LinearRamp::Edge(c, a), LinearRamp::Edge(a, b)};
  LinearRamp depth;
  // Distance along a row over which each share changes by 1.
  std::array<double, 3> border;
  for (int i = 0; i < 3; ++i) {
    LinearRamp& share = shares[i];
    share = {share.dx / area, share.dy / area, share.at_origin / area};
    depth.dx += share.dx * corners[i].z;
    depth.dy += share.dy * corners[i].z;
    depth.at_origin += share.at_origin * corners[i].z;
    border[i] = 1 / share.dx;
  }
  const auto number = static_cast<int32_t>(faces_.size());
  const Vec3 cross = Cross(b - a, c - a);
  // The y axis points down. Both sides of a surface look the same, so normals
  // are turned towards the viewer.
  faces_.push_back(
      {.body = body, .normal = cross * ((cross.z > 0 ? 1 : -1) / Norm(cross))});
  for (int y = top; y < bottom; ++y) {
    // Range of the samples of this row that are inside all three edges.
    double from = left, to = right;
    for (int i = 0; i < 3; ++i) {
      const LinearRamp& share = shares[i];
      const double rest = share.dy * (y + 0.5) + share.at_origin;
      if (share.dx > 0) {
        from = std::max(from, std::ceil(-rest * border[i] - 0.5));
      } else if (share.dx < 0) {
        to = std::min(to, std::floor(-rest * border[i] - 0.5) + 1);
      } else if (rest < 0) {
        to = from;
      }
    }
    if (!(from < to)) continue;
    const size_t row = static_cast<size_t>(y) * width_;
    float* const depths = &depths_[row];
    int32_t* const numbers = &numbers_[row];
    const double start = depth.dy * (y + 0.5) + depth.at_origin;
    const float nearest = nearest_;
    // Without branches, so that compilers can vectorize the loop.
    for (int x = static_cast<int>(from); x < static_cast<int>(to); ++x) {
      const auto z = static_cast<float>(start + depth.dx * (x + 0.5));
      const float known = depths[x];
      const bool is_seen = (z > known) & (z <= nearest);
      depths[x] = is_seen ? z : known;
      numbers[x] = is_seen ? number : numbers[x];
    }
  }
}

}  // namespace orbox::picture
