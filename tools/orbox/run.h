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

#include "tools/orbox/commands/chunk_executor.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {

// `arguments` does not include the program's name. Never throws. `executor`, if
// it is not null, runs queries of chunked trees.
int Run(std::span<const std::string> arguments,
        ChunkExecutor* executor = nullptr);

// Runs one command with the words after its name; the command need not be in
// the table.
int Run(const Command& command, std::span<const std::string> words);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_RUN_H_
