// SPDX-License-Identifier: Apache-2.0

// Common part of all batches of queries of one mesh or two. Runs the queries as
// pieces (piece_run.h), either in the given order or in one in which neighbours
// follow each other.
//
//   BatchRun run(tree.space(), count, Execution(options));
//   absl::Status status = run.ForEachPiece(
//       [&](size_t i) { return points[i]; },            // where query i is
//       [&](const BatchRun::Piece& piece) {
//         for (uint32_t i : piece.queries) answers[i] = Ask(i);
//       });
//
// Pieces depend on the queries alone, never on the threads. So what a query
// reuses of the one before it in its piece is the same in any run. Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_BATCH_RUN_H_
#define ORBOX_BVH_QUERY_INTERNAL_BATCH_RUN_H_

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/internal/check_question.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/piece_run.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class ORBOX_EXPORT BatchRun {
 public:
  struct Piece {
    size_t index;                       // among the pieces
    size_t begin;                       // the places of its queries in the
    size_t end;                         // order
    std::span<const uint32_t> queries;  // in the order to take them
    const Watch& watch;
  };
  // Position of a query, used for the order alone; may be anything. Without it,
  // queries keep their order.
  using PlaceOf = std::optional<absl::FunctionRef<Vec3(size_t query)>>;
  using Work = absl::FunctionRef<void(const Piece&)>;
  using Prepare = absl::FunctionRef<void(const Workers&)>;

  // `least_piece`: least number of queries in a piece, if there are that many.
  // More than one if the first query of a piece, which starts from nothing,
  // takes far longer than the others.
  BatchRun(const TreeSpace& space, size_t count, const Execution& run,
           size_t least_piece = 1)
      : space_(space),
        count_(count),
        grain_(PieceRun::GrainOf(count, least_piece, kMostInPiece)),
        run_(run) {}

  // `least_piece` for queries that are answered side by side and reuse nothing:
  // one thread takes as many as it can.
  static size_t LeastTogether(int threads) {
    return threads == 1 ? kMostInPiece : 1;
  }

  absl::Status ForEachPiece(PlaceOf place_of, Work work);

  // Like ForEachPiece, in an order that `prepare` makes and the caller keeps.
  // Pieces have no `queries`.
  absl::Status ForEachPieceInOrder(Prepare prepare, Work work);

  // Returns one result for each query: that of `ask(query, alone)`.
  template <typename Result, typename Ask>
  absl::StatusOr<std::vector<Result>> AskEach(PlaceOf place_of, Ask ask) {
    return AskEachInTurn<Result>(
        place_of, [] { return Nothing{}; },
        [&](Nothing&, uint32_t query, const QueryOptions& alone) {
          return ask(query, alone);
        });
  }

  // Like AskEach, for lists: `ask(query, values, alone)` appends a query's
  // values.
  template <typename Value, typename Ask>
  absl::StatusOr<Lists<Value>> CollectLists(PlaceOf place_of, Ask ask) {
    return CollectListsInTurn<Value>(
        place_of, [] { return Nothing{}; },
        [&](Nothing&, uint32_t query, std::vector<Value>* values,
            const QueryOptions& alone) { ask(query, values, alone); });
  }

  // Like AskEach, for queries that reuse something of the query before them in
  // their piece. `start()` makes it; `ask` gets it as first argument.
  template <typename Result, typename Start, typename Ask>
  absl::StatusOr<std::vector<Result>> AskEachInTurn(PlaceOf place_of,
                                                    Start start, Ask ask);
  template <typename Value, typename Start, typename Ask>
  absl::StatusOr<Lists<Value>> CollectListsInTurn(PlaceOf place_of, Start start,
                                                  Ask ask);

  // Like CollectLists, one call a piece: `collect(piece, values, counts)`
  // appends the values of the piece's queries in their order, and writes the
  // number of values of a query to counts[query].
  template <typename Value, typename Collect>
  absl::StatusOr<Lists<Value>> CollectListsByPiece(PlaceOf place_of,
                                                   Collect collect);

  // Calls `function`; kResourceExhausted if it runs out of memory.
  template <typename Function>
  static absl::Status GuardMemory(Function function) {
    return orbox::GuardMemory(
        "for the answers to a batch; ask in smaller batches",
        [&]() -> absl::Status { return function(); });
  }

 private:
  // Large enough that the first query of a piece, which starts from nothing,
  // does not matter; small enough that the last piece does not keep the other
  // threads waiting.
  static constexpr size_t kMostInPiece = 256;

  struct Nothing {};

  absl::Status Check() const;
  void Sort(absl::FunctionRef<Vec3(size_t query)> place_of);
  std::span<const uint32_t> QueriesOf(size_t piece) const;
  size_t pieces() const { return (count_ + grain_ - 1) / grain_; }

  const TreeSpace& space_;
  const size_t count_;
  const size_t grain_;
  const Execution run_;
  std::optional<PieceRun> pieces_;  // from when it is needed
  std::vector<uint32_t> order_;
};

