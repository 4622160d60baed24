// SPDX-License-Identifier: Apache-2.0

// The rule for bad options, in one place: every query reads the five fields of
// QueryOptions through it. Private.
//
//   absl::StatusOr<..> Batch(.., const QueryOptions& options) {
//     const Execution run(options);
//     if (absl::Status s = run.Check(); !s.ok()) return s;
//     ... if (run.is_cancelled()) return run.Cancelled();
//   }
//   std::optional<..> Single(.., const QueryOptions& options) {
//     const Execution run(options);
//     if (run.finds_nothing()) return std::nullopt;
//   }
//
// It refers to the options, which have to outlive it.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_EXECUTION_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_EXECUTION_H_

#include <atomic>
#include <functional>

#include "absl/status/status.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

class Execution {
 public:
  // `Options` is QueryOptions, or a struct with the same five fields.
  template <typename Options>
  explicit Execution(const Options& options)
      : max_distance_(options.max_distance),
        statistics_(options.statistics),
        threads_(options.threads),
        progress_(options.progress),
        cancelled_(options.cancelled) {}

  // For queries that return a status: kInvalidArgument, which names the field.
  absl::Status Check() const;

  // What such a query returns where `is_cancelled`.
  static absl::Status Cancelled();

  // For queries that return a plain value: no distance is within the limit.
  bool finds_nothing() const { return !(max_distance_ >= 0); }

  bool is_cancelled() const {
    return cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed);
  }

  double max_distance() const { return max_distance_; }
  TraversalStatistics* statistics() const { return statistics_; }
  // For Workers: 0 for all cores.
  int threads() const { return threads_ < 0 ? 1 : threads_; }
  // May be empty.
  const std::function<void(double)>& progress() const { return progress_; }
  // May be null.
  const std::atomic<bool>* cancelled() const { return cancelled_; }

 private:
  double max_distance_;
  TraversalStatistics* statistics_;
  int threads_;
  const std::function<void(double)>& progress_;
  const std::atomic<bool>* cancelled_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_EXECUTION_H_
