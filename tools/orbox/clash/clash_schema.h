// SPDX-License-Identifier: Apache-2.0

// Schemas of the results of `orbox clash`.
//
//   const Schema<report::ListedClash> clash = ListedClashSchema(scene, list);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_SCHEMA_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/orbox/clash/clash_input.h"
#include "tools/orbox/clash/scene_frames.h"
#include "tools/orbox/output/schema.h"
#include "tools/report/clash_list.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {

// The schemas below refer to the scene.

// Bodies by their numbers. Text omits them.
Schema<size_t> SceneBodySchema(const ClashInput& scene);

// A pair of bodies in JSON; in text, a sentence about their relation.
Schema<BodyClash> BodyClashSchema(const ClashInput& scene);

// Returns the schema of a listed clash, with all fields. In CSV, the names come
// first. `list` must outlive the schema.
Schema<report::ListedClash> ListedClashSchema(const ClashInput& scene,
                                              const report::ClashList& list);

// Returns the rows of a clash in CSV: one for each of its clusters, with the
// distance and the points there, or a single one without clusters.
std::vector<report::ListedClash> RowsOf(const report::ListedClash& clash);

Schema<report::ClashGroup> ClashGroupSchema(const ClashInput& scene,
                                            const report::ClashList& list);
Schema<report::ResolvedClash> ResolvedClashSchema();

struct ClashFrame {
  uint64_t number;
  const FrameAnswer& answer;
  const report::ContactChanges& changes;
};
Schema<ClashFrame> ClashFrameSchema(const ClashInput& scene);

Schema<report::ClosestApproach> ClosestApproachSchema(const ClashInput& scene);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_SCHEMA_H_
