// SPDX-License-Identifier: Apache-2.0

// The receiving side of owner_loop.h: reads requests, visits the chunks that
// they name, and writes the replies. Private.
//
//   OwnerServer<ClosestChunkTraits> server(tree, traits, options, &held);
//   absl::Status status =
//       server.Serve(requests, /*visitor=*/nullptr, heartbeat, &replies);
#ifndef ORBOX_BVH_MPI_INTERNAL_OWNER_SERVER_H_
#define ORBOX_BVH_MPI_INTERNAL_OWNER_SERVER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/mpi/internal/mail.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/mpi/internal/query_bytes.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

// True if each query names its only chunk, instead of gaps.
template <typename Traits>
concept NamesChunks = requires(const Traits& traits,
                               const typename Traits::Query& query) {
  traits.ChunkOf(query);
};

template <typename Traits>
class OwnerServer {
 public:
  using Query = typename Traits::Query;
  using Answer = typename Traits::Answer;

  // Called instead of sending replies, on the rank that owns the chunk. Its
  // arguments are the rank of the query, the index of the query on that rank,
  // and the chunk's answer. Null if replies are sent.
  using Visitor =
      absl::FunctionRef<void(int rank, uint64_t query, const Answer&)>*;

  // `held` counts the bytes of answers on this rank. Refers to all arguments.
  OwnerServer(const DistributedTree& tree, const Traits& traits,
              const DistributedOptions& options, uint64_t* held)
      : tree_(tree), traits_(traits), options_(options), held_(held) {}

  // Answers the requests. `progress` reports from inside; it may be empty.
  // Allocates and throws QueryCancelled, so it runs in a phase. Errors are
  // those of chunks that cannot be loaded, kCancelled, and kResourceExhausted.
  absl::Status Serve(const Mail& requests, Visitor visitor,
                     const std::function<void(double)>& progress,
                     Mail* replies);

  const TraversalStatistics& statistics() const { return statistics_; }

 private:
  // Bytes of a result of one chunk, in a list that grows. The largest is a
  // ray's hit.
  static constexpr size_t kResultBytes = 256;

  // Queries of other ranks, in the order of arrival, and their answers.
  struct ReceivedQueries {
    std::vector<Query> queries;
    typename QueryBytes<Query>::Place place;
    std::vector<Answer> known;
    std::vector<Answer> answers;
    std::vector<int> rank;
    std::vector<uint64_t> number;  // index of the query on its rank
    // (chunk, index in the vectors above), ascending.
    std::vector<std::pair<uint32_t, uint32_t>> visits;
  };

  bool Concerns(const Query& query, const Aabb& box, double bound) const {
    if constexpr (NamesChunks<Traits>) {
      return true;
    } else {
      const double gap = traits_.GapFrom(query)(box);
      return gap <= bound && gap != kInfinity;
    }
  }

  void ReadRequests(const Mail& requests, const Watch& watch);
  absl::Status ServeChunk(size_t i, std::span<const uint32_t> which,
                          Visitor visitor, const Watch& watch);

  const DistributedTree& tree_;
  const Traits& traits_;
  const DistributedOptions& options_;
  uint64_t* const held_;
  ReceivedQueries received_;
  TraversalStatistics statistics_;
};

// Implementation.

template <typename Traits>
void OwnerServer<Traits>::ReadRequests(const Mail& requests,
                                       const Watch& watch) {
  received_ = {};
  Pulse pulse(watch);
  for (int r = 0; r < tree_.ranks().size(); ++r) {
    ByteReader in(requests.from(r));
    while (!in.empty()) {
      pulse.Turn();
      const auto place = static_cast<uint32_t>(received_.rank.size());
      received_.rank.push_back(r);
      received_.number.push_back(in.Get<uint64_t>());
      for (const uint32_t chunk : in.GetList<uint32_t>()) {
        received_.visits.push_back({chunk, place});
      }
      received_.queries.push_back(QueryBytes<Query>::Get(in, received_.place));
      received_.answers.emplace_back();
      if (traits_.Shrinks()) GetAnswer(in, &received_.answers.back());
    }
  }
  SortWatched(received_.visits.begin(), received_.visits.end(), std::less(),
              watch);
  if (traits_.Shrinks()) received_.known = received_.answers;
}

template <typename Traits>
absl::Status OwnerServer<Traits>::ServeChunk(size_t i,
                                             std::span<const uint32_t> which,
                                             Visitor visitor,
                                             const Watch& watch) {
  const absl::StatusOr<Chunk> chunk = tree_.chunks().Load(i);
  if (!chunk.ok()) return chunk.status();
  if (visitor != nullptr) {
    // A few queries at a time, because each may find all triangles of the
    // chunk.
    const size_t bytes = kResultBytes * tree_.chunks().table()[i].count;
    const size_t some = std::max<size_t>(1, options_.memory / 4 / bytes);
    for (size_t begin = 0; begin < which.size(); begin += some) {
      const std::span<const uint32_t> part =
          which.subspan(begin, std::min(some, which.size() - begin));
      traits_.Run(*chunk, received_.queries, part, received_.answers, watch);
      for (const uint32_t q : part) {
        (*visitor)(received_.rank[q], received_.number[q],
                   received_.answers[q]);
        received_.answers[q] = {};
      }
    }
    return absl::OkStatus();
  }
  for (const uint32_t q : which) *held_ -= BytesOf(received_.answers[q]);
  traits_.Run(*chunk, received_.queries, which, received_.answers, watch);
  for (const uint32_t q : which) *held_ += BytesOf(received_.answers[q]);
  if (*held_ <= options_.memory) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the answers that rank ", tree_.ranks().rank(), " has found take ",
      *held_, " bytes, and it may use ", options_.memory,
      "; give it more, ask fewer queries, or visit what is found"));
}

template <typename Traits>
absl::Status OwnerServer<Traits>::Serve(
    const Mail& requests, Visitor visitor,
    const std::function<void(double)>& progress, Mail* replies) {
  const Watch watch = WatchOf(options_, progress, &statistics_);
  ReadRequests(requests, watch);
  replies->Clear();
  const uint64_t held_by_others = *held_;
  for (const Answer& answer : received_.answers) *held_ += BytesOf(answer);
  std::vector<uint32_t> which;
  for (size_t n = 0; n < received_.visits.size();) {
    const uint32_t i = received_.visits[n].first;
    const Aabb& box = tree_.chunks().table()[i].box;
    which.clear();
    for (; n < received_.visits.size() && received_.visits[n].first == i; ++n) {
      const uint32_t q = received_.visits[n].second;
      const Answer& answer = received_.answers[q];
      // Other chunks may have given a nearer answer.
      if (!traits_.IsDone(answer) &&
          Concerns(received_.queries[q], box, traits_.Bound(answer))) {
        which.push_back(q);
      }
    }
    if (which.empty()) continue;
    absl::Status status = CheckCancelled(options_);
    if (status.ok()) status = ServeChunk(i, which, visitor, watch);
    if (!status.ok()) return status;
  }
  for (size_t q = 0; q < received_.queries.size(); ++q) {
    if (visitor != nullptr) break;
    if (traits_.Shrinks())
      RemoveKnown(received_.known[q], &received_.answers[q]);
    ByteWriter out(&replies->to(received_.rank[q]));
    PutAnswer(received_.answers[q], out);
    // Freed at once, so that answers are in memory twice only briefly.
    received_.answers[q] = {};
  }
  received_ = {};
  *held_ = held_by_others;
  return absl::OkStatus();
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_OWNER_SERVER_H_
