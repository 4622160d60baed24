// SPDX-License-Identifier: Apache-2.0

// The orbox command. Prepares the process and then calls Run (run.h).

#include "orbox/bvh/base/internal/os.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/run.h"

int main(int argc, char** argv) {
  orbox::cli::PrepareToRun();
  const int code = orbox::cli::Run(orbox::os::ArgumentsOf(argc, argv));
  if (code == static_cast<int>(orbox::cli::ExitCode::kReaderGone)) {
    orbox::os::EndBySignal(orbox::os::kReaderGoneSignal);
  }
  return code;
}
