// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/space_lines.h"

#include <algorithm>
#include <cmath>

namespace orbox::picture {

namespace {

// Length of the part of a line that is inside the picture.
double LengthInside(const Point2& a, const Point2& b, int width, int height) {
  double begin = 0, end = 1;
  const auto clip = [&begin, &end](double from, double to, double size) {
    if (from == to) {
      if (from < 0 || from > size) end = begin;
      return;
    }
    const double at_low = -from / (to - from);
    const double at_high = (size - from) / (to - from);
    begin = std::max(begin, std::min(at_low, at_high));
    end = std::min(end, std::max(at_low, at_high));
  };
  clip(a.x, b.x, width);
  clip(a.y, b.y, height);
  const double dx = b.x - a.x, dy = b.y - a.y;
  return std::max(0.0, end - begin) * std::sqrt(dx * dx + dy * dy);
}

}  // namespace

// Lines are drawn on surfaces, so a point slightly behind the surface, by a
// pixel or two, still counts as visible.
bool SpaceLines::IsShown(int x, int y, double depth) const {
  return depth <= depth_.FarthestAround(x, y) + 2.5 * camera_.PixelSize(depth);
}

void SpaceLines::AddPiece(const Vec3& from, const Vec3& to, double width) {
  const Projected a = camera_.Project(from);
  const Projected b = camera_.Project(to);
  if (!(a.depth > 0) || !(b.depth > 0)) return;
  length_ += LengthInside(a.pixel, b.pixel, canvas_.width(), canvas_.height());
  // The inverse of the depth is linear along a projected line.
  const auto depth_at = [&a, &b](double along) {
    return 1 / ((1 - along) / a.depth + along / b.depth);
  };
  shown_.AddLine(a.pixel, b.pixel, width, [&](int x, int y, double along) {
    return IsShown(x, y, depth_at(along)) ? 1.0 : 0.0;
  });
  hidden_.AddLine(a.pixel, b.pixel, width, [&](int x, int y, double along) {
    return IsShown(x, y, depth_at(along)) ? 0.0 : 1.0;
  });
}

void SpaceLines::Add(std::span<const Vec3> line, double width) {
  for (size_t i = 1; i < line.size(); ++i) {
    AddPiece(line[i - 1], line[i], width);
  }
}

void SpaceLines::AddDot(const Vec3& center, double radius) {
  const Projected p = camera_.Project(center);
  if (!(p.depth > 0)) return;
  const int x = static_cast<int>(std::floor(p.pixel.x));
  const int y = static_cast<int>(std::floor(p.pixel.y));
  const bool inside =
      x >= 0 && y >= 0 && x < canvas_.width() && y < canvas_.height();
  if (!inside) return;
  (IsShown(x, y, p.depth) ? shown_ : hidden_).AddDisc(p.pixel, radius);
}

void SpaceLines::Paint(const Color& color, double opacity,
                       double hidden_opacity) {
  canvas_.Paint(hidden_, color, hidden_opacity);
  canvas_.Paint(shown_, color, opacity);
}

}  // namespace orbox::picture
