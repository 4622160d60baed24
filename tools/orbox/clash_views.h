// SPDX-License-Identifier: Apache-2.0

// Views of clashes: the bodies in a frame, the direction from which each clash
// is best seen, and pictures of some.
//
//   absl::StatusOr<std::vector<report::ClashView>> views =
//       ViewClashes({.count = 100, .drawn = 24}, scene, list, settings,
//       progress);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_VIEWS_H_
#define ORBOX_TOOLS_ORBOX_CLASH_VIEWS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "tools/orbox/asked_scene.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"
#include "tools/picture/picture.h"
#include "tools/report/clash_issues.h"
#include "tools/report/clash_list.h"
#include "tools/report/clash_model.h"

namespace orbox::cli {

// All bodies of the scene. Errors as those of SceneFrames::BodyAt.
absl::StatusOr<std::vector<PosedTree>> BodiesAt(const AskedScene& scene,
                                                size_t frame);

struct WantedViews {
  size_t count = 0;  // of the first clashes of the list
  size_t drawn = 0;  // of these, the first
  picture::PictureSize size;
};

// Frame by frame, on all cores.
absl::StatusOr<std::vector<report::ClashView>> ViewClashes(
    const WantedViews& wanted, const AskedScene& scene,
    const report::ClashList& list, const Settings& settings,
    Progress& progress);

// For the model on a page, which has the bodies as they are in `frame`.
absl::StatusOr<report::ModelView> ModelViewOf(const report::ListedClash& clash,
                                              const report::ClashView& view,
                                              size_t frame,
                                              const AskedScene& scene);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_VIEWS_H_
