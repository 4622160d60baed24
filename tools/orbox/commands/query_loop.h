// SPDX-License-Identifier: Apache-2.0

// Runs a query for each pose or frame, several at a time, and passes on the
// results in order. batch_loop.h is for queries that the library has in
// batches.
//
//   TraversalStatistics statistics = RunAll<Answer>(
//       poses.size(), context,
//       [&](size_t i, TraversalStatistics* s) { return RunAt(poses[i], s); },
//       [&](size_t i, const Answer& answer) {
//         write(i, answer);
//         return Visit::kContinue;
//       });
//
// Queries run in batches, so that only the results of one batch are in memory.
// Results are passed on in the order of the queries. Results and statistics do
// not depend on the number of threads.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_LOOP_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_LOOP_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/base/parallel.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

// Runs queries 0 to count - 1 and passes their results to `write_answer`,
// unless the settings drop results. Returns the total cost, or zeros unless the
// settings request it. Answer::size() returns its memory, in items of some
// bytes. Stops early if `write_answer` returns kStop or the output has failed.
template <typename Answer>
TraversalStatistics RunAll(
    size_t count, const QueryContext& context,
    absl::FunctionRef<Answer(size_t, TraversalStatistics*)> call,
    absl::FunctionRef<Visit(size_t, const Answer&)> write_answer);

// Implementation.

template <typename Answer>
TraversalStatistics RunAll(
    size_t count, const QueryContext& context,
    absl::FunctionRef<Answer(size_t, TraversalStatistics*)> call,
    absl::FunctionRef<Visit(size_t, const Answer&)> write_answer) {
  // Size of the first batch. Large enough to keep all threads busy even if a
  // query takes a microsecond. Results of a batch stay below some megabytes.
  constexpr size_t kFirstBatch = 256;
  constexpr size_t kLargestBatch = size_t{1} << 16;
  constexpr size_t kItemsPerBatch = size_t{1} << 20;

  // For a single query, the progress has no total, because its end is unknown.
  context.progress.Begin("queries", count > 1 ? count : 0);
  std::vector<TraversalStatistics> of_worker(
      context.settings.statistics ? context.settings.threads : 0);
  size_t batch = kFirstBatch;
  Visit verdict = Visit::kContinue;
  for (size_t first = 0; first < count && verdict == Visit::kContinue;) {
    const size_t size = std::min(batch, count - first);
    std::vector<Answer> answers(size);
    tools::ParallelFor(
        size, context.settings.threads, [&](size_t item, size_t worker) {
          answers[item] = call(
              first + item, of_worker.empty() ? nullptr : &of_worker[worker]);
          context.progress.Advance(1);
        });
    size_t items = 0;
    for (const Answer& answer : answers) items += answer.size();
    if (context.settings.reported) {
      WriteResults(context.progress, context.output, [&] {
        for (size_t i = 0; i < size && verdict == Visit::kContinue; ++i) {
          verdict = context.output.failed()
                        ? Visit::kStop
                        : write_answer(first + i, answers[i]);
        }
      });
    }
    first += size;
    batch = std::clamp(kItemsPerBatch / (items / size + 1),
                       context.settings.threads, kLargestBatch);
  }
  context.progress.End();
  TraversalStatistics total;
  for (const TraversalStatistics& statistics : of_worker) total += statistics;
  return total;
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_LOOP_H_
