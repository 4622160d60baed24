// SPDX-License-Identifier: Apache-2.0

// Runs a query (chunk_traits.h) of many points, rays or regions over the
// chunks of a tree: the only loop over the chunks of one machine. Private.
//
//   absl::StatusOr<ChunkAnswers<Traits::Answer>> found =
//       RunOnChunks(tree, traits, points, options);
//   if (!found.ok()) return found.status();
//   for (size_t n = 0; n < points.size(); ++n) {
//     results[found->order[n]] = found->answers[n];
//   }
//
// Each chunk is loaded at most twice, and its queries run on all cores. The
// second round visits the chunks in reverse, so that chunks that are still
// mapped are used first. Queries and answers are in memory along a curve, as
// chunks are.
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_LOOP_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_LOOP_H_

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
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/bvh/large/internal/nearest_chunk.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/regions/internal/feed_region.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Local work of a query, with all of its allocation. The ranks of a
// DistributedTree have their own (bvh/mpi/internal/phase.h).
template <typename Work>
absl::Status InStep(const ChunkedTree&, const char* what, Work work) {
  return GuardMemory(what, work);
}

// Returns the position of a query, for the order of a batch. `reach` is half
// the size of the model.
inline Vec3 PositionOfQuery(const Vec3& p, double) { return p; }
inline Vec3 PositionOfQuery(const DistanceQuery& q, double) { return q.point; }
inline Vec3 PositionOfQuery(const Ray& ray, double reach) {
  const double length = MaxCoordinate(Abs(ray.direction));
  return length > 0 ? ray.origin + ray.direction * (reach / length)
                    : ray.origin;
}
inline Vec3 PositionOfQuery(const Region& region, double) {
  return std::visit([](const auto& shape) { return PositionOf(shape); },
                    region.shape());
}

// The answers of a batch: answers[n] is that of query order[n].
template <typename Answer>
struct ChunkAnswers {
  std::vector<uint32_t> order;
  std::vector<Answer> answers;
};

template <typename Traits>
class ChunkLoop {
 public:
  using Query = typename Traits::Query;
  using Answer = typename Traits::Answer;

  // All arguments have to outlive this object.
  ChunkLoop(const ChunkedTree& tree, const Traits& traits,
            const QueryOptions& options, size_t queries)
      : tree_(tree),
        levels_(tree.levels()),
        traits_(traits),
        run_(options),
        runner_(run_,
                (traits.Shrinks() ? 2 : 1) * std::max<size_t>(queries, 1)),
        workers_(runner_.workers()),
        progress_(runner_.progress()) {}

  template <typename Queries>
  absl::StatusOr<ChunkAnswers<Answer>> Run(const Queries& queries) {
    if (absl::Status s = run_.Check(); !s.ok()) return s;
    if (queries.size() > std::numeric_limits<uint32_t>::max()) {
      return absl::InvalidArgumentError(
          "more than 2^32 - 1 queries in a batch; use smaller batches");
    }
    if (absl::Status s = CheckEach<Traits>(queries); !s.ok()) return s;
    SortQueries(queries);
    answers_.resize(queries_.size());
    bounds_.resize(queries_.size(), traits_.Bound(Answer{}));
    if constexpr (Traits::kConcernsFew) {
      if (absl::Status s = RunFew(); !s.ok()) return s;
    } else {
      if (traits_.Shrinks()) {
        first_.assign(queries_.size(), kNoChunk);
        if (absl::Status s = RunNearest(); !s.ok()) return s;
      }
      if (absl::Status s = RunRest(); !s.ok()) return s;
    }
    workers_.For(queries_.size(), kTaskSize, [&](size_t begin, size_t end) {
      for (size_t n = begin; n < end; ++n) {
        traits_.Finish(queries_[n], &answers_[n]);
      }
    });
    progress_.Finish();
    return ChunkAnswers<Answer>{std::move(order_), std::move(answers_)};
  }

 private:
  // A query, a chunk to visit, and the gap between them.
  struct Visit {
    uint32_t chunk;
    uint32_t query;
    double gap;
  };
  // The size of the tasks of batches of one tree.
  static constexpr size_t kTaskSize = 256;

