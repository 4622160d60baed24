// SPDX-License-Identifier: Apache-2.0

// Context of a query of the command line, besides its trees.
//
//   (*query)->Ask(trees, {settings, progress, output});
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_CONTEXT_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_CONTEXT_H_

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

// Refers to its members.
struct QueryContext {
  const Settings& settings;
  ProgressDisplay& progress;
  Output& output;  // receives the results
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_CONTEXT_H_
