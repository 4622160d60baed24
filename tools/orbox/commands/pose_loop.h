// SPDX-License-Identifier: Apache-2.0

// Runs a query on two meshes at each pose of the first.
//
//   struct ClashParameters {
//     struct Answer { ...; size_t size() const; };      // as in query_loop.h
//     Answer Run(const PosedTree& a, const PosedTree& b,
//                TraversalStatistics* statistics) const;
//     void AddAnswer(const Answer& answer);             // at each, in order
//     Schema<Answer> ReportedAs() const;
//   };
//   absl::StatusOr<TraversalStatistics> statistics =
//       RunAtPoses(pair, context, parameters);
//
// An Answer whose member `status` is not OK ends the loop with that error. In
// text, the names of the meshes or the number of the pose come before the
// schema's text.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_POSE_LOOP_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_POSE_LOOP_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/commands/query_loop.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

// Runs the queries, writes the results and closes the output. Returns the total
// cost. If the poses come from a file, the results are a list, with the
// statistics of each pose and of all poses. Results that are not written are
// not passed to AddAnswer.
template <typename Pair, typename Parameters>
absl::StatusOr<TraversalStatistics> RunAtPoses(const Pair& pair,
                                               const QueryContext& context,
                                               Parameters& parameters);

// Returns the type of the results.
template <typename Parameters>
ResultType TypeAtPoses(const Parameters& parameters) {
  const Schema<typename Parameters::Answer> schema = parameters.ReportedAs();
  return {schema.Type(), schema.Header(), "pose"};
}

// Implementation.

namespace internal {

template <typename Parameters>
struct PosedAnswer {
  absl::Status status;
  typename Parameters::Answer answer;
  std::optional<TraversalStatistics> statistics;

  size_t size() const {
    // Memory of the result, in items of 8 bytes.
    return answer.size() +
           (statistics.has_value() ? sizeof(TraversalStatistics) / 8 : 0);
  }
};

inline absl::StatusOr<PosedTree> At(const Tree& tree, const Pose& pose) {
  return PosedTree::Create(tree, pose);
}
inline absl::StatusOr<PosedChunkedTarget> At(const ChunkedTarget& tree,
                                             const Pose& pose) {
  return PosedChunkedTarget::Create(tree, pose);
}

template <typename Pair, typename Parameters>
PosedAnswer<Parameters> RunAtPose(const Pair& pair, const Pose& pose,
                                  const Parameters& parameters,
                                  TraversalStatistics* total) {
  PosedAnswer<Parameters> result;
  const auto a = At(pair.a, pose);
  result.status = a.status();
  if (!a.ok()) return result;
  if (total != nullptr) result.statistics.emplace();
  result.answer = parameters.Run(
      *a, pair.b, result.statistics ? &*result.statistics : nullptr);
  if constexpr (requires { result.answer.status; }) {
    result.status = result.answer.status;
  }
  if (total != nullptr) *total += *result.statistics;
  return result;
}

}  // namespace internal

template <typename Pair, typename Parameters>
absl::StatusOr<TraversalStatistics> RunAtPoses(const Pair& pair,
                                               const QueryContext& context,
                                               Parameters& parameters) {
  using Posed = internal::PosedAnswer<Parameters>;
  const bool is_list = pair.poses.is_list();
  const Schema<typename Parameters::Answer> schema = parameters.ReportedAs();
  std::optional<ResultWriter> results;
  absl::Status failure;

  const auto call = [&](size_t i, TraversalStatistics* total) {
    return internal::RunAtPose(pair, pair.poses.poses[i], parameters, total);
  };
  const auto write_answer = [&](size_t i, const Posed& posed) {
    failure = posed.status;
    if (!failure.ok()) return Visit::kStop;
    if (!results.has_value()) {
      // Created with the first result, so that the output is empty after an
      // error.
      results.emplace(context.settings, is_list ? "pose" : "", schema.Header(),
                      context.output);
    }
    parameters.AddAnswer(posed.answer);
    results->Write(
        schema, posed.answer, i,
        is_list ? Cat("pose ", i, ": A and B ") : Cat(pair.title, " "),
        {.pose = pair.poses.is_given ? &pair.poses.poses[i] : nullptr,
         .statistics =
             posed.statistics.has_value() ? &*posed.statistics : nullptr});
    return Visit::kContinue;
  };
  const TraversalStatistics statistics =
      RunAll<Posed>(pair.poses.poses.size(), context, call, write_answer);
  if (!failure.ok()) return failure;
  if (results.has_value()) failure = results->Finish(statistics);
  if (!failure.ok()) return failure;
  return statistics;
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_POSE_LOOP_H_
