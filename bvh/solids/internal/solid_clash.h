// SPDX-License-Identifier: Apache-2.0

// Queries of solids as parts of other queries. Those of existing solids let a
// scene create a solid once and pair it with many others. Private.
//
//   const Clash clash = ClashOfSolids(a, b, options, run);
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_SOLID_CLASH_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_SOLID_CLASH_H_

#include <cstddef>
#include <optional>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/bvh/solids/shared_region.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

// Runs in the calling thread.
Clash ClashOfSolids(const Solid& a, const Solid& b, const ClashOptions& options,
                    const Execution& run);

std::optional<Penetration> FindPenetration(const PosedTree& a,
                                           const PosedTree& b,
                                           InsideRule inside,
                                           const Execution& run);

// Returns the larger one of tolerance and clearance.
double ReachOf(const ClashOptions& options);

// Require closed solids with a common rule of inside.
bool AnyInteriorOverlap(const Solid& a, const Solid& b, const Execution& run);
// Returns true only if the first solid has no ball outside of the second that
// is larger than the least radius of a search. True if exact arithmetic finds
// no point of its interior there, for the moved vertices, or, if both have one
// pose, for the vertices before they are moved.
bool IsContained(const Solid& a, const Solid& b, const Execution& run);
// Returns true only if no ball inside both solids is larger than the least
// radius of a search, as IsContained does.
bool HaveApartInteriors(const Solid& a, const Solid& b, const Execution& run);
// Returns true if exact arithmetic takes no longer than a search that gives up.
inline bool AreSmallForExact(const Solid& a, const Solid& b) {
  constexpr size_t kMostTriangles = 20'000;
  return a.triangle_count() + b.triangle_count() <= kMostTriangles;
}
// `known` is a ball inside both solids, if one has been found.
SharedThickness ThicknessOfSolids(
    const Solid& a, const Solid& b, const MeasureError& error,
    const Execution& run, const std::optional<Sphere>& known = std::nullopt);
MeasureBounds VolumeOfSolids(const Solid& a, const Solid& b,
                             const MeasureError& error, const Execution& run);
// Those of the meshes as solids. Nothing is shared if one of them is open.
SharedThickness FindThickness(const PosedTree& a, const PosedTree& b,
                              const MeasureError& error, InsideRule inside,
                              const Execution& run);
MeasureBounds FindVolume(const PosedTree& a, const PosedTree& b,
                         const MeasureError& error, InsideRule inside,
                         const Execution& run);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_SOLID_CLASH_H_
