// SPDX-License-Identifier: Apache-2.0

// Depths of the worst clashes, and ways out (bvh/query/penetration.h).
//
//   absl::Status status = FindDepths(scene, settings, progress, list);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_DEPTHS_H_
#define ORBOX_TOOLS_ORBOX_CLASH_DEPTHS_H_

#include <cstddef>
#include <span>

#include "absl/status/status.h"
#include "tools/orbox/asked_scene.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"
#include "tools/report/clash_list.h"

namespace orbox::cli {

// A depth takes a time that grows with the triangles of its two bodies: some
// seconds for all of these. A budget of work, so that each run measures the
// same pairs.
inline constexpr size_t kDepthBudget = 2'000'000;

// Returns the number of first pairs whose triangles add up to no more than the
// budget; 1 where already the first one exceeds it.
size_t CountWithinBudget(std::span<const size_t> triangles, size_t budget);

// Measures pairs that clash or cross, in the frame of the worst and in the
// order of the list, within the budget. Errors as those of SceneFrames::BodyAt.
absl::Status FindDepths(const AskedScene& scene, const Settings& settings,
                        Progress& progress, report::ClashList& list);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_DEPTHS_H_
