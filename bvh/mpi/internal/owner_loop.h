// SPDX-License-Identifier: Apache-2.0

// Asks the questions of chunk_questions.h of all ranks: each query goes to the
// ranks that own chunks which concern it, and their answers come back to where
// it was asked. Private.
//
//   std::vector<ClosestChunkQuestion::Answer> answers;
//   absl::Status all =
//       AskOwners(tree, question, fingerprint, own_points, options, &answers);
//
// Where the bound shrinks, the chunk that is nearest to a query is asked first,
// and what it answers goes along to the others: two exchanges, otherwise one.
// Queries are asked in rounds, so that requests keep to the memory.
#ifndef ORBOX_BVH_MPI_INTERNAL_OWNER_LOOP_H_
#define ORBOX_BVH_MPI_INTERNAL_OWNER_LOOP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/chunked/internal/chunk_levels.h"
#include "orbox/bvh/chunked/internal/nearest_chunk.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/mail.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/mpi/internal/question_bytes.h"
#include "orbox/bvh/mpi/internal/shared_statistics.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

template <typename Question>
class OwnerLoop {
 public:
  using Query = typename Question::Query;
  using Answer = typename Question::Answer;

  // In place of replies: is called on the rank that owns the chunk, with the
  // rank that asks, the number of its query there, and the chunk's answer.
  // Null where replies are wanted.
  using Visitor =
      absl::FunctionRef<void(int rank, uint64_t query, const Answer&)>*;

  OwnerLoop(const DistributedTree& tree, const Question& question,
            const DistributedOptions& options)
      : tree_(tree),
        ranks_(tree.ranks()),
        question_(question),
        options_(options),
        levels_(tree.chunks().levels()) {}

  // The answers to this rank's queries; it may have none.
  template <typename Queries>
  absl::Status Run(const Queries& queries, std::vector<Answer>* answers,
                   Visitor visitor);

 private:
  // What a query takes on its way to one rank, about: the query, what is known,
  // and its answer.
  static constexpr size_t kQueryBytes = 512;

  // A result of one chunk, in a list that grows: the longest is a ray's hit.
  static constexpr size_t kResultBytes = 256;

  // Queries of others, as they came, and what they are answered.
  struct Asked {
    std::vector<Query> queries;
    typename QueryBytes<Query>::Place place;
    std::vector<Answer> known;
    std::vector<Answer> answers;
    std::vector<uint32_t> only;  // chunk, or kNoChunk
    std::vector<uint32_t> skip;  // the same
    std::vector<int> rank;
    std::vector<uint64_t> number;  // of the query, where it is asked
  };

  bool Concerns(const Query& query, const Aabb& box, double bound) const {
    const double gap = question_.GapFrom(query)(box);
    return gap <= bound && gap != kInfinity;
  }

  // Writes a request to `mail`, and keeps in whose_ whom its answer is for.
  void Request(int rank, uint64_t number, const Query& query,
               const Answer& known, uint32_t only, uint32_t skip);
  // The queries [begin, end) of one round: to the nearest chunks, or to others.
  template <typename Queries>
  void WriteRequests(const Queries& queries, size_t begin, size_t end,
                     bool nearest, std::vector<Answer>& answers);
  // Requests out, answers back.
  template <typename Queries>
  absl::Status Exchange(const Queries& queries, std::vector<Answer>* answers);
  absl::Status Serve();
  absl::Status ServeChunk(size_t i, std::vector<uint32_t>& which);
  void ReadRequests();

  const DistributedTree& tree_;
  Communicator& ranks_;
  const Question question_;
  const DistributedOptions& options_;
  const ChunkLevels& levels_;
  Visitor visitor_ = nullptr;
  TraversalStatistics statistics_;

  Mail requests_{ranks_.size()};
  Mail replies_{ranks_.size()};
  // By rank: the queries that it was asked, in order.
  std::vector<std::vector<uint64_t>> whose_ =
      std::vector<std::vector<uint64_t>>(ranks_.size());
  std::vector<uint32_t> first_;  // the chunk that a query of the round asked
  Asked asked_;
  uint64_t held_ = 0;  // bytes of answers here
};

