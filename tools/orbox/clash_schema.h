// SPDX-License-Identifier: Apache-2.0

// Schemas of the answers of `orbox clash`.
//
//   const Schema<report::ListedClash> clash = ListedClashSchema(scene, list);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_SCHEMA_H_
#define ORBOX_TOOLS_ORBOX_CLASH_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/orbox/asked_scene.h"
#include "tools/orbox/scene_frames.h"
#include "tools/orbox/schema.h"
#include "tools/report/clash_list.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {

// The schemas refer to the scene.

// Bodies by their numbers; text has no line of them.
Schema<size_t> SceneBodySchema(const AskedScene& scene);

// A pair of bodies in JSON; in text, how they lie to each other.
Schema<BodyClash> BodyClashSchema(const AskedScene& scene);

// Schema with all fields of the list; CSV has the names first. `list` has to
// outlive it.
Schema<report::ListedClash> ListedClashSchema(const AskedScene& scene,
                                              const report::ClashList& list);

// The rows that a clash has in CSV: one, or if it has places one for each, with
// the distance and the points there.
std::vector<report::ListedClash> RowsOf(const report::ListedClash& clash);

Schema<report::ClashGroup> ClashGroupSchema(const AskedScene& scene,
                                            const report::ClashList& list);
Schema<report::ResolvedClash> ResolvedClashSchema();

struct ClashFrame {
  uint64_t number;
  const FrameAnswer& answer;
  const report::ContactChanges& changes;
};
Schema<ClashFrame> ClashFrameSchema(const AskedScene& scene);

Schema<report::ClosestApproach> ClosestApproachSchema(const AskedScene& scene);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_SCHEMA_H_
