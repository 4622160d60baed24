// SPDX-License-Identifier: Apache-2.0

// The orbox command as a function of its arguments that returns the exit code.
//
//   int code = Run({"info", "part.stl", "--format", "json"});
//
// Results are written to standard output. An error is one line on standard
// error.
#ifndef ORBOX_TOOLS_ORBOX_RUN_H_
#define ORBOX_TOOLS_ORBOX_RUN_H_

#include <span>
#include <string>

#include "tools/orbox/commands/chunk_executor.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {

// Prepares the process of the command. Call it once, from the thread that calls
// Run. A missing reader becomes a write error, so that unfinished files are
// removed, as they are if a signal ends the process.
void PrepareToRun();

// Runs the command. `arguments` does not include the program's name.
// `executor`, if not null, runs queries of chunked trees. Never throws.
int Run(std::span<const std::string> arguments,
        ChunkExecutor* executor = nullptr);

// Runs one command with the words after its name. The command need not be in
// the table.
int Run(const Command& command, std::span<const std::string> words);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_RUN_H_
