// SPDX-License-Identifier: Apache-2.0

// Runs many queries in batches, and writes their results in order.
//
//   return AnswerBatches<uint32_t>(
//       schema, balls.size(), context, [&](const QueryBatch& b) {
//         return AllOverlaps(tree, b.Of(balls), b.options);
//       });
//
// Batches are so small that the results of each take some megabytes. Results
// and statistics do not depend on the number of threads.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_BATCH_LOOP_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_BATCH_LOOP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

// The queries [first, first + size).
struct QueryBatch {
  size_t first;
  size_t size;
  QueryOptions options;

  template <typename Query>
  std::span<const Query> Of(const std::vector<Query>& all) const {
    return std::span(all).subspan(first, size);
  }
};

// Function that runs a batch, and returns a list for each of its queries.
template <typename Value>
using BatchCall =
    absl::FunctionRef<absl::StatusOr<Lists<Value>>(const QueryBatch&)>;

// Runs queries 0 to count - 1 in batches, and passes their results to
// `write_answer` in order. Returns the total cost (zeros unless the settings
// request it), or the first error. Stops early if the output has failed.
template <typename Value>
absl::StatusOr<TraversalStatistics> RunBatches(
    size_t count, const QueryContext& context, BatchCall<Value> call,
    absl::FunctionRef<void(size_t, std::span<const Value>)> write_answer);

// Like RunBatches, and writes each list by the schema, with the number of its
// query. Closes the output.
template <typename Value>
absl::StatusOr<Answered> AnswerBatches(
    const Schema<std::span<const Value>>& schema, size_t count,
    const QueryContext& context, BatchCall<Value> call,
    const Pose* pose = nullptr);

// Implementation.

template <typename Value>
absl::StatusOr<TraversalStatistics> RunBatches(
    size_t count, const QueryContext& context, BatchCall<Value> call,
    absl::FunctionRef<void(size_t, std::span<const Value>)> write_answer) {
  // Size of the first batch, which shows the length of the lists. Queries of a
  // large batch are close together.
  constexpr size_t kFirstBatch = 1024;
  constexpr size_t kLargestBatch = size_t{1} << 18;
  constexpr size_t kValuesPerBatch = size_t{1} << 20;

  // For a single query, the progress has no total, because its end is unknown.
  context.progress.Begin("queries", count > 1 ? count : 0);
  TraversalStatistics total;
  size_t size = kFirstBatch;
  for (size_t first = 0; first < count && !context.output.failed();) {
    size = std::min(size, count - first);
    uint64_t counted = 0;
    QueryBatch batch{first, size, {}};
    batch.options.threads = static_cast<int>(context.settings.threads);
    batch.options.progress = [&](double share) {
      const auto answered =
          static_cast<uint64_t>(share * static_cast<double>(size));
      context.progress.Advance(answered - counted);
      counted = answered;
    };
    if (context.settings.statistics) batch.options.statistics = &total;
    const absl::StatusOr<Lists<Value>> answers = call(batch);
    if (!answers.ok()) {
      context.progress.End();
      return answers.status();
    }
    if (context.settings.reported) {
      WriteResults(context.progress, context.output, [&] {
        for (size_t i = 0; i < size && !context.output.failed(); ++i) {
          write_answer(first + i, (*answers)[i]);
        }
      });
    }
    first += size;
    size = std::clamp(kValuesPerBatch / (answers->values.size() / size + 1),
                      size_t{1}, kLargestBatch);
  }
  context.progress.End();
  return total;
}

template <typename Value>
absl::StatusOr<Answered> AnswerBatches(
    const Schema<std::span<const Value>>& schema, size_t count,
    const QueryContext& context, BatchCall<Value> call, const Pose* pose) {
  ResultWriter results(context.settings, "query", schema.Header(),
                       context.output, pose);
  const auto write_answer = [&](size_t i, std::span<const Value> answer) {
    results.Write(schema, answer, i, Cat("query ", i, ": "));
  };
  const absl::StatusOr<TraversalStatistics> statistics =
      RunBatches<Value>(count, context, call, write_answer);
  if (!statistics.ok()) return statistics.status();
  const absl::Status status = results.Finish(*statistics);
  if (!status.ok()) return status;
  return Answered{ExitCode::kOk, *statistics};
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_BATCH_LOOP_H_
