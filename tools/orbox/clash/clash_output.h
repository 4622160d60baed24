// SPDX-License-Identifier: Apache-2.0

// The output of `orbox clash`, as text, JSON and CSV.
//
//   ClashWriter writer(scene, settings, output);
//   writer.Write({number, answer, changes});      // frame after frame
//   absl::Status status = writer.Finish(summary, list, statistics);
//
// JSON contains all frames of a motion and the list. CSV contains the list.
// Text contains the changes from frame to frame, a summary of the list and its
// worst rows.
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_OUTPUT_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_OUTPUT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/orbox/clash/clash_schema.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"
#include "tools/report/clash_list.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {

// Maximum number of rows and groups in text.
inline constexpr size_t kClashesShown = 20;

class ClashWriter {
 public:
  // Refers to its arguments. Writes the beginning of the output.
  ClashWriter(const ClashInput& scene, const Settings& settings,
              Output& output);

  void Write(const ClashFrame& frame);

  // Closes the output.
  absl::Status Finish(const report::SceneSummary& summary,
                      const report::ClashList& list,
                      const TraversalStatistics& statistics);

 private:
  void WriteJson(const report::SceneSummary& summary,
                 const report::ClashList& list);
  void WriteText(const report::SceneSummary& summary,
                 const report::ClashList& list);

  const ClashInput& scene_;
  const Settings& settings_;
  const Schema<ClashFrame> frame_;
  ResultWriter results_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_OUTPUT_H_
