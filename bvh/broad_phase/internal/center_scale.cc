// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/center_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "orbox/bvh/broad_phase/internal/bodies.h"

namespace orbox {
namespace {

// Half of a centre, and the length of its box.
using HalfAndLength = std::pair<double, double>;

// Largest deviation from a line, as a fraction of its length. An eighth moves
// the borders of blocks only a little.
constexpr double kLargestBend = 0.125;

}  // namespace

CenterScale::CenterScale(const Bodies& bodies) {
  const auto n = static_cast<double>(bodies.count());
  // Between two neighbours of such a sample are O(sqrt(n)) bodies, few enough
  // to test all pairs of them. Sorting four times as many would take a quarter
  // of the time of a frame of 1,000 bodies.
  const auto wanted = static_cast<size_t>(std::sqrt(n)) + 32;
  const BodySample sample(wanted, bodies.count());
  std::vector<HalfAndLength> halves[3];
  size_t count = 0;
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    if (!bodies.Contains(body) || !sample.Has(body)) continue;
    const Aabb& box = bodies.box(body);
    for (size_t axis = 0; axis < 3; ++axis) {
      halves[axis].push_back({HalfOf(box, axis), box.hi[axis] - box.lo[axis]});
    }
    ++count;
  }
  if (count == 0) return;

  // About this many bodies are between two neighbours of the sample. A gap of
  // more lengths than that is empty space and needs no more cells.
  const double most = std::max(1.0, n / static_cast<double>(count));
  double longest = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    std::sort(halves[axis].begin(), halves[axis].end());
    std::vector<Knot>& knots = knots_[axis];
    double place = 0;
    for (size_t i = 0; i < halves[axis].size(); ++i) {
      const auto [at, length] = halves[axis][i];
      if (i > 0) {
        const double gap = at - halves[axis][i - 1].first;
        if (gap == 0) continue;
        const double shorter =
            std::min(length, halves[axis][i - 1].second) * 0.5;
        place += gap < most * shorter ? gap / shorter : most;
      }
      knots.push_back({.at = at, .place = place});
    }
    longest = std::max(longest, place);
  }
  const int bits = std::min<int>(
      std::bit_width(static_cast<uint64_t>(longest)) + 1, kMaxCellBits);
  last_cell_ = static_cast<double>((uint32_t{1} << bits) - 1);
  SetSlopes(longest > 0 ? last_cell_ / longest : 0);
}

void CenterScale::SetSlopes(double cells_per_place) {
  // The slope is finite even if knots are as close as doubles can be.
  const auto slope = [](const Knot& from, const Knot& to) {
    return std::min((to.place - from.place) / (to.at - from.at),
                    std::numeric_limits<double>::max());
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<Knot>& knots = knots_[axis];
    for (Knot& knot : knots) knot.place *= cells_per_place;
    // A single knot is a line of one point, in cell 0.
    lines_[axis] = knots.front();
    if (knots.size() < 2) continue;
    lines_[axis].slope = slope(knots.front(), knots.back());
    for (size_t i = 0; i + 1 < knots.size(); ++i) {
      knots[i].slope = slope(knots[i], knots[i + 1]);
    }
    for (const Knot& knot : knots) {
      const double line = (knot.at - knots.front().at) * lines_[axis].slope;
      is_straight_ &=
          !(std::abs(line - knot.place) > kLargestBend * knots.back().place);
    }
  }
}

const CenterScale::Knot& CenterScale::KnotBefore(double half,
                                                 size_t axis) const {
  const std::vector<Knot>& knots = knots_[axis];
  const Knot* from = knots.data();
  for (size_t size = std::max<size_t>(knots.size(), 2) - 1; size > 1;) {
    const size_t step = size / 2;
    from += from[step].at <= half ? step : 0;
    size -= step;
  }
  return *from;
}

}  // namespace orbox
