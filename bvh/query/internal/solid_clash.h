// SPDX-License-Identifier: Apache-2.0

// The questions of clash.h and shared_region.h for solids at hand: what those
// ask once, and scenes for many pairs. Private.
//
//   const Clash clash = ClashOfSolids(a, b, options);
#ifndef ORBOX_BVH_QUERY_INTERNAL_SOLID_CLASH_H_
#define ORBOX_BVH_QUERY_INTERNAL_SOLID_CLASH_H_

#include <optional>

#include "orbox/bvh/query/clash.h"
#include "orbox/bvh/query/internal/solid.h"
#include "orbox/bvh/query/shared_region.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

// Runs in the calling thread.
Clash ClashOfSolids(const Solid& a, const Solid& b,
                    const ClashOptions& options);

// The tolerance or the clearance, whichever is larger.
double ReachOf(const ClashOptions& options);

// Require closed solids with one rule of inside.
bool AnyInteriorOverlap(const Solid& a, const Solid& b, const Execution& run);
// `known` is a ball inside both, if one has been found.
SharedThickness ThicknessOfSolids(
    const Solid& a, const Solid& b, const MeasureError& error,
    const Execution& run, const std::optional<Sphere>& known = std::nullopt);
MeasureBounds VolumeOfSolids(const Solid& a, const Solid& b,
                             const MeasureError& error, const Execution& run);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_SOLID_CLASH_H_
