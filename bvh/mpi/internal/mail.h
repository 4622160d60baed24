// SPDX-License-Identifier: Apache-2.0

// Bytes from every rank to every rank, of sizes that the receivers do not know
// beforehand. Private.
//
//   Mail mail(ranks.size());                  // in a phase: it allocates
//   ByteWriter(&mail.to(3)).Put(point);       // in a phase, too
//   absl::Status all = mail.Deliver(ranks, memory, "for the requests");
//   ByteReader from_two(mail.from(2));
//
//   ByteJoin join;                            // the same bytes for each rank
//   absl::Status all = join.Run(ranks, own, "for the edges", &joined);
#ifndef ORBOX_BVH_MPI_INTERNAL_MAIL_H_
#define ORBOX_BVH_MPI_INTERNAL_MAIL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/internal/phase.h"

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

// Concatenates the bytes of all ranks, of any sizes, in the order of ranks, on
// each rank.
class ByteJoin {
 public:
  absl::Status Run(Communicator& ranks, std::span<const std::byte> own,
                   const char* what, std::vector<std::byte>* all) {
    const auto size = static_cast<size_t>(ranks.size());
    absl::Status status = RunPhase(ranks, what, [&] {
      counts_.assign(size, own.size());
      received_.assign(size, 0);
      return absl::OkStatus();
    });
    if (status.ok()) status = ranks.ExchangeCounts(counts_, received_);
    if (!status.ok()) return status;
    status = RunPhase(ranks, what, [&] {
      uint64_t total = 0;
      for (const uint64_t count : received_) total += count;
      all->resize(total);
      sent_.assign(size, own);
      into_.clear();
      std::span<std::byte> rest(*all);
      for (const uint64_t count : received_) {
        into_.push_back(rest.first(count));
        rest = rest.subspan(count);
      }
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    return ranks.Exchange(sent_, into_);
  }

 private:
  std::vector<uint64_t> counts_;
  std::vector<uint64_t> received_;
  std::vector<std::span<const std::byte>> sent_;
  std::vector<std::span<std::byte>> into_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_MAIL_H_
