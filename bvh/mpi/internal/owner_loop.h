// SPDX-License-Identifier: Apache-2.0

// Runs the queries of chunk_traits.h on all ranks. Each query is sent to
// ranks that visit the chunks that concern it (owner_server.h), and their
// answers are sent back to the rank of the query. Private.
//
//   std::vector<ClosestChunkTraits::Answer> answers;
//   absl::Status all =
//       RunOnOwners(tree, traits, fingerprint, own_points, options, &answers);
//
// If the bound shrinks, a query visits the nearest chunk first. Then it visits
// the nearest of the other chunks within the bound found so far, some times,
// and then all that are left. One machine visits them one after another in this
// order. In each of these steps, ranks share the visits of all queries to
// chunks evenly. The visits of one chunk go to one rank, or to neighbouring
// ranks if they are many. Queries run in rounds, so that requests fit into the
// memory.
#ifndef ORBOX_BVH_MPI_INTERNAL_OWNER_LOOP_H_
#define ORBOX_BVH_MPI_INTERNAL_OWNER_LOOP_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/bvh/large/internal/nearest_chunk.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/mail.h"
#include "orbox/bvh/mpi/internal/owner_server.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/mpi/internal/query_bytes.h"
#include "orbox/bvh/mpi/internal/shared_statistics.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {

template <typename Traits>
class OwnerLoop {
 public:
  using Query = typename Traits::Query;
  using Answer = typename Traits::Answer;
  using Visitor = typename OwnerServer<Traits>::Visitor;

  OwnerLoop(const DistributedTree& tree, const Traits& traits,
            const DistributedOptions& options)
      : tree_(tree),
        ranks_(tree.ranks()),
        traits_(traits),
        options_(options),
        levels_(tree.chunks().levels()) {}

  // Finds the answers to this rank's queries; it may have none.
  template <typename Queries>
  absl::Status Run(const Queries& queries, std::vector<Answer>* answers,
                   Visitor visitor);

 private:
  // Approximate bytes of a query in transit to one rank: the query, the known
  // answer, and its reply.
  static constexpr size_t kQueryBytes = 512;

  // Number of times that the nearest of the remaining chunks is visited alone.
  static constexpr size_t kSteps = 4;

  // Runs of visits that a rank gets in a step. More runs balance better, and
  // map more chunks.
  static constexpr double kRuns = 8;

  // A query of this rank, a chunk to visit, and the rank that visits it.
  struct Visit {
    uint64_t query;
    uint32_t chunk;
    int rank;
  };
  // The queries of a round, and the next of them in the current step.
  struct Round {
    size_t begin;
    size_t end;
    size_t next;
  };

  // Finds the visits of a step, as many as the memory allows; sets round->next.
  template <typename Queries>
  void FindVisits(const Queries& queries, size_t step,
                  const std::vector<Answer>& answers, Round* round);
  // Finds the visits of one query. Keeps the chunks that were visited alone.
  using Before = std::array<uint32_t, kSteps>;
  void FindVisitsOf(size_t q, const Query& query, const Answer& known,
                    size_t step, Before* queried_before);
  // Decides the rank of each visit.
  absl::Status ShareVisits();
  // Writes requests, and keeps the queries of their answers in whose_.
  template <typename Queries>
  void WriteRequests(const Queries& queries,
                     const std::vector<Answer>& answers);
  // Sends requests and receives answers.
  template <typename Queries>
  absl::Status Exchange(const Queries& queries, std::vector<Answer>* answers);
  // Runs one step; sets *any to true if there were visits.
  template <typename Queries>
  absl::Status Step(const Queries& queries, size_t step, Round round,
                    std::vector<Answer>* answers, bool* any);

  Watch watch() const { return WatchOf(options_, heartbeat_); }

  const DistributedTree& tree_;
  Communicator& ranks_;
  const Traits traits_;
  const DistributedOptions& options_;
  const ChunkLevels& levels_;
  Visitor visitor_ = nullptr;

  Mail requests_{ranks_.size()};
  Mail replies_{ranks_.size()};
  // For each rank, the queries sent to it, in order.
  std::vector<std::vector<uint64_t>> whose_ =
      std::vector<std::vector<uint64_t>>(ranks_.size());
  std::vector<Visit> visits_;  // of a step
  // For each chunk, the number of visits of this rank; the last element is the
  // number of queries left. totals_ are the sums over all ranks.
  std::vector<uint64_t> counts_;
  std::vector<uint64_t> totals_;
  // The chunks that the queries of the round have visited alone.
  std::vector<Before> before_;
  uint64_t held_ = 0;                 // bytes of answers on this rank
  std::optional<Progress> progress_;  // of this rank's rounds
  std::function<void(double)> heartbeat_;
  OwnerServer<Traits> server_{tree_, traits_, options_, &held_};
};

