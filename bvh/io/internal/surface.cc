// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/surface.h"

#include <algorithm>
#include <cmath>

namespace orbox::mesh_internal {

GridSize NearestGrid(size_t wanted, const GridRule& rule, int extra_v) {
  const double cells = static_cast<double>(wanted) / 2;
  const double ideal_v = std::sqrt(cells / rule.ratio);
  auto multiple = [](double x, size_t step, size_t least) {
    const auto steps =
        static_cast<size_t>(std::round(x / static_cast<double>(step)));
    return std::max(steps * step, least);
  };
  // A ratio that is off by a quarter is not visible, and leaves enough grids to
  // choose from. The additional half step rounds outward.
  const double half_step = static_cast<double>(rule.step_v) / 2;
  const size_t first = multiple(std::max(0.8 * ideal_v - half_step, 0.0),
                                rule.step_v, rule.least_v);
  const size_t last =
      multiple(1.25 * ideal_v + half_step, rule.step_v, rule.least_v);
  GridSize best{};
  double best_error = INFINITY;
  double best_stretch = INFINITY;
  for (size_t nv = first; nv <= last; nv += rule.step_v) {
    const size_t rows = nv + static_cast<size_t>(extra_v);
    const double ideal_u = cells / static_cast<double>(rows);
    for (const double at :
         {ideal_u, ideal_u - static_cast<double>(rule.step_u)}) {
      const size_t nu = multiple(std::max(at, 0.0), rule.step_u, rule.least_u);
      const size_t triangles = 2 * nu * rows;
      const double error = std::abs(static_cast<double>(triangles) -
                                    static_cast<double>(wanted));
      const double stretch = std::abs(static_cast<double>(nv) - ideal_v);
      if (triangles > Mesh::kMaxTriangles || error > best_error ||
          (error == best_error && stretch >= best_stretch)) {
        continue;
      }
      best = {nu, nv};
      best_error = error;
      best_stretch = stretch;
    }
  }
  return best;
}

size_t NearestSquare(size_t wanted, size_t unit) {
  auto n = static_cast<size_t>(
      std::sqrt(static_cast<double>(wanted) / static_cast<double>(unit)));
  n = std::max<size_t>(n, 1);
  const size_t above = unit * (n + 1) * (n + 1);
  if (above <= Mesh::kMaxTriangles && wanted > unit * n * n &&
      above - wanted < wanted - unit * n * n) {
    ++n;
  }
  return n;
}

}  // namespace orbox::mesh_internal
