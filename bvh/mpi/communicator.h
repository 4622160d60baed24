// SPDX-License-Identifier: Apache-2.0

// The ranks of an MPI job, for the queries of distributed_tree.h: errors that
// reach all ranks, and messages of any size.
//
//   MPI_Init(&argc, &argv);
//   absl::StatusOr<Communicator> ranks = Communicator::Create(MPI_COMM_WORLD);
//   if (!ranks.ok()) return ranks.status();
//   absl::Status all = ranks->Agree(mine);   // of the lowest rank that failed
//
// All functions except the getters are collective: every rank calls the same
// ones in the same order. None of them throws. Errors of MPI itself
// (kUnavailable) reach only the ranks to which MPI reports them. A program then
// ends without MPI_Finalize, and mpirun ends the other ranks. Requires MPI 3.0,
// initialised and not yet finalised while a Communicator lives. Not
// thread-safe: one thread at a time, which may be any thread if
// MPI_THREAD_SERIALIZED is provided.
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

// Counts of the data that a rank has sent. MPI decides how much a reduction or
// a broadcast sends; `reduced_bytes` counts its arguments.
struct Traffic {
  uint64_t messages = 0;        // between two ranks, none of them empty
  uint64_t bytes = 0;           // in these messages
  uint64_t received_bytes = 0;  // in messages to this rank
  uint64_t collectives = 0;     // reductions, gathers, broadcasts, counts
  uint64_t reduced_bytes = 0;   // arguments of these collectives
  // The largest number of bytes that this rank had in transit at a time.
  uint64_t peak_bytes = 0;

  Traffic& operator+=(const Traffic& other);
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

class ORBOX_EXPORT Communicator {
 public:
  // Duplicates `parent`, so that no message is mixed up with one of the
  // caller's, and frees the copy at the end. kFailedPrecondition if MPI is not
  // running.
  static absl::StatusOr<Communicator> Create(MPI_Comm parent);
  ~Communicator();
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;

  int rank() const;
  int size() const;
  const Traffic& traffic() const;

  // Returns OK if all ranks are OK. Otherwise returns the status of the lowest
  // rank that failed, with its code and the first kMessageBytes bytes of its
  // message.
  absl::Status Agree(const absl::Status& own);
  static constexpr size_t kMessageBytes = 480;

  // Returns kInvalidArgument if the numbers differ between ranks, with the text
  // "the ranks differ in " `what`. For hashes of arguments.
  absl::Status AgreeOn(uint64_t number, const char* what);

  // Combine the numbers of all ranks, in place.
  absl::Status Sum(std::span<uint64_t> numbers);
  absl::Status Max(std::span<uint64_t> numbers);
  absl::Status Min(std::span<double> numbers);

  // Gathers the bytes of all ranks, of one size each, in the order of ranks.
  // Requires all.size() == size() * own.size(), below 2 GiB.
  absl::Status Gather(std::span<const std::byte> own, std::span<std::byte> all);

  // Copies the bytes of rank `root` to all ranks.
  absl::Status Broadcast(std::span<std::byte> bytes, int root);

  // Sends counts[r] to rank r; received[r] is the count that rank r sent here.
  // Both have size() elements.
  absl::Status ExchangeCounts(std::span<const uint64_t> counts,
                              std::span<uint64_t> received);

  // Sends sent[r] to rank r, into its received[own rank]. Both have size()
  // elements. Requires the sizes that ExchangeCounts has exchanged. Messages
  // have at most `max_message` bytes, so sizes may exceed 2 GiB.
  absl::Status Exchange(std::span<const std::span<const std::byte>> sent,
                        std::span<const std::span<std::byte>> received);

  // Default: 1 GiB. Requires equal values on all ranks. For tests.
  void set_max_message(uint64_t bytes);

 private:
  struct State;
  explicit Communicator(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_COMMUNICATOR_H_
