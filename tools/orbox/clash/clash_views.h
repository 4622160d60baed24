// SPDX-License-Identifier: Apache-2.0

// Views of clashes: the bodies in a frame, the best viewing direction of each
// clash, and pictures of some clashes.
//
//   absl::StatusOr<std::vector<report::ClashView>> views =
//       ViewClashes({.count = 100, .drawn = {{.clash = 3}}}, scene, list,
//       settings, progress);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_VIEWS_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_VIEWS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/picture/picture.h"
#include "tools/report/clash_issues.h"
#include "tools/report/clash_list.h"
#include "tools/report/clash_model.h"

namespace orbox::cli {

// Returns all bodies of the scene in a frame. Errors are those of
// SceneFrames::BodyAt.
absl::StatusOr<std::vector<PosedTree>> BodiesAt(const ClashInput& scene,
                                                size_t frame);

struct WantedPicture {
  size_t clash = 0;         // its position in the list
  bool is_swapped = false;  // true if its second body has the first colour
};

struct WantedViews {
  size_t count = 0;  // number of clashes to view, the first of the list
  std::vector<WantedPicture> drawn;
  picture::PictureSize size;
};

// Creates the views frame by frame, on all cores.
absl::StatusOr<std::vector<report::ClashView>> ViewClashes(
    const WantedViews& wanted, const ClashInput& scene,
    const report::ClashList& list, const Settings& settings,
    ProgressDisplay& progress);

// Returns the view of a clash for the model on a page. In the model, bodies
// have their poses in `frame`.
absl::StatusOr<report::ModelView> ModelViewOf(const report::ListedClash& clash,
                                              const report::ClashView& view,
                                              size_t frame,
                                              const ClashInput& scene);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_VIEWS_H_
