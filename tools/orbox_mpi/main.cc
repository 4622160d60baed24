// SPDX-License-Identifier: Apache-2.0

// The orbox-mpi command: orbox's queries of chunked trees, run by all ranks of
// an MPI job. All ranks read equal arguments and files; rank 0 prints.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/mpi/communicator.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/run.h"
#include "tools/orbox_mpi/plan.h"
#include "tools/orbox_mpi/ranks_executor.h"

namespace orbox::cli {
namespace {

// Silences a rank: only one rank prints.
void BeSilent() {
  os::Silence(os::kStandardOutput);
  os::Silence(os::kStandardError);
}

int Fail(const std::string& message, ExitCode code) {
  WriteToStandardError(Cat("orbox-mpi: ", message, "\n"));
  return static_cast<int>(code);
}

int RunRanks(const std::vector<std::string>& arguments) {
  absl::StatusOr<Communicator> ranks = Communicator::Create(MPI_COMM_WORLD);
  if (!ranks.ok()) {
    return Fail(std::string(ranks.status().message()), ExitCode::kIo);
  }
  if (ranks->rank() != 0) BeSilent();
  if (std::find(arguments.begin(), arguments.end(), "-") != arguments.end()) {
    return Fail("only one rank has a standard input; name a file",
                ExitCode::kUsage);
  }
  RanksExecutor executor(*ranks);
  const int code = Run(arguments, &executor);
  if (code > static_cast<int>(ExitCode::kLook)) {
    // A rank that fails alone, for example because its disk is full, leaves the
    // others waiting. If all have failed, rank 0 prints the reason and ends
    // them all within this time.
    constexpr std::chrono::seconds kTime{30};
    if (ranks->rank() != 0) std::this_thread::sleep_for(kTime);
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  return code;
}

}  // namespace
}  // namespace orbox::cli

int main(int argc, char** argv) {
  const std::vector<std::string> arguments = orbox::os::ArgumentsOf(argc, argv);
  // It needs no ranks.
  if (!arguments.empty() && arguments[0] == "plan") {
    return orbox::cli::Run(orbox::cli::kPlanCommand,
                           std::span(arguments).subspan(1));
  }
  orbox::os::PrepareProcess();
  MPI_Init(&argc, &argv);
  const int code = orbox::cli::RunRanks(arguments);
  MPI_Finalize();
  return code;
}