// Runs this rank's queries. `fingerprint` is that of all arguments except the
// queries.
template <typename Traits, typename Queries>
absl::Status RunOnOwners(
    const DistributedTree& tree, const Traits& traits, Fingerprint fingerprint,
    const Queries& queries, const DistributedOptions& options,
    std::vector<typename Traits::Answer>* answers,
    absl::FunctionRef<void(int rank, uint64_t query,
                           const typename Traits::Answer&)>* visitor =
        nullptr) {
  absl::Status status = tree.ranks().AgreeOn(
      fingerprint.Add(tree.chunks()).Add(options).value(), "the arguments");
  if (!status.ok()) return status;
  // The loop itself takes memory.
  std::unique_ptr<OwnerLoop<Traits>> loop;
  status = RunPhase(tree.ranks(), "for the question", [&]() -> absl::Status {
    loop = std::make_unique<OwnerLoop<Traits>>(tree, traits, options);
    absl::Status valid = CheckOptions(options);
    return valid.ok() ? CheckEach<Traits>(queries) : valid;
  });
  if (!status.ok()) return status;
  return loop->Run(queries, answers, visitor);
}

// Implementation.

template <typename Traits>
template <typename Queries>
void OwnerLoop<Traits>::FindVisits(const Queries& queries, size_t step,
                                   const std::vector<Answer>& answers,
                                   Round* round) {
  visits_.clear();
  Pulse pulse(watch());
  const size_t most = options_.memory / 8 / sizeof(Visit) + 1;
  for (; round->next < round->end && visits_.size() < most; ++round->next) {
    pulse.Turn();
    const size_t q = round->next;
    const Query query = queries[q];
    const Answer& known = answers[q];
    if (traits_.IsDone(known)) continue;
    if constexpr (NamesChunks<Traits>) {
      visits_.push_back({q, traits_.ChunkOf(query), 0});
    } else {
      FindVisitsOf(q, query, known, step, &before_[q - round->begin]);
    }
  }
  std::fill(counts_.begin(), counts_.end(), 0);
  for (const Visit& visit : visits_) ++counts_[visit.chunk];
  counts_.back() = round->end - round->next;
  totals_ = counts_;
}

template <typename Traits>
void OwnerLoop<Traits>::FindVisitsOf(size_t q, const Query& query,
                                     const Answer& known, size_t step,
                                     Before* queried_before) {
  Before& before = *queried_before;
  const double bound = traits_.Bound(known);
  if (step == 0) before.fill(kNoChunk);
  const auto is_queried = [&before](size_t chunk) {
    return std::find(before.begin(), before.end(), chunk) != before.end();
  };
  if (step < kSteps) {
    const uint32_t chunk =
        NearestChunk(traits_, tree_.chunks(), query, bound, is_queried);
    before[step] = chunk;
    if (chunk != kNoChunk) visits_.push_back({q, chunk, 0});
    return;
  }
  levels_.VisitNear(
      traits_.GapFrom(query), [bound] { return bound; },
      [&](size_t chunk, double) {
        if (is_queried(chunk)) return;
        visits_.push_back({q, static_cast<uint32_t>(chunk), 0});
      });
}

// All visits form a sequence, ordered by chunk, which is cut into equal runs.
// Each rank gets several runs from all over the mesh, because the visits of one
// region may all take longer. This rank's visits to a chunk are spread evenly
// over all visits to that chunk.
template <typename Traits>
absl::Status OwnerLoop<Traits>::ShareVisits() {
  const absl::Status status = ranks_.Sum(totals_);
  if (!status.ok()) return status;
  return RunPhase(ranks_, "for the requests", [&] {
    std::vector<uint64_t> begins(totals_.size());
    std::partial_sum(totals_.begin(), totals_.end() - 1, begins.begin() + 1);
    const auto all = static_cast<double>(begins.back());
    std::vector<uint64_t> used(totals_.size());
    for (Visit& visit : visits_) {
      const uint32_t c = visit.chunk;
      if (visitor_ != nullptr) {
        visit.rank = tree_.owner(c);
        continue;
      }
      const double share = (static_cast<double>(used[c]++) + 0.5) /
                           static_cast<double>(counts_[c]);
      const double place = static_cast<double>(begins[c]) +
                           share * static_cast<double>(totals_[c]);
      const auto run = static_cast<uint64_t>(
          place / all * kRuns * static_cast<double>(ranks_.size()));
      visit.rank = static_cast<int>(run % static_cast<uint64_t>(ranks_.size()));
    }
    SortWatched(
        visits_.begin(), visits_.end(),
        [](const Visit& x, const Visit& y) {
          return std::tie(x.rank, x.query, x.chunk) <
                 std::tie(y.rank, y.query, y.chunk);
        },
        watch());
    return absl::OkStatus();
  });
}

