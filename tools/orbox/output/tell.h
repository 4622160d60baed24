// SPDX-License-Identifier: Apache-2.0

// Writes results at a terminal that also shows progress.
//
//   Tell(progress, output, [&] { results.Write(...); });
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_TELL_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_TELL_H_

#include "tools/orbox/base/progress.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

// Calls `write`. At a terminal, the progress line is erased meanwhile. It is
// drawn again below complete lines of results, but not during JSON, which is
// one line.
template <typename Write>
void Tell(ProgressDisplay& progress, Output& output, Write write) {
  if (!output.is_terminal()) {
    write();
    return;
  }
  progress.Pause();
  write();
  output.Flush();
  if (output.is_at_line_start()) progress.Resume();
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_TELL_H_
