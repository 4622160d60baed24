// SPDX-License-Identifier: Apache-2.0

// The file that `orbox scene` writes beside its answer: a report.
//
//   absl::Status status = WriteSceneReport(path, size, scene, summary, ...);
#ifndef ORBOX_TOOLS_ORBOX_SCENE_FILES_H_
#define ORBOX_TOOLS_ORBOX_SCENE_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/asked_scene.h"
#include "tools/orbox/picture_size.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/settings.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {

// Computes the worst moment once more, for its pictures.
absl::Status WriteSceneReport(const std::string& path,
                              const picture::PictureSize& size,
                              const AskedScene& scene,
                              const report::SceneSummary& summary,
                              const TraversalStatistics& statistics,
                              const Settings& settings, Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_SCENE_FILES_H_
