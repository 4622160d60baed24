// SPDX-License-Identifier: Apache-2.0

// Places at which the bodies of each clash come close. All pairs of triangles
// within the distance of the query are grouped into a few places
// (bvh/query/pair_clusters.h).
//
//   absl::Status status = FindClusters(scene, settings, progress, list);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_CLUSTERS_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_CLUSTERS_H_

#include "absl/status/status.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/report/clash_list.h"

namespace orbox::cli {

// Fills in the places of each clash that needs attention, in its worst frame.
// Errors are those of SceneFrames::BodyAt.
absl::Status FindClusters(const ClashInput& scene, const Settings& settings,
                          ProgressDisplay& progress, report::ClashList& list);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_CLUSTERS_H_
