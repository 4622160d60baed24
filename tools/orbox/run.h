// SPDX-License-Identifier: Apache-2.0

// The orbox command without its process: arguments in, exit code out.
//
//   int code = Run({"info", "part.stl", "--format", "json"});
//
// Results go to standard output, one line per error to standard error.
#ifndef ORBOX_TOOLS_ORBOX_RUN_H_
#define ORBOX_TOOLS_ORBOX_RUN_H_

#include <span>
#include <string>

namespace orbox::cli {

// `arguments` without the program's name. Never throws.
int Run(std::span<const std::string> arguments);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_RUN_H_
