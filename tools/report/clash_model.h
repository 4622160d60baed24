// SPDX-License-Identifier: Apache-2.0

// The bodies of a scene as one GLB file.
//
//   absl::StatusOr<std::string> bytes =
//       ClashModel(bodies, scene, properties, list);
#ifndef ORBOX_TOOLS_REPORT_CLASH_MODEL_H_
#define ORBOX_TOOLS_REPORT_CLASH_MODEL_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/named_body.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/report/clash_list.h"
#include "tools/report/scene_facts.h"

namespace orbox::report {

// For any viewer. A body has the colour of its worst clash (palette.h), and is
// see-through without one. A ball marks where each clash is, or two balls the
// ends of a gap; it is as large as the largest ball inside both solids, and not
// too small to be seen. Its properties say which clash it is. Requires as many
// names and properties as bodies. Errors as those of EncodeBodies
// (bvh/mesh/write_bodies.h).
absl::StatusOr<std::string> ClashModel(
    std::span<const PosedTree> bodies, const SceneFacts& scene,
    std::span<const BodyProperties> properties, const ClashList& list);

// The bodies alone, in their order, for the model on a page.
absl::StatusOr<std::string> PlainModel(std::span<const PosedTree> bodies);

// How that model shows a clash.
struct ModelView {
  size_t a = 0;
  size_t b = 0;
  Vec3 place;
  double radius = 1;  // half of what is in view
  // Where there is a gap: from body to body.
  std::optional<Segment> gap;
  // The side to look from, if anybody has looked for a good one.
  std::optional<Vec3> back;
  // Where the bodies are, as seen from where the model has them.
  std::optional<Pose> move_a;
  std::optional<Pose> move_b;
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_MODEL_H_
