// SPDX-License-Identifier: Apache-2.0

// Asks a chunked tree a question (chunk_questions.h) for many queries: the one
// loop over chunks of one machine. Private.
//
//   absl::StatusOr<std::vector<Question::Answer>> answers =
//       AskChunks(tree, question, points, options);
//
// Each chunk is loaded at most twice, and its queries are asked on all cores.
// The second round goes the other way, so that what is mapped is used first.
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_LOOP_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_LOOP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/radix_sort.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/chunked/internal/box_levels.h"
#include "orbox/bvh/chunked/internal/nearest_chunk.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/region_places.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Where a query is, for the order of a batch.
inline Vec3 PlaceOfQuery(const Vec3& p) { return p; }
inline Vec3 PlaceOfQuery(const Ray& ray) { return ray.origin; }
inline Vec3 PlaceOfQuery(const Region& region) {
  return std::visit([](const auto& shape) { return PlaceOf(shape); },
                    region.shape());
}

template <typename Question>
class ChunkLoop {
 public:
  using Query = typename Question::Query;
  using Answer = typename Question::Answer;

  // All of them have to outlive this.
  ChunkLoop(const ChunkedTree& tree, const Question& question,
            std::span<const Query> queries, const QueryOptions& options)
      : tree_(tree),
        levels_(tree.levels()),
        question_(question),
        queries_(queries),
        run_(options),
        workers_(queries.size() > kPiece ? run_.threads() : 1),
        progress_(run_.progress(), (question.Shrinks() ? 2 : 1) *
                                       std::max<size_t>(queries.size(), 1)) {}

