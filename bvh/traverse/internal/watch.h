// SPDX-License-Identifier: Apache-2.0

// Passed along with a search from its caller down to the loops: its counters,
// its cancellation, and its progress. Private.
//
//   Step FindOverlaps(const PairScope& scope, sink, const Watch& watch);
//   FindOverlaps(scope, sink, Execution(options));
//   Pulse pulse(watch);
//   while (...) { pulse.Turn(); ... }
//
// The loops turn a pulse at each node and leaf, through their counters
// (counters.h). Every few turns it checks if the query is cancelled, and throws
// QueryCancelled if so. So no loop and no caller has to distinguish a search
// that was cut short from one that found nothing.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_WATCH_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_WATCH_H_

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct Watch {
  Watch() = default;
  // Counts, and nothing else.
  Watch(TraversalStatistics* counts) : statistics(counts) {}  // NOLINT
  Watch(TraversalStatistics* counts, const std::atomic<bool>* ends,
        const std::function<void(double)>* reports)
      : statistics(counts), cancelled(ends), progress(reports) {}

  // Options of a query that is part of this search, valid while the watch's
  // progress lives: `max_distance`, and the watch's statistics, flag and
  // progress. Other fields, such as `inside`, have their defaults.
  template <typename Options = QueryOptions>
  Options Alone(
      double max_distance = std::numeric_limits<double>::infinity()) const {
    Options options;
    options.max_distance = max_distance;
    options.statistics = statistics;
    options.cancelled = cancelled;
    if (progress == nullptr) return options;
    if (progress->target<Heartbeat>() != nullptr) {
      options.progress = *progress;
    } else {
      options.progress = Heartbeat(progress);
    }
    return options;
  }

  // Throws QueryCancelled if the query is cancelled.
  void CheckCancelled() const {
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) {
      ThrowCancelled();
    }
  }
  [[noreturn]] ORBOX_EXPORT static void ThrowCancelled();

  // Each may be null; the function is not empty.
  TraversalStatistics* statistics = nullptr;
  const std::atomic<bool>* cancelled = nullptr;
  const std::function<void(double)>* progress = nullptr;
};

class ORBOX_EXPORT Pulse {
 public:
  explicit Pulse(const Watch& watch)
      : watch_(watch),
        left_(watch.cancelled != nullptr || watch.progress != nullptr
                  ? kTurns
                  : kNever) {}

  // About a nanosecond.
  void Turn() {
    if (--left_ == 0) Look();
  }

  // Checks at once. Tens of nanoseconds.
  void Look();

  const Watch& watch() const { return watch_; }

 private:
  // A turn takes from tens of nanoseconds to some hundred microseconds, where
  // all pairs of two leaves need exact arithmetic.
  static constexpr uint64_t kTurns = 64;
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

  Watch watch_;
  uint64_t left_;
  int looks_ = 0;
  ReportInterval interval_;
};

// Returns the poll of Workers (base/internal/workers.h) with one thread.
inline std::function<void()> PollOf(const Watch& watch) {
  if (watch.cancelled == nullptr && watch.progress == nullptr) return {};
  return [pulse = Pulse(watch)]() mutable { pulse.Look(); };
}

// Sorts [begin, end) by comparisons, each of which turns a pulse.
template <typename Iterator, typename IsBefore>
void SortWatched(Iterator begin, Iterator end, IsBefore is_before,
                 const Watch& watch) {
  Pulse pulse(watch);
  std::sort(begin, end, [&](const auto& x, const auto& y) {
    pulse.Turn();
    return is_before(x, y);
  });
}

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_WATCH_H_
