// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/center_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "orbox/bvh/broad_phase/internal/body_sample.h"

namespace orbox {
namespace {

// A centre, and the length of the box there.
using CenterAndLength = std::pair<double, double>;

double CenterOf(const Aabb& box, size_t axis) {
  return box.lo[axis] * 0.5 + box.hi[axis] * 0.5;
}

// The largest difference from a line, as a share of its length. An eighth moves
// the borders of blocks a little.
constexpr double kStraight = 0.125;

}  // namespace

CenterScale::CenterScale(const Bodies& bodies) {
  const auto n = static_cast<double>(bodies.count());
  // Between two neighbours of such a sample are O(sqrt(n)) bodies: few enough
  // to test all pairs of them. Sorting a sample four times as large takes a
  // quarter of the time of a frame of 1,000 bodies.
  const auto wanted = static_cast<size_t>(std::sqrt(n)) + 32;
  const BodySample sample(wanted, bodies.count());
  std::vector<CenterAndLength> centers[3];
  size_t count = 0;
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    if (!bodies.Contains(body) || !sample.Has(body)) continue;
    const Aabb& box = bodies.box(body);
    for (size_t axis = 0; axis < 3; ++axis) {
      centers[axis].push_back(
          {CenterOf(box, axis), box.hi[axis] - box.lo[axis]});
    }
    ++count;
  }
  if (count == 0) return;

  // Between two neighbours of the sample there are about so many bodies. A gap
  // of more lengths than that is empty space, and needs no more cells.
  const double most = std::max(1.0, n / static_cast<double>(count));
  double longest = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    std::sort(centers[axis].begin(), centers[axis].end());
    std::vector<Knot>& knots = knots_[axis];
    double place = 0;
    for (size_t i = 0; i < centers[axis].size(); ++i) {
      const auto [at, length] = centers[axis][i];
      if (i > 0) {
        // Halves do not overflow where the whole might.
        const double gap = at * 0.5 - centers[axis][i - 1].first * 0.5;
        if (gap == 0) continue;
        const double shorter =
            std::min(length, centers[axis][i - 1].second) * 0.5;
        place += gap < most * shorter ? gap / shorter : most;
      }
      knots.push_back({at, place});
    }
    longest = std::max(longest, place);
  }
  const int bits = std::min<int>(
      std::bit_width(static_cast<uint64_t>(longest)) + 1, kMaxCellBits);
  last_cell_ = static_cast<double>((uint32_t{1} << bits) - 1);
  for (std::vector<Knot>& knots : knots_) {
    const Knot first = knots.front();
    Knot& last = knots.back();
    for (const Knot& knot : knots) {
      const double line = (knot.at * 0.5 - first.at * 0.5) /
                          (last.at * 0.5 - first.at * 0.5) * last.place;
      is_straight_ &= !(std::abs(line - knot.place) > kStraight * last.place);
    }
    for (Knot& knot : knots) {
      knot.place *= longest > 0 ? last_cell_ / longest : 0;
    }
  }
}

uint32_t CenterScale::Cell(const Aabb& box, size_t axis) const {
  const std::vector<Knot>& knots = knots_[axis];
  if (knots.size() < 2) return 0;
  const double at = CenterOf(box, axis);
  const Knot* from = &knots.front();
  const Knot* to = &knots.back();
  if (!is_straight_) {
    // The last knot that is not after it, excluding the last of all.
    size_t size = knots.size() - 1;
    while (size > 1) {
      const size_t half = size / 2;
      from += from[half].at <= at ? half : 0;
      size -= half;
    }
    to = from + 1;
  }
  const double share =
      (at * 0.5 - from->at * 0.5) / (to->at * 0.5 - from->at * 0.5);
  const double cell = from->place + share * (to->place - from->place);
  return static_cast<uint32_t>(std::min(std::max(cell, 0.0), last_cell_));
}

}  // namespace orbox
