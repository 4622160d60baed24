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
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/report/clash_list.h"
#include "tools/report/scene_facts.h"

namespace orbox::report {

// Returns a GLB file for any viewer. A body has the colour of its worst clash
// (palette.h); a body without a clash is transparent. A ball marks each clash,
// or two balls the ends of a gap. A ball is as large as the largest ball inside
// both solids, but large enough to be seen. Its properties name its clash.
// Requires as many names and properties as bodies. Errors are those of
// EncodeBodies (bvh/io/write_bodies.h).
absl::StatusOr<std::string> ClashModel(
    std::span<const PosedTree> bodies, const SceneFacts& scene,
    std::span<const BodyProperties> properties, const ClashList& list);

// Returns only the bodies, in their order, for the model on a page.
absl::StatusOr<std::string> PlainModel(std::span<const PosedTree> bodies);

// The view of a clash in that model.
struct ModelView {
  size_t a = 0;
  size_t b = 0;
  Vec3 place;
  double radius = 1;  // half of the visible height
  // The gap from body to body, if there is one.
  std::optional<Segment> gap;
  // The direction to the viewer, if a good one was computed.
  std::optional<Vec3> back;
  // Poses of the bodies relative to their poses in the model.
  std::optional<Pose> move_a;
  std::optional<Pose> move_b;
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_MODEL_H_