// Returns the results of ask(tree, query, alone) for each query of a batch.
template <typename Result, typename Queries, typename Ask>
absl::StatusOr<std::vector<Result>> AskEachOf(const Tree& tree,
                                              const Queries& queries,
                                              BatchRun::PlaceOf place_of,
                                              const QueryOptions& options,
                                              Ask ask) {
  if (absl::Status s = CheckQuestions(queries); !s.ok()) return s;
  return BatchRun(tree.space(), queries.size(), Execution(options))
      .AskEach<Result>(place_of,
                       [&](size_t i, const QueryOptions& alone) -> Result {
                         return ask(tree, queries[i], alone);
                       });
}

// Like AskEachOf, for lists.
template <typename Value, typename Queries, typename Ask>
absl::StatusOr<Lists<Value>> CollectEachOf(const Tree& tree,
                                           const Queries& queries,
                                           BatchRun::PlaceOf place_of,
                                           const QueryOptions& options,
                                           Ask ask) {
  if (absl::Status s = CheckQuestions(queries); !s.ok()) return s;
  BatchRun run(tree.space(), queries.size(), Execution(options));
  return run.CollectLists<Value>(
      place_of,
      [&](size_t i, std::vector<Value>* values, const QueryOptions& alone) {
        const auto found = ask(tree, queries[i], alone);
        values->insert(values->end(), found.begin(), found.end());
      });
}

// Positions of points, for the order of a batch.
inline auto PlacesOf(std::span<const Vec3> points) {
  return [points](size_t i) { return points[i]; };
}

// Key of a position; near positions have near keys. Interleaves the bits of its
// coordinates (Morton 1966). Tree space fills the middle of the range; the
// outside follows at decreasing resolution.
ORBOX_EXPORT uint32_t MortonKey(const TreeSpace& space, const Vec3& place);

// Implementation.

template <typename Result, typename Start, typename Ask>
absl::StatusOr<std::vector<Result>> BatchRun::AskEachInTurn(PlaceOf place_of,
                                                            Start start,
                                                            Ask ask) {
  std::vector<Result> results;
  const absl::Status status = GuardMemory([&] {
    results.resize(count_);
    return ForEachPiece(place_of, [&](const Piece& piece) {
      const QueryOptions alone = piece.watch.Alone(run_.max_distance());
      auto last = start();
      for (const uint32_t query : piece.queries) {
        results[query] = ask(last, query, alone);
      }
    });
  });
  if (!status.ok()) return status;
  return results;
}

template <typename Value, typename Start, typename Ask>
absl::StatusOr<Lists<Value>> BatchRun::CollectListsInTurn(PlaceOf place_of,
                                                          Start start,
                                                          Ask ask) {
  return CollectListsByPiece<Value>(
      place_of,
      [&](const Piece& piece, std::vector<Value>* values, size_t* counts) {
        const QueryOptions alone = piece.watch.Alone(run_.max_distance());
        auto last = start();
        for (const uint32_t query : piece.queries) {
          const size_t before = values->size();
          ask(last, query, values, alone);
          counts[query] = values->size() - before;
        }
      });
}

template <typename Value, typename Collect>
absl::StatusOr<Lists<Value>> BatchRun::CollectListsByPiece(PlaceOf place_of,
                                                           Collect collect) {
  std::optional<Lists<Value>> made;  // within the guard: it allocates
  const absl::Status status = GuardMemory([&] {
    Lists<Value>& lists = made.emplace();
    std::vector<std::vector<Value>> found(pieces());
    lists.offsets.assign(count_ + 1, 0);
    absl::Status asked = ForEachPiece(place_of, [&](const Piece& piece) {
      collect(piece, &found[piece.index], lists.offsets.data() + 1);
    });
    if (!asked.ok()) return asked;
    std::partial_sum(lists.offsets.begin(), lists.offsets.end(),
                     lists.offsets.begin());
    lists.values.resize(lists.offsets.back());
    pieces_->workers().For(pieces(), 1, [&](size_t piece, size_t) {
      auto from = found[piece].begin();
      for (const uint32_t query : QueriesOf(piece)) {
        const size_t begin = lists.offsets[query];
        const auto end =
            from + static_cast<ptrdiff_t>(lists.offsets[query + 1] - begin);
        std::move(from, end,
                  lists.values.begin() + static_cast<ptrdiff_t>(begin));
        from = end;
      }
      std::vector<Value>().swap(found[piece]);
    });
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return *std::move(made);
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_BATCH_RUN_H_
