// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/mask.h"

#include <algorithm>
#include <cmath>

namespace orbox::picture {
namespace {

// Distance of `p` from a segment, and the position of the nearest point.
struct FromSegment {
  double distance;
  double along;
};

FromSegment DistanceFrom(const Point2& from, const Point2& to,
                         const Point2& p) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double px = p.x - from.x, py = p.y - from.y;
  const double squared = dx * dx + dy * dy;
  const double t =
      squared > 0 ? std::clamp((px * dx + py * dy) / squared, 0.0, 1.0) : 0;
  const double ex = px - t * dx, ey = py - t * dy;
  return {std::sqrt(ex * ex + ey * ey), t};
}

// Returns the coverage of a pixel whose centre is `depth` pixels inside a
// straight edge.
double ShareInside(double depth) { return std::clamp(depth + 0.5, 0.0, 1.0); }

// Clips a segment to the visible band. `begin` and `end` are fractions of its
// length. Far outside of the picture, there would be too many pixels.
bool ClipToBand(double from, double step, double lo, double hi, double& begin,
                double& end) {
  if (step == 0) return from >= lo && from <= hi;
  const double a = (lo - from) / step, b = (hi - from) / step;
  begin = std::max(begin, std::min(a, b));
  end = std::min(end, std::max(a, b));
  return begin <= end;
}

}  // namespace

PixelBox Mask::Clipped(const Point2& lo, const Point2& hi) const {
  // Handles any coordinate, even NaN.
  const auto pixel = [](double v, int size) {
    if (!(v > 0)) return 0;
    return v < size ? static_cast<int>(v) : size;
  };
  return {pixel(lo.x, width_), pixel(lo.y, height_), pixel(hi.x + 1, width_),
          pixel(hi.y + 1, height_)};
}

void Mask::Cover(int x, int y, double share) {
  float& old = shares_[static_cast<size_t>(y) * width_ + x];
  old = std::max(old, static_cast<float>(share));
  if (touched_.right == 0) touched_ = {x, y, x + 1, y + 1};
  touched_ = {std::min(touched_.left, x), std::min(touched_.top, y),
              std::max(touched_.right, x + 1),
              std::max(touched_.bottom, y + 1)};
}

void Mask::AddLine(const Point2& from, const Point2& to, double width) {
  AddLine(from, to, width, [](int, int, double) { return 1.0; });
}

void Mask::AddLine(const Point2& from, const Point2& to, double width,
                   LineShare share) {
  const double reach = width / 2 + 1;
  const double dx = to.x - from.x, dy = to.y - from.y;
  double begin = 0, end = 1;
  if (!ClipToBand(from.x, dx, -reach, width_ + reach, begin, end) ||
      !ClipToBand(from.y, dy, -reach, height_ + reach, begin, end)) {
    return;
  }
  const Point2 a{from.x + begin * dx, from.y + begin * dy};
  const Point2 b{from.x + end * dx, from.y + end * dy};
  // Lines thinner than a pixel are drawn one pixel wide, and fainter.
  const double radius = std::max(width, 1.0) / 2;
  const double strength = std::min(width, 1.0);
  const PixelBox rows =
      Clipped({0, std::min(a.y, b.y) - reach}, {0, std::max(a.y, b.y) + reach});
  // Extent of a slanted line in a row, on both sides of its crossing with the
  // row.
  const double slant =
      reach * std::sqrt(dx * dx + dy * dy) / std::max(std::abs(dy), 1e-300) + 1;
  for (int y = rows.top; y < rows.bottom; ++y) {
    double left = std::min(a.x, b.x) - reach,
           right = std::max(a.x, b.x) + reach;
    if (dy != 0) {
      const double crossing = from.x + (y + 0.5 - from.y) * (dx / dy);
      left = std::max(left, crossing - slant);
      right = std::min(right, crossing + slant);
    }
    const PixelBox row = Clipped({left, 0}, {right, 0});
    for (int x = row.left; x < row.right; ++x) {
      const FromSegment f = DistanceFrom(a, b, {x + 0.5, y + 0.5});
      const double inside = strength * ShareInside(radius - f.distance);
      if (inside <= 0) continue;
      const double along = begin + f.along * (end - begin);
      Cover(x, y, inside * share(x, y, along));
    }
  }
}

void Mask::AddDisc(const Point2& center, double radius) {
  AddLine(center, center, 2 * radius);
}

void Mask::AddRing(const Point2& center, double radius, double width) {
  const double reach = radius + width / 2 + 1;
  const PixelBox box = Clipped({center.x - reach, center.y - reach},
                               {center.x + reach, center.y + reach});
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x) {
      const double dx = x + 0.5 - center.x, dy = y + 0.5 - center.y;
      const double off = std::abs(std::sqrt(dx * dx + dy * dy) - radius);
      Cover(x, y, ShareInside(width / 2 - off));
    }
  }
}

}  // namespace orbox::picture