  // Sorts the queries along a curve, so that neighbours share what they load.
  template <typename Queries>
  void SortQueries(const Queries& queries) {
    const TreeSpace space = SpaceAround(levels_.bounds());
    const double reach = MaxCoordinate(levels_.bounds().HalfExtents());
    std::vector<KeyedIndex> keyed(queries.size());
    workers_.For(queries.size(), kTaskSize, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        keyed[i] = {MortonKey(space, PositionOfQuery(queries[i], reach)),
                    static_cast<uint32_t>(i)};
      }
    });
    std::vector<KeyedIndex> scratch;
    RadixSort(
        &keyed, &scratch, [](const KeyedIndex& k) { return k.key; }, workers_);
    order_.reserve(keyed.size());
    queries_.reserve(keyed.size());
    for (const KeyedIndex& k : keyed) {
      order_.push_back(k.index);
      queries_.push_back(queries[k.index]);
    }
  }

  absl::Status RunNearest() {
    workers_.For(queries_.size(), kTaskSize, [&](size_t begin, size_t end) {
      for (size_t n = begin; n < end; ++n) {
        first_[n] = NearestChunk(traits_, tree_, queries_[n]);
      }
    });
    std::vector<Visit> visits;
    visits.reserve(queries_.size());
    for (size_t n = 0; n < queries_.size(); ++n) {
      if (first_[n] == kNoChunk) continue;
      visits.push_back({first_[n], static_cast<uint32_t>(n), 0});
    }
    return RunVisits(std::move(visits), /*is_forward=*/true);
  }

  absl::Status RunRest() {
    VisitsOfTasks found(tasks());
    workers_.For(queries_.size(), kTaskSize, [&](size_t begin, size_t end) {
      for (size_t n = begin; n < end; ++n) {
        AddNear(n, bounds_[n], first_.empty() ? kNoChunk : first_[n],
                &found[begin / kTaskSize]);
      }
    });
    return RunVisits(Joined(&found), /*is_forward=*/!traits_.Shrinks());
  }

  // Runs both rounds, after one pass over the boxes.
  absl::Status RunFew() {
    VisitsOfTasks nearest(tasks());
    VisitsOfTasks others(tasks());
    const double bound = traits_.Bound(Answer{});
    workers_.For(queries_.size(), kTaskSize, [&](size_t begin, size_t end) {
      std::vector<Visit>& rest = others[begin / kTaskSize];
      for (size_t n = begin; n < end; ++n) {
        const auto before = static_cast<ptrdiff_t>(rest.size());
        AddNear(n, bound, kNoChunk, &rest);
        const auto first = std::min_element(
            rest.begin() + before, rest.end(),
            [](const Visit& x, const Visit& y) { return x.gap < y.gap; });
        if (first == rest.end()) continue;
        nearest[begin / kTaskSize].push_back(*first);
        *first = rest.back();
        rest.pop_back();
      }
    });
    const absl::Status status =
        RunVisits(Joined(&nearest), /*is_forward=*/true);
    return status.ok() ? RunVisits(Joined(&others), /*is_forward=*/false)
                       : status;
  }

  using VisitsOfTasks = std::vector<std::vector<Visit>>;
  size_t tasks() const { return (queries_.size() + kTaskSize - 1) / kTaskSize; }

  // Appends the chunks within the bound of query n, except the chunk `but`.
  void AddNear(size_t n, double bound, uint32_t but,
               std::vector<Visit>* visits) const {
    levels_.VisitNear(
        traits_.GapFrom(queries_[n]), [bound] { return bound; },
        [&](size_t chunk, double gap) {
          if (chunk == but) return;
          visits->push_back(
              {static_cast<uint32_t>(chunk), static_cast<uint32_t>(n), gap});
        });
  }

  static std::vector<Visit> Joined(VisitsOfTasks* found) {
    std::vector<Visit> visits;
    for (std::vector<Visit>& some : *found) {
      visits.insert(visits.end(), some.begin(), some.end());
      std::vector<Visit>().swap(some);
    }
    return visits;
  }

  // Visits chunk by chunk, with the queries of each in their order.
  absl::Status RunVisits(std::vector<Visit> visits, bool is_forward) {
    std::vector<Visit> scratch;
    RadixSort(
        &visits, &scratch, [](const Visit& v) { return v.chunk; }, workers_);
    std::vector<uint32_t> which;
    size_t done = 0;
    size_t reported = 0;  // out of the number of queries
    while (done < visits.size()) {
      const size_t begin = is_forward ? done : visits.size() - 1 - done;
      const uint32_t chunk = visits[begin].chunk;
      which.clear();
      for (; done < visits.size(); ++done) {
        const Visit& v = visits[is_forward ? done : visits.size() - 1 - done];
        if (v.chunk != chunk) break;
        if (IsOfUse(v)) which.push_back(v.query);
      }
      run_.CheckCancelled();
      if (which.empty()) continue;
      if (absl::Status s = RunChunk(chunk, which); !s.ok()) return s;
      const size_t share = static_cast<size_t>(
          static_cast<double>(done) / static_cast<double>(visits.size()) *
          static_cast<double>(queries_.size()));
      progress_.Add(share - reported);
      reported = share;
    }
    return absl::OkStatus();
  }

  // Returns true if the visit may still change the answer. Since the visit was
  // planned, the bound may have shrunk, or the answer may have become final.
  bool IsOfUse(const Visit& v) const {
    return v.gap <= bounds_[v.query] && !traits_.IsDone(answers_[v.query]);
  }

  absl::Status RunChunk(uint32_t chunk, std::span<const uint32_t> which) {
    const absl::StatusOr<Chunk> loaded = tree_.Load(chunk);
    if (!loaded.ok()) return loaded.status();
    const size_t least = BatchRun::LeastTogether(run_.threads());
    runner_.For(
        which.size(), TaskRunner::GrainOf(which.size(), least, kTaskSize),
        [&](size_t begin, size_t end, const Watch& watch) {
          traits_.Run(*loaded, queries_, which.subspan(begin, end - begin),
                      answers_, watch);
          if (!traits_.Shrinks()) return;
          for (const uint32_t n : which.subspan(begin, end - begin)) {
            bounds_[n] = traits_.Bound(answers_[n]);
          }
        },
        /*worth=*/0);
    return absl::OkStatus();
  }

  const ChunkedTree& tree_;
  const ChunkLevels& levels_;
  const Traits& traits_;
  const Execution run_;
  TaskRunner runner_;
  const Workers& workers_;
  Progress& progress_;
  // In the order of the curve, like all vectors below.
  std::vector<uint32_t> order_;
  std::vector<Query> queries_;
  std::vector<Answer> answers_;
  std::vector<double> bounds_;   // of the answers, in an array of their own
  std::vector<uint32_t> first_;  // the chunk of the first round
};

