// SPDX-License-Identifier: Apache-2.0

// Concatenates the bytes of all ranks, of any sizes, in the order of ranks, on
// each rank. Private.
//
//   ByteJoin join;
//   absl::Status all = join.Run(ranks, own, "for the edges", &joined);
#ifndef ORBOX_BVH_MPI_INTERNAL_BYTE_JOIN_H_
#define ORBOX_BVH_MPI_INTERNAL_BYTE_JOIN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {

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

#endif  // ORBOX_BVH_MPI_INTERNAL_BYTE_JOIN_H_
