// SPDX-License-Identifier: Apache-2.0

// Generates shell completion from the table of the parser. The scripts need
// only the shell.
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

// Beginning of a command line: the words after "orbox", and the options and
// operands that may follow them.
struct CommandLine {
  std::string words;  // "nearest", "explain nearest"
  std::vector<Option> options;
  const Command* command;  // the command whose operands follow
};

// Returns the command lines of each command, and of `explain` with each query.
std::vector<CommandLine> CommandLines();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_COMPLETION_H_
