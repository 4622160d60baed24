// SPDX-License-Identifier: Apache-2.0

// Runs `orbox clash` on bodies from anywhere: the SCENE files of the command,
// IFC files that Python reads, or a scene in the memory of a Python program.
// Options, rules, order, outputs, errors and exit codes are the same.
//
//   const ClashSource source{.title = "two boxes", .load = MakeBoxes};
//   absl::StatusOr<ExitCode> code = RunClash(arguments, progress, source);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_RUN_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_RUN_H_

#include <atomic>
#include <functional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/clash/clash_arguments.h"
#include "tools/orbox/clash/scene_bodies.h"
#include "tools/report/clash_list.h"

namespace orbox::cli {

// Options of `orbox clash`, in addition to the common ones.
std::span<const Option> ClashOptionTable();

// Description of kinds and order, for --help.
std::string_view ClashKindsHelp();

struct ClashSource {
  std::string title;  // of the page and of the text
  // Loads the bodies, after the command line is checked and before anything
  // else is read.
  std::function<absl::StatusOr<SceneBodies>(const ClashArguments& request,
                                            const Settings& settings,
                                            ProgressDisplay& progress)>
      load;
  // Receives the list of clashes at the end. May be null.
  std::function<void(const report::ClashList& list)> receive;
  // If not null, the cost of the queries is added to it.
  TraversalStatistics* statistics = nullptr;
  // If not null, the run ends soon after this becomes true, by kCancelled.
  const std::atomic<bool>* cancelled = nullptr;
};

absl::StatusOr<ExitCode> RunClash(const Arguments& arguments,
                                  ProgressDisplay& progress,
                                  const ClashSource& source);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_RUN_H_
