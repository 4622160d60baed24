// SPDX-License-Identifier: Apache-2.0

// Bytes from every rank to every rank, of sizes that the receivers do not know
// beforehand. Private.
//
//   Mail mail(ranks.size());                  // in a phase: it allocates
//   ByteWriter(&mail.to(3)).Put(point);       // in a phase, too
//   absl::Status all = mail.Deliver(ranks, memory, "for the requests");
//   ByteReader from_two(mail.from(2));
#ifndef ORBOX_BVH_MPI_INTERNAL_MAIL_H_
#define ORBOX_BVH_MPI_INTERNAL_MAIL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/mpi/communicator.h"

namespace orbox {

class Mail {
 public:
  explicit Mail(int ranks);

  // The bytes to send to a rank, and the bytes received from it.
  std::vector<std::byte>& to(int rank) { return out_[rank]; }
  const std::vector<std::byte>& from(int rank) const { return in_[rank]; }

  // Empties both, and keeps their memory.
  void Clear();
  // Number of bytes in all from().
  uint64_t received_bytes() const;

  // Delivers the bytes of to(). kResourceExhausted, on all ranks, if one of
  // them would receive more than `memory` bytes, or runs out of memory.
  absl::Status Deliver(Communicator& ranks, uint64_t memory, const char* what);

 private:
  std::vector<std::vector<std::byte>> out_;
  std::vector<std::vector<std::byte>> in_;
  std::vector<uint64_t> counts_;
  std::vector<uint64_t> in_counts_;
  std::vector<std::span<const std::byte>> sent_;
  std::vector<std::span<std::byte>> received_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_MAIL_H_
