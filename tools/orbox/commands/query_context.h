// SPDX-License-Identifier: Apache-2.0

// Arguments of a query of the command line, except its trees.
//
//   (*query)->Run(trees, {settings, progress, output});
//   QueryOptions options = CoresOfEach(poses.size(), context);
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_CONTEXT_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_CONTEXT_H_

#include <cstddef>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

// Refers to its members.
struct QueryContext {
  const Settings& settings;
  ProgressDisplay& progress;
  Output& output;  // receives the results
};

// Returns the run options of `options`.
inline RunOptions RunOptionsOf(const QueryOptions& options) {
  return {.statistics = options.statistics,
          .threads = options.threads,
          .progress = options.progress,
          .cancelled = options.cancelled};
}
// Returns the options for a tree. Queries of chunked trees take QueryOptions.
inline RunOptions OptionsFor(TreeAtPose, const QueryOptions& options) {
  return RunOptionsOf(options);
}
inline const QueryOptions& OptionsFor(const ChunkedTarget&,
                                      const QueryOptions& options) {
  return options;
}
inline RunOptions RunOptionsOf(const QueryOptions& cores,
                               TraversalStatistics* statistics) {
  RunOptions options = RunOptionsOf(cores);
  options.statistics = statistics;
  return options;
}

// Returns the options for each of `questions` concurrent queries. A single
// query reports its progress to `progress`.
inline QueryOptions CoresOfEach(size_t questions, const QueryContext& context) {
  QueryOptions options;
  options.threads =
      questions == 1 ? static_cast<int>(context.settings.threads) : 1;
  if (questions == 1) {
    options.progress = [&progress = context.progress](double share) {
      progress.ShareDone(share);
    };
  }
  return options;
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_CONTEXT_H_