// Requires that queries[i] is a Query, or converts to one.
template <typename Traits, typename Queries>
absl::StatusOr<ChunkAnswers<typename Traits::Answer>> RunOnChunks(
    const ChunkedTree& tree, const Traits& traits, const Queries& queries,
    const QueryOptions& options) {
  using Answers = ChunkAnswers<typename Traits::Answer>;
  return GuardMemory("for the answers of chunks; use smaller batches",
                     [&]() -> absl::StatusOr<Answers> {
                       return ChunkLoop<Traits>(tree, traits, options,
                                                queries.size())
                           .Run(queries);
                     });
}

// Calls visit(chunk, i) for each chunk and each query i that may concern it,
// chunk by chunk, until it returns kStop.
template <typename Traits, typename Queries, typename Function>
absl::Status VisitChunks(const ChunkedTree& tree, const Traits& traits,
                         const Queries& queries, const QueryOptions& options,
                         Function visit) {
  const Execution run(options);
  if (absl::Status s = run.Check(); !s.ok()) return s;
  if (absl::Status s = CheckEach<Traits>(queries); !s.ok()) return s;
  return GuardMemory("for a chunk; free some", [&] {
    for (size_t c = 0; c < tree.table().size(); ++c) {
      std::optional<Chunk> chunk;
      for (size_t i = 0; i < queries.size(); ++i) {
        const typename Traits::Query& query = queries[i];
        if (!(traits.GapFrom(query)(tree.table()[c].box) < kInfinity)) {
          continue;
        }
        run.CheckCancelled();
        if (!chunk) {
          absl::StatusOr<Chunk> loaded = tree.Load(c);
          if (!loaded.ok()) return loaded.status();
          chunk.emplace(*std::move(loaded));
        }
        if (visit(*chunk, i) == Visit::kStop) return absl::OkStatus();
      }
    }
    return absl::OkStatus();
  });
}

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_LOOP_H_