// Asks this rank's queries. `fingerprint` is of all arguments but those.
template <typename Question, typename Queries>
absl::Status AskOwners(
    const DistributedTree& tree, const Question& question,
    Fingerprint fingerprint, const Queries& queries,
    const DistributedOptions& options,
    std::vector<typename Question::Answer>* answers,
    absl::FunctionRef<void(int rank, uint64_t query,
                           const typename Question::Answer&)>* visitor =
        nullptr) {
  absl::Status status = tree.ranks().AgreeOn(
      fingerprint.Add(tree.chunks()).Add(options).value(), "the arguments");
  if (!status.ok()) return status;
  // The loop itself takes memory.
  std::unique_ptr<OwnerLoop<Question>> loop;
  status = RunPhase(tree.ranks(), "for the question", [&]() -> absl::Status {
    loop = std::make_unique<OwnerLoop<Question>>(tree, question, options);
    return CheckOptions(options);
  });
  if (!status.ok()) return status;
  return loop->Run(queries, answers, visitor);
}

// Implementation.

template <typename Question>
void OwnerLoop<Question>::Request(int rank, uint64_t number, const Query& query,
                                  const Answer& known, uint32_t only,
                                  uint32_t skip) {
  ByteWriter out(&requests_.to(rank));
  out.Put(number);
  out.Put(only);
  out.Put(skip);
  QueryBytes<Query>::Put(query, out);
  if (question_.Shrinks()) PutAnswer(known, out);
  whose_[rank].push_back(number);
}

template <typename Question>
template <typename Queries>
void OwnerLoop<Question>::WriteRequests(const Queries& queries, size_t begin,
                                        size_t end, bool nearest,
                                        std::vector<Answer>& answers) {
  requests_.Clear();
  for (std::vector<uint64_t>& list : whose_) list.clear();
  if (nearest) {
    for (size_t q = begin; q < end; ++q) {
      const Query query = queries[q];
      const uint32_t chunk = NearestChunk(question_, tree_.chunks(), query);
      first_[q - begin] = chunk;
      if (chunk == kNoChunk) continue;
      Request(tree_.owner(chunk), q, query, answers[q], chunk, kNoChunk);
    }
    return;
  }
  for (size_t q = begin; q < end; ++q) {
    const Query query = queries[q];
    const Answer& known = answers[q];
    if (question_.IsDone(known)) continue;
    const double bound = question_.Bound(known);
    const uint32_t skip = question_.Shrinks() ? first_[q - begin] : kNoChunk;
    int last_rank = -1;
    levels_.VisitNear(
        question_.GapFrom(query), [bound] { return bound; },
        [&](size_t i, double) {
          if (i == skip) return;
          // One request, whatever of its run concerns the query.
          const int rank = tree_.owner(i);
          if (rank == last_rank) return;
          Request(rank, q, query, known, kNoChunk, skip);
          last_rank = rank;
        });
  }
}

template <typename Question>
void OwnerLoop<Question>::ReadRequests() {
  asked_ = {};
  for (int r = 0; r < ranks_.size(); ++r) {
    ByteReader in(requests_.from(r));
    while (!in.empty()) {
      asked_.rank.push_back(r);
      asked_.number.push_back(in.Get<uint64_t>());
      asked_.only.push_back(in.Get<uint32_t>());
      asked_.skip.push_back(in.Get<uint32_t>());
      asked_.queries.push_back(QueryBytes<Query>::Get(in, asked_.place));
      asked_.answers.emplace_back();
      if (question_.Shrinks()) GetAnswer(in, &asked_.answers.back());
    }
  }
  if (question_.Shrinks()) asked_.known = asked_.answers;
}

template <typename Question>
absl::Status OwnerLoop<Question>::ServeChunk(size_t i,
                                             std::vector<uint32_t>& which) {
  const absl::StatusOr<Chunk> chunk = tree_.chunks().Load(i);
  if (!chunk.ok()) return chunk.status();
  if (visitor_ != nullptr) {
    // A few queries at a time: each may have all triangles of the chunk.
    const size_t bytes = kResultBytes * tree_.chunks().table()[i].count;
    const size_t some = std::max<size_t>(1, options_.memory / 4 / bytes);
    for (size_t begin = 0; begin < which.size(); begin += some) {
      const std::span<const uint32_t> part =
          std::span(which).subspan(begin, std::min(some, which.size() - begin));
      question_.Ask(*chunk, asked_.queries, part, asked_.answers, &statistics_);
      for (const uint32_t q : part) {
        (*visitor_)(asked_.rank[q], asked_.number[q], asked_.answers[q]);
        asked_.answers[q] = {};
      }
    }
    return absl::OkStatus();
  }
  for (const uint32_t q : which) held_ -= BytesOf(asked_.answers[q]);
  question_.Ask(*chunk, asked_.queries, which, asked_.answers, &statistics_);
  for (const uint32_t q : which) held_ += BytesOf(asked_.answers[q]);
  if (held_ <= options_.memory) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the answers that rank ", ranks_.rank(), " has found take ", held_,
      " bytes, and it may use ", options_.memory,
      "; give it more, ask fewer queries, or visit what is found"));
}

