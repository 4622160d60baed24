// SPDX-License-Identifier: Apache-2.0

// Clashes of solids: the options for measures, and the result columns.
#ifndef ORBOX_TOOLS_PYTHON_CLASH_H_
#define ORBOX_TOOLS_PYTHON_CLASH_H_

#include <cstdint>
#include <limits>
#include <tuple>

#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/penetration.h"
#include "tools/python/columns.h"

namespace orbox::python {

template <>
struct FieldsOf<Penetration> {
  static auto Of(const Penetration& p) {
    return std::tuple(p.depth.lower, p.depth.upper, p.translation, p.normal,
                      p.witness.triangles, p.witness.on_a, p.witness.on_b);
  }
};

// Fields of a clash: kind (as a number), thickness, its position, volume, gap,
// depth, numbers of closed holes, and 1 if undecided. A volume, distance or
// depth that was not found is NaN.
template <>
struct FieldsOf<Clash> {
  static auto Of(const Clash& c) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const MeasureBounds volume =
        c.volume.value_or(MeasureBounds{.lower = kNan, .upper = kNan});
    return std::tuple_cat(
        std::tuple(static_cast<int64_t>(c.kind), c.thickness.lower,
                   c.thickness.upper, c.center, volume.lower, volume.upper),
        FieldsOf<Witness>::Of(c.gap.value_or(Witness{.distance = kNan})),
        FieldsOf<Penetration>::Of(c.depth.value_or(
            Penetration{.depth = {.lower = kNan, .upper = kNan}})),
        std::tuple(static_cast<int64_t>(c.closed_holes[0]),
                   static_cast<int64_t>(c.closed_holes[1]),
                   static_cast<int64_t>(c.is_undecided)));
  }
};

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_CLASH_H_
