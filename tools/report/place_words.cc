// SPDX-License-Identifier: Apache-2.0

#include "tools/report/place_words.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "tools/base/text.h"

namespace orbox::report {

PlaceWords::PlaceWords(std::vector<Storey> storeys,
                       const std::vector<GridAxis>& axes)
    : storeys_(std::move(storeys)) {
  std::stable_sort(storeys_.begin(), storeys_.end(),
                   [](const Storey& x, const Storey& y) {
                     return x.elevation < y.elevation;
                   });
  constexpr double kBeyond = 0.1;  // of an axis
  const auto is_on = [](double share) {
    return share >= -kBeyond && share <= 1 + kBeyond;
  };
  for (size_t i = 0; i < axes.size(); ++i) {
    for (size_t j = i + 1; j < axes.size(); ++j) {
      const GridAxis &p = axes[i], &q = axes[j];
      const double px = p.to[0] - p.from[0], py = p.to[1] - p.from[1];
      const double qx = q.to[0] - q.from[0], qy = q.to[1] - q.from[1];
      const double dx = q.from[0] - p.from[0], dy = q.from[1] - p.from[1];
      const double area = px * qy - py * qx;
      // Axes of one direction do not cross, up to a hundredth of a radian.
      if (std::abs(area) <= 0.01 * std::hypot(px, py) * std::hypot(qx, qy)) {
        continue;
      }
      const double on_p = (dx * qy - dy * qx) / area;
      const double on_q = (dx * py - dy * px) / area;
      if (!is_on(on_p) || !is_on(on_q)) continue;
      crossings_.push_back({.x = p.from[0] + on_p * px,
                            .y = p.from[1] + on_p * py,
                            .name = tools::Cat(p.name, "/", q.name)});
    }
  }
  std::stable_sort(
      crossings_.begin(), crossings_.end(),
      [](const Crossing& x, const Crossing& y) { return x.x < y.x; });
}

std::string PlaceWords::StoreyOf(const Vec3& place) const {
  if (storeys_.empty()) return "";
  const auto above = std::upper_bound(
      storeys_.begin(), storeys_.end(), place.z,
      [](double z, const Storey& s) { return z < s.elevation; });
  return above == storeys_.begin() ? above->name : std::prev(above)->name;
}

std::string PlaceWords::CrossingOf(const Vec3& place) const {
  double nearest = std::numeric_limits<double>::infinity();
  const Crossing* found = nullptr;
  const auto look = [&](const Crossing& crossing) {
    const double along = std::abs(crossing.x - place.x);
    if (along > nearest) return false;  // and so are all that follow
    const double distance = std::hypot(along, crossing.y - place.y);
    if (distance < nearest) {
      nearest = distance;
      found = &crossing;
    }
    return true;
  };
  const auto middle = std::lower_bound(
      crossings_.begin(), crossings_.end(), place.x,
      [](const Crossing& crossing, double x) { return crossing.x < x; });
  for (auto i = middle; i != crossings_.end() && look(*i);) ++i;
  for (auto i = middle; i != crossings_.begin() && look(*std::prev(i));) --i;
  return found == nullptr ? "" : found->name;
}

}  // namespace orbox::report
