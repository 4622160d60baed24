// SPDX-License-Identifier: Apache-2.0

// Clashes of solids: what to measure as Python says it, and what is found.
#ifndef ORBOX_TOOLS_PYTHON_CLASH_H_
#define ORBOX_TOOLS_PYTHON_CLASH_H_

#include <cstdint>
#include <limits>
#include <tuple>

#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/solids/clash.h"
#include "tools/python/columns.h"

namespace orbox::python {

// The kind as a number, the thickness, its place, the volume (NaN where there
// is none), and the gap (at the distance NaN where there is none).
template <>
struct FieldsOf<Clash> {
  static auto Of(const Clash& c) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const MeasureBounds volume =
        c.volume.value_or(MeasureBounds{.lower = kNan, .upper = kNan});
    return std::tuple_cat(
        std::tuple(static_cast<int64_t>(c.kind), c.thickness.lower,
                   c.thickness.upper, c.center, volume.lower, volume.upper),
        FieldsOf<Witness>::Of(c.gap.value_or(Witness{.distance = kNan})));
  }
};

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_CLASH_H_
