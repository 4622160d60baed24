// SPDX-License-Identifier: Apache-2.0

// Sends answers for triangles of A to the ranks that hold their ids. The slices
// of ranks, in their order, are the list of one process. Private.
//
//   absl::Status room = CheckRoom(found, rank, options, "pairs");  // in a
//   phase absl::Status all = SendToHolders(ranks, a, options, "for pairs",
//   found);
#ifndef ORBOX_BVH_MPI_INTERNAL_ID_HOLDERS_H_
#define ORBOX_BVH_MPI_INTERNAL_ID_HOLDERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/internal/pairs-inl.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/mpi/internal/mail.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {

// The key by which lists are sorted (those of pairs: pairs-inl.h).
inline GlobalPair OrderOf(const GlobalDeviation& d) { return {d.triangle, 0}; }

// Returns the rank that gets the answers for a triangle. Each rank gets equally
// many ids.
class IdHolders {
 public:
  IdHolders(const ChunkedTree& a, int ranks) {
    uint64_t highest = 0;
    lowest_ = std::numeric_limits<uint64_t>::max();
    for (const ChunkRow& row : a.table()) {
      lowest_ = std::min(lowest_, row.lowest_id);
      highest = std::max(highest, row.highest_id);
    }
    share_ = (highest - lowest_) / static_cast<uint64_t>(ranks) + 1;
  }
  int Of(uint64_t id) const {
    return static_cast<int>((id - lowest_) / share_);
  }

 private:
  uint64_t lowest_;
  uint64_t share_;
};

// Returns kResourceExhausted if a rank has too many answers. They are in memory
// three times at a time: found, in transit, and received.
template <typename Answer>
absl::Status CheckRoom(uint64_t answers, int rank,
                       const DistributedOptions& options, const char* name,
                       const char* advice) {
  const uint64_t bytes = answers * sizeof(Answer);
  if (bytes <= options.memory / 3) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the ", name, " that rank ", rank, " has found take ", bytes,
      " bytes, and it may use a third of ", options.memory, "; ", advice));
}

template <typename Answer>
void SortAnswers(const DistributedOptions& options,
                 std::vector<Answer>& answers) {
  SortWatched(
      answers.begin(), answers.end(),
      [](const Answer& x, const Answer& y) { return OrderOf(x) < OrderOf(y); },
      WatchOf(options, {}));
}

// Sends answers to their holders, and sorts those received. Collective.
template <typename Answer>
absl::Status SendToHolders(Communicator& ranks, const ChunkedTree& a,
                           const DistributedOptions& options, const char* what,
                           std::vector<Answer>& answers) {
  std::optional<Mail> mail;
  absl::Status status = RunPhase(ranks, what, [&] {
    mail.emplace(ranks.size());
    const IdHolders holders(a, ranks.size());
    SortAnswers(options, answers);
    for (auto begin = answers.begin(); begin != answers.end();) {
      const int holder = holders.Of(OrderOf(*begin).a);
      const auto end = std::find_if(begin, answers.end(), [&](const Answer& x) {
        return holders.Of(OrderOf(x).a) != holder;
      });
      ByteWriter(&mail->to(holder))
          .template PutAll<Answer>(std::span<const Answer>(begin, end));
      begin = end;
    }
    answers = {};
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  status = mail->Deliver(ranks, options.memory / 3, what);
  if (!status.ok()) return status;
  return RunPhase(ranks, what, [&] {
    answers.resize(mail->received_bytes() / sizeof(Answer));
    std::span<Answer> rest(answers);
    for (int r = 0; r < ranks.size(); ++r) {
      const size_t count = mail->from(r).size() / sizeof(Answer);
      ByteReader(mail->from(r)).template GetAll<Answer>(rest.first(count));
      rest = rest.subspan(count);
    }
    mail.reset();
    SortAnswers(options, answers);
    return absl::OkStatus();
  });
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_ID_HOLDERS_H_
