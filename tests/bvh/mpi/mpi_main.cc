// SPDX-License-Identifier: Apache-2.0

// Runs the tests of a program on all ranks of an MPI job: the same tests in the
// same order, as collective calls need it. A rank that fails prints the
// reasons; the others then fail, too, because the job does.

#include <mpi.h>

#include <cstdio>

#include "gtest/gtest.h"

namespace {

// A rank that leaves a test early misses calls for which the others wait. So it
// ends the job, after the reason is printed.
class AbortsJob final : public testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.fatally_failed()) return;
    std::fflush(nullptr);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    // One rank prints the tests that run; all print those that fail.
    ::testing::GTEST_FLAG(brief) = true;
  }
  // Listeners are called in order, and the one that prints is the first.
  testing::UnitTest::GetInstance()->listeners().Append(new AbortsJob);
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
