// SPDX-License-Identifier: Apache-2.0

// The output of `orbox scene`, as text, JSON and CSV.
//
//   SceneWriter writer(scene, settings, output);
//   writer.Write({number, answer, changes});      // frame after frame
//   absl::Status status = writer.Finish(summary, statistics);
#ifndef ORBOX_TOOLS_ORBOX_SCENE_OUTPUT_H_
#define ORBOX_TOOLS_ORBOX_SCENE_OUTPUT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/asked_scene.h"
#include "tools/orbox/result_writer.h"
#include "tools/orbox/scene_frames.h"
#include "tools/orbox/schema.h"
#include "tools/orbox/settings.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {

class SceneWriter {
 public:
  // Refers to its arguments. Begins to write.
  SceneWriter(const AskedScene& scene, const Settings& settings,
              Output& output);

  struct Frame {
    uint64_t number;
    const FrameAnswer& answer;
    const report::ContactChanges& changes;
  };
  void Write(const Frame& frame);

  // Closes the output.
  absl::Status Finish(const report::SceneSummary& summary,
                      const TraversalStatistics& statistics);

 private:
  const AskedScene& scene_;
  const Settings& settings_;
  const Schema<Frame> frame_;
  ResultWriter results_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_SCENE_OUTPUT_H_
