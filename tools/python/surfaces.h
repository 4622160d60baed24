// SPDX-License-Identifier: Apache-2.0

// Limits of Hausdorff distances as Python passes them, deviations, the limits
// of their statistics, and contacts of a mesh with itself.
#ifndef ORBOX_TOOLS_PYTHON_SURFACES_H_
#define ORBOX_TOOLS_PYTHON_SURFACES_H_

#include <cstdint>
#include <tuple>

#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/deviation/deviation_summary.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "tools/python/columns.h"

namespace orbox::python {

template <typename Id>
struct FieldsOf<BasicHausdorffResult<Id>> {
  static auto Of(const BasicHausdorffResult<Id>& h) {
    return std::tuple(h.lower, h.upper,
                      BasicTrianglePair<Id>{h.triangle_a, h.triangle_b}, h.on_a,
                      h.on_b);
  }
};
template <typename Id>
struct FieldsOf<BasicSelfContact<Id>> {
  static auto Of(const BasicSelfContact<Id>& c) {
    return std::tuple(c.triangles, static_cast<int64_t>(c.kind));
  }
};
template <>
struct FieldsOf<TriangleDeviation> {
  static auto Of(const TriangleDeviation& d) {
    return std::tuple(d.nearest, d.farthest_lower, d.farthest_upper);
  }
};

// Returns the limits. A negative tolerance means the default.
inline HausdorffLimits AccuracyOf(double tolerance, double relative_tolerance) {
  HausdorffLimits limits{.relative_tolerance = relative_tolerance};
  if (!(tolerance < 0)) limits.tolerance = tolerance;
  return limits;
}

// Returns the limits. A negative `within` means none.
inline DeviationLimits LimitsOf(double within, double max_distance) {
  DeviationLimits limits{.max_distance = max_distance};
  if (!(within < 0)) limits.within = within;
  return limits;
}

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_SURFACES_H_
