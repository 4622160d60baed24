// SPDX-License-Identifier: Apache-2.0

// Runs the tests of a program on all ranks of an MPI job: the same tests in the
// same order, as collective calls need it. A rank that fails tells its reasons;
// the others then fail, too, because the job does.

#include <mpi.h>

#include "gtest/gtest.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    // One rank tells what runs; all tell what fails.
    ::testing::GTEST_FLAG(brief) = true;
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
