// SPDX-License-Identifier: Apache-2.0

// Shell completion from the table of the parser: scripts that need only the
// shell.
//
//   output.Write(BashCompletion());
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_COMPLETION_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_COMPLETION_H_

#include <string>
#include <vector>

#include "tools/orbox/commands/command.h"

namespace orbox::cli {

std::string BashCompletion();
std::string ZshCompletion();

// The beginning of a command line: the words after "orbox", and the options and
// operands that may follow.
struct CommandLine {
  std::string words;  // "nearest", "explain nearest"
  std::vector<Option> options;
  const Command* command;  // the operands that follow are those of this command
};

// Returns the command lines of each command, and of `explain` with each query.
std::vector<CommandLine> CommandLines();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_COMPLETION_H_