  absl::StatusOr<std::vector<Answer>> Run() {
    if (absl::Status s = run_.Check(); !s.ok()) return s;
    if (queries_.size() > std::numeric_limits<uint32_t>::max()) {
      return absl::InvalidArgumentError(
          "more than 2^32 - 1 queries in a batch; ask in smaller batches");
    }
    answers_.resize(queries_.size());
    SortQueries();
    if (question_.Shrinks()) {
      first_.assign(queries_.size(), kNoChunk);
      if (absl::Status s = AskNearest(); !s.ok()) return s;
    }
    if (absl::Status s = AskRest(); !s.ok()) return s;
    workers_.For(queries_.size(), kPiece, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        question_.Finish(queries_[i], &answers_[i]);
      }
    });
    progress_.Finish();
    return std::move(answers_);
  }

 private:
  // A query, and a chunk that is to be asked.
  struct Visit {
    uint32_t chunk;
    uint32_t query;
  };
  // As batches of one tree.
  static constexpr size_t kPiece = 256;

  // Along a curve, so that neighbours share what they load.
  void SortQueries() {
    const TreeSpace space = SpaceAround(levels_.bounds());
    std::vector<KeyedIndex> keyed;
    keyed.reserve(queries_.size());
    for (size_t i = 0; i < queries_.size(); ++i) {
      keyed.push_back({MortonKey(space, PlaceOfQuery(queries_[i])),
                       static_cast<uint32_t>(i)});
    }
    std::vector<KeyedIndex> scratch;
    RadixSort(&keyed, &scratch, [](const KeyedIndex& k) { return k.key; });
    order_.reserve(keyed.size());
    for (const KeyedIndex& k : keyed) order_.push_back(k.index);
  }

  absl::Status AskNearest() {
    workers_.For(queries_.size(), kPiece, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        first_[i] = NearestChunk(question_, tree_, queries_[i]);
      }
    });
    std::vector<Visit> visits;
    for (size_t i = 0; i < queries_.size(); ++i) {
      if (first_[i] == kNoChunk) continue;
      visits.push_back({first_[i], static_cast<uint32_t>(i)});
    }
    return AskAll(std::move(visits), /*is_forward=*/true);
  }

  absl::Status AskRest() {
    std::vector<std::vector<Visit>> found((queries_.size() + kPiece - 1) /
                                          kPiece);
    workers_.For(queries_.size(), kPiece, [&](size_t begin, size_t end) {
      for (size_t n = begin; n < end; ++n) {
        const uint32_t i = order_[n];
        const double bound = question_.Bound(answers_[i]);
        levels_.Visit(
            [&](const Aabb& box) {
              return question_.Gap(queries_[i], box) <= bound;
            },
            [&](size_t chunk) {
              if (!first_.empty() && first_[i] == chunk) return;
              if (question_.Gap(queries_[i], levels_.boxes()[chunk]) ==
                  kInfinity) {
                return;
              }
              found[begin / kPiece].push_back(
                  {static_cast<uint32_t>(chunk), i});
            });
      }
    });
    std::vector<Visit> visits;
    for (std::vector<Visit>& some : found) {
      visits.insert(visits.end(), some.begin(), some.end());
      std::vector<Visit>().swap(some);
    }
    return AskAll(std::move(visits), /*is_forward=*/!question_.Shrinks());
  }

  // Chunk by chunk; the queries of each in their order.
  absl::Status AskAll(std::vector<Visit> visits, bool is_forward) {
    std::vector<Visit> scratch;
    RadixSort(&visits, &scratch, [](const Visit& v) { return v.chunk; });
    std::vector<uint32_t> which;
    size_t done = 0;
    size_t reported = 0;  // of as many as there are queries
    while (done < visits.size()) {
      const size_t begin = is_forward ? done : visits.size() - 1 - done;
      const uint32_t chunk = visits[begin].chunk;
      which.clear();
      for (; done < visits.size(); ++done) {
        const Visit& v = visits[is_forward ? done : visits.size() - 1 - done];
        if (v.chunk != chunk) break;
        if (IsOfUse(v)) which.push_back(v.query);
      }
      if (run_.is_cancelled()) return Execution::Cancelled();
      if (which.empty()) continue;
      if (absl::Status s = Ask(chunk, which); !s.ok()) return s;
      const size_t share = static_cast<size_t>(
          static_cast<double>(done) / static_cast<double>(visits.size()) *
          static_cast<double>(queries_.size()));
      progress_.Add(share - reported);
      reported = share;
    }
    return absl::OkStatus();
  }

  // Bounds may have shrunk, and answers been found.
  bool IsOfUse(const Visit& v) const {
    const Answer& answer = answers_[v.query];
    return !question_.IsDone(answer) &&
           question_.Gap(queries_[v.query], levels_.boxes()[v.chunk]) <=
               question_.Bound(answer);
  }

  absl::Status Ask(uint32_t chunk, std::span<const uint32_t> which) {
    const absl::StatusOr<Chunk> loaded = tree_.Load(chunk);
    if (!loaded.ok()) return loaded.status();
    workers_.For(which.size(), kPiece, [&](size_t begin, size_t end) {
      std::optional<TraversalStatistics> own;
      if (run_.statistics() != nullptr) own.emplace();
      question_.Ask(*loaded, queries_, which.subspan(begin, end - begin),
                    answers_, own ? &*own : nullptr);
      if (!own) return;
      const std::lock_guard lock(mutex_);
      *run_.statistics() += *own;
    });
    return absl::OkStatus();
  }

  const ChunkedTree& tree_;
  const BoxLevels& levels_;
  const Question& question_;
  const std::span<const Query> queries_;
  const Execution run_;
  const Workers workers_;
  Progress progress_;
  std::vector<Answer> answers_;
  std::vector<uint32_t> order_;  // of the queries
  std::vector<uint32_t> first_;  // the chunk of the first round
  std::mutex mutex_;             // of *statistics
};

template <typename Question>
absl::StatusOr<std::vector<typename Question::Answer>> AskChunks(
    const ChunkedTree& tree, const Question& question,
    std::span<const typename Question::Query> queries,
    const QueryOptions& options) {
  using Answers = std::vector<typename Question::Answer>;
  return GuardMemory(
      "for the answers of chunks; ask in smaller batches",
      [&]() -> absl::StatusOr<Answers> {
        return ChunkLoop<Question>(tree, question, queries, options).Run();
      });
}

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_LOOP_H_
