// SPDX-License-Identifier: Apache-2.0

// Builds trees and measures a query on them. Private to explain.
//
//   absl::StatusOr<Built> built = BuildAll(operands, variant, false, threads);
//   QueryRunner runner(query, settings);
//   runner.WarmUp(*built, /*seconds=*/10);
//   double seconds = runner.SecondsOf(*built);
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_QUERY_RUNNER_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_QUERY_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/explain/explain_measure.h"

namespace orbox::cli {

// Measures time. For one thread, this is the CPU time of the thread, because
// other programs disturb it less. Otherwise it is the wall clock time.
class Stopwatch {
 public:
  explicit Stopwatch(size_t threads);
  double seconds() const { return Now() - begin_; }

 private:
  double Now() const;

  bool of_thread_;
  double begin_;
};

// The trees of all operands, and the time to build them.
struct Built {
  std::vector<Tree> trees;
  double seconds = 0;

  size_t size_bytes(std::span<const Operand> operands) const;
};

// Builds the trees of all operands. If `at_hand`, trees from files are used,
// which take no build time.
absl::StatusOr<Built> BuildAll(std::span<const Operand> operands,
                               const Variant& variant, bool at_hand,
                               size_t threads);

// Hash of all results, which are not stored.
struct Digest {
  uint64_t hash = 0xcbf29ce484222325;
  uint64_t size = 0;

  void Add(std::string_view text);
  friend bool operator==(const Digest&, const Digest&) = default;
};

// Returns a duration that is long enough for one measurement, if `seconds` are
// available for several hundred: 0.1 to 4 milliseconds.
double ResolvedIn(double seconds);

class QueryRunner {
 public:
  // The query must outlive the object.
  QueryRunner(Query& query, const Settings& settings);

  absl::StatusOr<Digest> AnswersOf(const Built& built);
  absl::StatusOr<TraversalStatistics> StatisticsOf(const Built& built);

  // Chooses the number of repetitions such that all measurements take
  // `seconds`.
  void WarmUp(const Built& built, double seconds);

  // Returns the mean time of a query, over enough repetitions for the
  // resolution of the clock. Writes no results.
  double SecondsOf(const Built& built);

 private:
  absl::StatusOr<Answered> RunOnce(const Built& built, const Settings& settings,
                                   std::function<void(std::string_view)> sink);

  Query& query_;
  Settings settings_;
  size_t repeats_ = 1;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_QUERY_RUNNER_H_
