// SPDX-License-Identifier: Apache-2.0

// Options of a query, with their checks. Every query reads the five common
// fields of QueryOptions through an Execution. Private.
//
//   absl::StatusOr<..> Batch(.., const QueryOptions& options) {
//     const Execution run(options);
//     if (absl::Status s = run.Check(); !s.ok()) return s;
//     return GuardMemory("for ...", [&] { ... Search(.., run) ... });
//   }
//   std::optional<..> Single(.., const QueryOptions& options) {
//     const Execution run(options);
//     run.RequireValid();
//   }
//
// The two forms of a query (query_options.h):
//
//   size_t Count(..) { return Search(Execution(RunOptions()), ..); }
//   absl::StatusOr<size_t> Count(.., const RunOptions& options) {
//     return WithRunOptions(options, [&](const Execution& run) {
//       return Search(run, ..);
//     });
//   }
//
// It refers to the options. They must outlive it.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_EXECUTION_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_EXECUTION_H_

#include <atomic>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/traverse/internal/valid_query.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT Execution {
 public:
  // `Options` is RunOptions, or a struct with its four fields. max_distance is
  // optional.
  template <typename Options>
  explicit Execution(const Options& options)
      : max_distance_(MaxDistanceOf(options)),
        statistics_(options.statistics),
        threads_(options.threads),
        progress_(options.progress),
        cancelled_(options.cancelled) {}

  // For queries that return a status. Returns kInvalidArgument with the name of
  // the invalid field.
  absl::Status Check() const;

  // Returns the status of a query that is cancelled between its searches.
  static absl::Status Cancelled();

  // For queries that return a plain value: ends the program, with the message
  // of Check, if the options are not valid.
  void RequireValid() const {
    if (!(max_distance_ >= 0)) Require(Check());
  }

  // Throws QueryCancelled if the query is cancelled. For work outside the
  // loops, which check this themselves (watch.h).
  void CheckCancelled() const { Watch(*this).CheckCancelled(); }

  // Returns the options for a query that is part of this query.
  template <typename Options = QueryOptions>
  Options Alone(
      double max_distance = std::numeric_limits<double>::infinity()) const {
    return Watch(*this).Alone<Options>(max_distance);
  }

  // Returns the options for queries that are parts of this query, in as many
  // threads. They report the progress of the whole, which must outlive them.
  RunOptions PartOf(Progress* whole) const {
    RunOptions options{.statistics = statistics_,
                       .threads = threads_,
                       .cancelled = cancelled_};
    if (progress_) options.progress = Heartbeat(whole);
    return options;
  }

  // Returns the Watch for the query's searches.
  operator Watch() const {  // NOLINT: a Watch of this query
    return {statistics_, cancelled_, progress_ ? &progress_ : nullptr};
  }

  double max_distance() const { return max_distance_; }
  TraversalStatistics* statistics() const { return statistics_; }
  // Returns the number of threads for Workers: 0 means all cores.
  int threads() const { return threads_ < 0 ? 1 : threads_; }
  // The function may be empty.
  const std::function<void(double)>& progress() const { return progress_; }
  // Returns true if the query itself reports fractions. A query that is part of
  // another one does not (Heartbeat in progress.h).
  bool wants_shares() const {
    return progress_ && progress_.target<Heartbeat>() == nullptr;
  }
  // The pointer may be null.
  const std::atomic<bool>* cancelled() const { return cancelled_; }

 private:
  template <typename Options>
  static double MaxDistanceOf(const Options& options) {
    if constexpr (requires { options.max_distance; }) {
      return options.max_distance;
    } else {
      return std::numeric_limits<double>::infinity();
    }
  }

  double max_distance_;
  TraversalStatistics* statistics_;
  int threads_;
  const std::function<void(double)>& progress_;
  const std::atomic<bool>* cancelled_;
};

// Runs the form of a query with run options. Returns the result of call(run),
// or the error. The last report of progress is 1.
template <typename Call,
          typename Result = std::invoke_result_t<Call, const Execution&>>
auto WithRunOptions(const RunOptions& options, Call call) {
  using Return = std::conditional_t<std::is_void_v<Result>, absl::Status,
                                    absl::StatusOr<Result>>;
  const Execution run(options);
  if (absl::Status s = run.Check(); !s.ok()) return Return(std::move(s));
  Return result = GuardMemory("for the result of a query", [&]() -> Return {
    run.CheckCancelled();  // a small search may end before its first check
    if constexpr (std::is_void_v<Result>) {
      call(run);
      return absl::OkStatus();
    } else {
      return call(run);
    }
  });
  if (result.ok() && run.wants_shares()) options.progress(1);
  return result;
}

// Returns `query`, the status of the query's arguments, if it is an error.
template <typename Call>
auto WithRunOptions(const RunOptions& options, absl::Status query, Call call) {
  using Return = decltype(WithRunOptions(options, call));
  if (!query.ok()) return Return(std::move(query));
  return WithRunOptions(options, std::move(call));
}

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_EXECUTION_H_
