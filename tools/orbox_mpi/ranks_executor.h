// SPDX-License-Identifier: Apache-2.0

// Runs queries of chunked trees on all ranks of a job. Each rank runs a range
// of the queries, or some of the pairs of chunks; then all have all results.
//
//   RanksExecutor executor(ranks);
//   int exit_code = Run(arguments, &executor);
#ifndef ORBOX_TOOLS_ORBOX_MPI_RANKS_EXECUTOR_H_
#define ORBOX_TOOLS_ORBOX_MPI_RANKS_EXECUTOR_H_

#include "absl/status/status.h"
#include "orbox/bvh/mpi/communicator.h"
#include "tools/orbox/commands/chunk_executor.h"

namespace orbox::cli {

class RanksExecutor final : public ChunkExecutor {
 public:
  // Refers to the communicator.
  explicit RanksExecutor(Communicator& ranks);

  bool is_alone() const override { return false; }
  bool writes_results() const override { return ranks_.rank() == 0; }

  absl::Status Agree(const absl::Status& own) override {
    return ranks_.Agree(own);
  }

 private:
  Communicator& ranks_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_MPI_RANKS_EXECUTOR_H_
