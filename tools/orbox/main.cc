// SPDX-License-Identifier: Apache-2.0

// The orbox command. Prepares the process and then calls Run (run.h).

#include "orbox/bvh/base/internal/os.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/output/unfinished_file.h"
#include "tools/orbox/run.h"

int main(int argc, char** argv) {
  // A missing reader is reported as a write error, so that unfinished files are
  // removed. A closed standard error does no harm.
  orbox::os::PrepareProcess();
  orbox::cli::RemoveUnfinishedFilesAtEnd();
  const int code = orbox::cli::Run(orbox::os::ArgumentsOf(argc, argv));
  if (code == static_cast<int>(orbox::cli::ExitCode::kReaderGone)) {
    orbox::os::EndBySignal(orbox::os::kReaderGoneSignal);
  }
  return code;
}
