// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/internal/mail.h"

#include <numeric>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {

namespace {

uint64_t TotalOf(const std::vector<std::vector<std::byte>>& pieces) {
  uint64_t bytes = 0;
  for (const std::vector<std::byte>& piece : pieces) bytes += piece.size();
  return bytes;
}

}  // namespace

Mail::Mail(int ranks)
    : out_(ranks),
      in_(ranks),
      counts_(ranks),
      in_counts_(ranks),
      sent_(ranks),
      received_(ranks) {}

void Mail::Clear() {
  for (std::vector<std::byte>& piece : out_) piece.clear();
  for (std::vector<std::byte>& piece : in_) piece.clear();
}

uint64_t Mail::received_bytes() const { return TotalOf(in_); }

absl::Status Mail::Deliver(Communicator& ranks, uint64_t memory,
                           const char* what) {
  for (size_t r = 0; r < out_.size(); ++r) counts_[r] = out_[r].size();
  absl::Status status = ranks.ExchangeCounts(counts_, in_counts_);
  if (!status.ok()) return status;
  status = RunPhase(ranks, what, [&] {
    const uint64_t bytes =
        std::accumulate(in_counts_.begin(), in_counts_.end(), uint64_t{0});
    if (bytes > memory) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "not enough memory ", what, ": ", bytes, " bytes come to rank ",
          ranks.rank(), ", and it may use ", memory));
    }
    for (size_t r = 0; r < in_.size(); ++r) {
      in_[r].resize(in_counts_[r]);
      sent_[r] = out_[r];
      received_[r] = in_[r];
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return ranks.Exchange(sent_, received_);
}

}  // namespace orbox
