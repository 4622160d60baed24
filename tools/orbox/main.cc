// SPDX-License-Identifier: Apache-2.0

// The orbox command. Prepares the process and then calls Run (run.h).

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/output/unfinished_file.h"
#include "tools/orbox/run.h"

namespace {

// Opens those of the descriptors 0, 1 and 2 that are closed, such that using
// them is an error. A process may start with closed ones. Then the next file
// that is opened would get such a number and receive the messages of the
// command.
void ReserveStandardDescriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) != descriptor) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  ReserveStandardDescriptors();
  // A missing reader is reported as a write error, so that unfinished files are
  // removed. A closed standard error does no harm.
  std::signal(SIGPIPE, SIG_IGN);
  orbox::cli::RemoveUnfinishedFilesAtSignals();
  const int code =
      orbox::cli::Run(std::vector<std::string>(argv + (argc > 0), argv + argc));
  if (code == static_cast<int>(orbox::cli::ExitCode::kReaderGone)) {
    orbox::cli::EndBySignal(SIGPIPE);
  }
  return code;
}
