// SPDX-License-Identifier: Apache-2.0

// The ranks of an MPI job, as the queries of distributed_tree.h use them:
// errors that all ranks learn of, and messages of any size.
//
//   MPI_Init(&argc, &argv);
//   absl::StatusOr<Communicator> ranks = Communicator::Create(MPI_COMM_WORLD);
//   if (!ranks.ok()) return ranks.status();
//   absl::Status all = ranks->Agree(mine);   // of the lowest rank that failed
//
// All functions but the getters are collective: every rank calls the same ones
// in the same order. None of them throws. Errors of MPI itself (kUnavailable)
// reach the ranks that MPI tells of them; a program then ends without
// MPI_Finalize, and mpirun ends the others. Requires MPI 3.0, initialised and
// not yet finalised while a Communicator lives. Not thread-safe: one thread at
// a time, which may be any where MPI_THREAD_SERIALIZED is provided.
#ifndef ORBOX_BVH_MPI_COMMUNICATOR_H_
#define ORBOX_BVH_MPI_COMMUNICATOR_H_

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// What a rank has sent to others. What a reduction or a broadcast sends is up
// to MPI; `reduced_bytes` is what goes in.
struct Traffic {
  uint64_t messages = 0;        // between two ranks, none of them empty
  uint64_t bytes = 0;           // in those
  uint64_t received_bytes = 0;  // in those that came in
  uint64_t collectives = 0;     // reductions, gathers, broadcasts, counts
  uint64_t reduced_bytes = 0;   // in those
  // The most bytes of all messages that this rank had under way at a time.
  uint64_t peak_bytes = 0;

  Traffic& operator+=(const Traffic& other);
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

class ORBOX_EXPORT Communicator {
 public:
  // Duplicates `parent`, so that no message meets one of the caller's, and
  // frees the copy at the end. kFailedPrecondition where MPI is not running.
  static absl::StatusOr<Communicator> Create(MPI_Comm parent);
  ~Communicator();
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;

  int rank() const;
  int size() const;
  const Traffic& traffic() const;

  // OK where all are; otherwise the status of the lowest rank that failed, with
  // its code and the first kMessageBytes bytes of its message.
  absl::Status Agree(const absl::Status& own);
  static constexpr size_t kMessageBytes = 480;

  // kInvalidArgument where the numbers differ between ranks, "the ranks differ
  // in " `what`; for hashes of arguments.
  absl::Status AgreeOn(uint64_t number, const char* what);

  // Numbers of all ranks, in place.
  absl::Status Sum(std::span<uint64_t> numbers);
  absl::Status Max(std::span<uint64_t> numbers);
  absl::Status Min(std::span<double> numbers);

  // The bytes of each rank, all of one size, in the order of ranks. Requires
  // all.size() == size() * own.size(), below 2 GiB.
  absl::Status Gather(std::span<const std::byte> own, std::span<std::byte> all);

  // The bytes of rank `root` on all ranks.
  absl::Status Broadcast(std::span<std::byte> bytes, int root);

  // counts[r] goes to rank r; received[r] is what rank r sent here. Both have
  // size() elements.
  absl::Status ExchangeCounts(std::span<const uint64_t> counts,
                              std::span<uint64_t> received);

  // sent[r] goes to rank r, into its received[own rank]. Both have size()
  // elements. Requires that sizes are those that ExchangeCounts told. Messages
  // have at most `max_message` bytes, so that sizes may be beyond 2 GiB.
  absl::Status Exchange(std::span<const std::span<const std::byte>> sent,
                        std::span<const std::span<std::byte>> received);

  // 1 GiB unless set, and the same on all ranks; for tests.
  void set_max_message(uint64_t bytes);

 private:
  struct State;
  explicit Communicator(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_COMMUNICATOR_H_
