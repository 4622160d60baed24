// The files that a command line names: what a command reads and what it writes.
//
//   absl::Status status = CheckNames(command, options, arguments);
//
// A run overwrites nothing that it reads, and no two of its outputs are one
// file. That is found out here, for all commands and before anything is read.
#ifndef ORBOX_TOOLS_ORBOX_NAMED_FILES_H_
#define ORBOX_TOOLS_ORBOX_NAMED_FILES_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/orbox/command.h"
#include "tools/orbox/options.h"

namespace orbox::cli {

struct NamedFile {
  std::string role;  // in messages: "--report", "A", "bodies[2].mesh"
  std::string path;  // "-" is standard input or output
  bool is_written = false;
};

// What has to hold of the names on a command line before anything is read: as
// many operands as the command takes, and the two checks below.
absl::Status CheckNames(const Command& command, std::span<const Option> options,
                        const Arguments& arguments);

// What the operands and options name, and standard output where results go
// there. Requires operands that CheckOperands accepts.
std::vector<NamedFile> NamedFiles(const Command& command,
                                  std::span<const Option> options,
                                  const Arguments& arguments);

// A usage error that names both where a file is written that is read, or
// written twice: by device and inode, so through symbolic and hard links, or by
// place where there is no such file yet. Devices, pipes and terminals may be
// shared.
absl::Status CheckDistinct(std::span<const NamedFile> files);

// A usage error where a name ends as those of another format do than what is
// written, as in --ply x.obj. Extensions that stand for nothing are no error.
absl::Status CheckExtensions(std::span<const Option> options,
                             const Arguments& arguments);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_NAMED_FILES_H_
