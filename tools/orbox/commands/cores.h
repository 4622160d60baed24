// SPDX-License-Identifier: Apache-2.0

// Distributes the cores: a single query gets all, each of many gets one.
//
//   QueryOptions options = CoresOfEach(poses.size(), context);
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_CORES_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_CORES_H_

#include <cstddef>

#include "orbox/bvh/traverse/query_options.h"
#include "tools/orbox/commands/query_context.h"

namespace orbox::cli {

// Returns the options for each of `questions` queries that run concurrently. A
// single query reports to `progress`.
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

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CORES_H_
