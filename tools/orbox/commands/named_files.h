// SPDX-License-Identifier: Apache-2.0

// The files of a command line, both inputs and outputs.
//
//   absl::Status status = CheckNames(command, options, arguments);
//
// A run must not overwrite its inputs, and its outputs must be different files.
// This is checked for all commands, before anything is read.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_NAMED_FILES_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_NAMED_FILES_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {

struct NamedFile {
  std::string role;  // for messages: "--report", "A", "bodies[2].mesh"
  std::string path;  // "-" is standard input or output
  bool is_written = false;
};

// Checks a command line before anything is read: the number of operands, and
// the two conditions below.
absl::Status CheckNames(const Command& command, std::span<const Option> options,
                        const Arguments& arguments);

// Returns the files of operands and options, and standard output if it receives
// results. Requires operands that pass CheckOperands.
std::vector<NamedFile> NamedFiles(const Command& command,
                                  std::span<const Option> options,
                                  const Arguments& arguments);

// Returns a usage error with both names if an output is also an input, or if
// two outputs are the same file. Existing files are compared by device and
// inode, so links are recognised. Files that do not exist are compared by path.
// Devices, pipes and terminals may be shared.
absl::Status CheckDistinct(std::span<const NamedFile> files);

// Returns a usage error if the extension of a file name belongs to another
// format than its contents, for example --ply x.obj. Unknown extensions are
// allowed.
absl::Status CheckExtensions(std::span<const Option> options,
                             const Arguments& arguments);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_NAMED_FILES_H_
