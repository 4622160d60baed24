// SPDX-License-Identifier: Apache-2.0

// The counters, the cancellation and the progress of a search, which are passed
// from its caller down to the loops. Private.
//
//   Step FindOverlaps(const PairScope& scope, sink, const Watch& watch);
//   FindOverlaps(scope, sink, Execution(options));
//   Pulse pulse(watch);
//   while (...) { pulse.Turn(); ... }
//
// At each node and leaf, the loops call Turn of a pulse, through their counters
// (counters.h). Every few turns, the pulse checks if the query is cancelled,
// and throws QueryCancelled if so. So no loop and no caller has to distinguish
// a search that ended early from one that found nothing.
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
  // A watch with statistics only.
  Watch(TraversalStatistics* counts) : statistics(counts) {}  // NOLINT
  Watch(TraversalStatistics* counts, const std::atomic<bool>* ends,
        const std::function<void(double)>* reports)
      : statistics(counts), cancelled(ends), progress(reports) {}

  // Returns options for a query that is part of this search: `max_distance`,
  // and the watch's statistics, flag and progress. They are valid as long as
  // the watch's progress. Other fields, such as `inside`, have their defaults.
  template <typename Options = QueryOptions>
  Options Alone(
      double max_distance = std::numeric_limits<double>::infinity()) const {
    Options options;
    if constexpr (requires { options.max_distance; }) {
      options.max_distance = max_distance;
    }
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

  // Each pointer may be null. The function is not empty.
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

  // Takes about a nanosecond.
  void Turn() {
    if (--left_ == 0) Check();
  }

  // Checks at once. Takes tens of nanoseconds.
  void Check();

  const Watch& watch() const { return watch_; }

 private:
  // The time between two turns is from tens of nanoseconds to some hundred
  // microseconds, the latter if all pairs of two leaves need exact arithmetic.
  static constexpr uint64_t kTurns = 64;
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

  Watch watch_;
  uint64_t left_;
  int checks_ = 0;
  ReportInterval interval_;
};

// Returns the poll of Workers (base/internal/workers.h) with one thread.
inline std::function<void()> PollOf(const Watch& watch) {
  if (watch.cancelled == nullptr && watch.progress == nullptr) return {};
  return [pulse = Pulse(watch)]() mutable { pulse.Check(); };
}

// Sorts [begin, end) by comparisons. Each comparison turns a pulse.
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
