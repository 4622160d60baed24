// SPDX-License-Identifier: Apache-2.0

// Measures of listed clashes that take longer than the detection. These are the
// clusters at which the bodies come close (bvh/query/pairs/pair_clusters.h),
// and the thickness and the depths of the worst clashes
// (bvh/solids/shared_region.h, penetration.h). All are measured in the worst
// frame of a clash. Errors are those of SceneFrames::BodyAt.
//
//   absl::Status status = FindThicknesses(scene, settings, progress, list);
//   if (status.ok()) status = FindDepths(scene, settings, progress, list);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_MEASURES_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_MEASURES_H_

#include <cstddef>
#include <span>

#include "absl/status/status.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/report/clash_list.h"

namespace orbox::cli {

// Computes the clusters of each clash that needs attention.
absl::Status FindClusters(const ClashInput& scene, const Settings& settings,
                          ProgressDisplay& progress, report::ClashList& list);

// Maximum number of triangles of the measured bodies. Measuring a thickness or
// a depth takes a time that grows with the triangles of the two bodies. With
// this budget, all depths take some seconds, and all thicknesses less. The
// budget limits work and not time, so that each run measures the same pairs.
inline constexpr size_t kMeasureBudget = 2'000'000;

// Returns the number of pairs at the beginning whose triangles add up to at
// most the budget. Returns 1 if the first pair exceeds it.
size_t CountWithinBudget(std::span<const size_t> triangles, size_t budget);

// Measures the thickness of shared regions with the error
// ClashList::kThicknessError, in the order of the list, within the budget.
// (SceneFrames measures all pairs with an error of 5 %.) Then sorts the list,
// so that no pair is before one that is certainly thicker (report::IsWorse).
// Requires a list without groups.
absl::Status FindThicknesses(const ClashInput& scene, const Settings& settings,
                             ProgressDisplay& progress,
                             report::ClashList& list);

// Leaves out the pairs that share a region and certainly share less than a
// thickness or a volume. Returns their number. Without a measured volume, none
// is too small. Requires a list without groups.
size_t DropBelow(double thickness, double volume, report::ClashList& list);

// Measures the depths of the pairs that clash or cross, in the order of the
// list, within the budget.
absl::Status FindDepths(const ClashInput& scene, const Settings& settings,
                        ProgressDisplay& progress, report::ClashList& list);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_MEASURES_H_