template <typename Traits>
template <typename Queries>
void OwnerLoop<Traits>::WriteRequests(const Queries& queries,
                                      const std::vector<Answer>& answers) {
  requests_.Clear();
  for (std::vector<uint64_t>& list : whose_) list.clear();
  std::vector<uint32_t> chunks;
  Pulse pulse(watch());
  for (size_t i = 0; i < visits_.size();) {
    pulse.Turn();
    const auto [q, chunk, rank] = visits_[i];
    chunks.clear();
    for (;
         i < visits_.size() && visits_[i].rank == rank && visits_[i].query == q;
         ++i) {
      chunks.push_back(visits_[i].chunk);
    }
    ByteWriter out(&requests_.to(rank));
    out.Put(q);
    out.PutList<uint32_t>(chunks);
    QueryBytes<Query>::Put(queries[q], out);
    if (traits_.Shrinks()) PutAnswer(answers[q], out);
    whose_[rank].push_back(q);
  }
}

template <typename Traits>
template <typename Queries>
absl::Status OwnerLoop<Traits>::Exchange(const Queries& queries,
                                         std::vector<Answer>* answers) {
  absl::Status status =
      requests_.Deliver(ranks_, options_.memory, "for the requests");
  if (!status.ok()) return status;
  status = RunPhase(ranks_, "for the answers", [&] {
    return server_.Serve(requests_, visitor_, heartbeat_, &replies_);
  });
  if (!status.ok() || visitor_ != nullptr) return status;
  status = replies_.Deliver(
      ranks_, options_.memory - std::min<uint64_t>(held_, options_.memory),
      "for the answers");
  if (!status.ok()) return status;
  return RunPhase(ranks_, "for the answers", [&] {
    Pulse pulse(watch());
    for (int r = 0; r < ranks_.size(); ++r) {
      ByteReader in(replies_.from(r));
      for (const uint64_t q : whose_[r]) {
        pulse.Turn();
        Answer from;
        GetAnswer(in, &from);
        Answer& answer = (*answers)[q];
        held_ -= BytesOf(answer);
        traits_.Merge(queries[q], std::move(from), &answer);
        held_ += BytesOf(answer);
      }
    }
    replies_.Clear();
    return absl::OkStatus();
  });
}

template <typename Traits>
template <typename Queries>
absl::Status OwnerLoop<Traits>::Step(const Queries& queries, size_t step,
                                     Round round, std::vector<Answer>* answers,
                                     bool* any) {
  *any = false;
  do {
    absl::Status status = RunPhase(ranks_, "for the requests", [&] {
      FindVisits(queries, step, *answers, &round);
      return CheckCancelled(options_);
    });
    if (status.ok()) status = ShareVisits();
    if (!status.ok()) return status;
    if (std::all_of(totals_.begin(), totals_.end() - 1,
                    [](uint64_t count) { return count == 0; })) {
      continue;
    }
    *any = true;
    status = RunPhase(ranks_, "for the requests", [&] {
      WriteRequests(queries, *answers);
      return absl::OkStatus();
    });
    if (status.ok()) status = Exchange(queries, answers);
    if (!status.ok()) return status;
  } while (totals_.back() != 0);
  return absl::OkStatus();
}

template <typename Traits>
template <typename Queries>
absl::Status OwnerLoop<Traits>::Run(const Queries& queries,
                                    std::vector<Answer>* answers,
                                    Visitor visitor) {
  visitor_ = visitor;
  // Each pair of ranks gets an equal share of the memory.
  const size_t some =
      std::max<size_t>(1, options_.memory / 4 / kQueryBytes /
                              static_cast<size_t>(ranks_.size()));
  uint64_t rounds[] = {(queries.size() + some - 1) / some};
  absl::Status status = ranks_.Max(rounds);
  if (!status.ok()) return status;
  status = RunPhase(ranks_, "for the answers", [&] {
    answers->resize(queries.size());
    before_.resize(std::min(some, queries.size()));
    for (auto& before : before_) before.fill(kNoChunk);
    counts_.resize(tree_.chunks().table().size() + 1);
    progress_.emplace(options_.progress, rounds[0]);
    if (options_.progress) heartbeat_ = Heartbeat(&*progress_);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  for (uint64_t round = 0; round < rounds[0]; ++round) {
    const size_t begin = std::min(queries.size(), round * some);
    const size_t end = std::min(queries.size(), begin + some);
    bool any = true;
    for (size_t step = traits_.Shrinks() ? 0 : kSteps; step <= kSteps && any;
         ++step) {
      status = Step(queries, step, {begin, end, begin}, answers, &any);
      if (!status.ok()) return status;
    }
    status = RunPhase(ranks_, "for the progress", [&] {
      progress_->Add(1);
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
  }
  status = RunPhase(ranks_, "for the answers", [&] {
    for (size_t q = 0; q < queries.size() && visitor_ == nullptr; ++q) {
      traits_.Finish(queries[q], &(*answers)[q]);
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return ShareStatistics(ranks_, server_.statistics(), options_);
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_OWNER_LOOP_H_