template <typename Question>
absl::Status OwnerLoop<Question>::Serve() {
  ReadRequests();
  replies_.Clear();
  const uint64_t held_by_others = held_;
  for (const Answer& answer : asked_.answers) held_ += BytesOf(answer);
  std::vector<uint32_t> which;
  const auto [first, last] = tree_.owned();
  for (size_t i = first; i < last; ++i) {
    which.clear();
    const Aabb& box = tree_.chunks().table()[i].box;
    for (size_t q = 0; q < asked_.queries.size(); ++q) {
      const Answer& answer = asked_.answers[q];
      const bool is_asked =
          asked_.only[q] != kNoChunk
              ? asked_.only[q] == i
              : asked_.skip[q] != i && !question_.IsDone(answer) &&
                    Concerns(asked_.queries[q], box, question_.Bound(answer));
      if (is_asked) which.push_back(static_cast<uint32_t>(q));
    }
    if (which.empty()) continue;
    absl::Status status = CheckCancelled(options_);
    if (status.ok()) status = ServeChunk(i, which);
    if (!status.ok()) return status;
  }
  for (size_t q = 0; q < asked_.queries.size(); ++q) {
    if (visitor_ != nullptr) break;
    if (question_.Shrinks()) RemoveKnown(asked_.known[q], &asked_.answers[q]);
    ByteWriter out(&replies_.to(asked_.rank[q]));
    PutAnswer(asked_.answers[q], out);
    // Twice in memory no longer than needed.
    asked_.answers[q] = {};
  }
  asked_ = {};
  held_ = held_by_others;
  return absl::OkStatus();
}

template <typename Question>
template <typename Queries>
absl::Status OwnerLoop<Question>::Exchange(const Queries& queries,
                                           std::vector<Answer>* answers) {
  absl::Status status =
      requests_.Deliver(ranks_, options_.memory, "for the requests");
  if (!status.ok()) return status;
  status = RunPhase(ranks_, "for the answers", [&] { return Serve(); });
  if (!status.ok() || visitor_ != nullptr) return status;
  status = replies_.Deliver(
      ranks_, options_.memory - std::min<uint64_t>(held_, options_.memory),
      "for the answers");
  if (!status.ok()) return status;
  return RunPhase(ranks_, "for the answers", [&] {
    for (int r = 0; r < ranks_.size(); ++r) {
      ByteReader in(replies_.from(r));
      for (const uint64_t q : whose_[r]) {
        Answer from;
        GetAnswer(in, &from);
        Answer& answer = (*answers)[q];
        held_ -= BytesOf(answer);
        question_.Merge(queries[q], std::move(from), &answer);
        held_ += BytesOf(answer);
      }
    }
    replies_.Clear();
    return absl::OkStatus();
  });
}

template <typename Question>
template <typename Queries>
absl::Status OwnerLoop<Question>::Run(const Queries& queries,
                                      std::vector<Answer>* answers,
                                      Visitor visitor) {
  visitor_ = visitor;
  // An equal share of the memory for each pair of ranks.
  const size_t some =
      std::max<size_t>(1, options_.memory / 4 / kQueryBytes /
                              static_cast<size_t>(ranks_.size()));
  uint64_t rounds[] = {(queries.size() + some - 1) / some};
  absl::Status status = ranks_.Max(rounds);
  if (!status.ok()) return status;
  status = RunPhase(ranks_, "for the answers", [&] {
    answers->resize(queries.size());
    first_.resize(std::min(some, queries.size()));
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  for (uint64_t round = 0; round < rounds[0]; ++round) {
    const size_t begin = std::min(queries.size(), round * some);
    const size_t end = std::min(queries.size(), begin + some);
    for (const bool nearest : {true, false}) {
      if (nearest && !question_.Shrinks()) continue;
      status = RunPhase(ranks_, "for the requests", [&] {
        WriteRequests(queries, begin, end, nearest, *answers);
        return CheckCancelled(options_);
      });
      if (!status.ok()) return status;
      status = Exchange(queries, answers);
      if (!status.ok()) return status;
    }
    status = RunPhase(ranks_, "for the progress", [&] {
      if (options_.progress) {
        options_.progress(static_cast<double>(round + 1) /
                          static_cast<double>(rounds[0]));
      }
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
  }
  status = RunPhase(ranks_, "for the answers", [&] {
    for (size_t q = 0; q < queries.size() && visitor_ == nullptr; ++q) {
      question_.Finish(queries[q], &(*answers)[q]);
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return ShareStatistics(ranks_, statistics_, options_);
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_OWNER_LOOP_H_
