// SPDX-License-Identifier: Apache-2.0

// Queries of one mesh, which --pose may move: `range`, `nearest` and `ray`.
// Each is a row, a type that states the arguments, the search and the results.
// The command, its --help, completion and JSON Schema, `orbox explain`, poses,
// chunked trees and orbox-mpi follow from the row.
//
//   struct CountRow {
//     using Found = uint64_t;  // a result is a list of these
//     static constexpr Option kOptions[] = {...};
//     static absl::StatusOr<CountRow> Read(const Arguments& arguments);
//     size_t size() const;  // number of queries
//     // `tree` is null for chunked trees, and if only the type is needed.
//     Schema<std::span<const Found>> Results(const PosedTree* tree) const;
//     // PosedTree or ChunkedTarget. The row and the tree outlive the result.
//     template <typename AnyTree>
//     absl::StatusOr<BatchSearch<Found>> On(const AnyTree& tree,
//                                           const Settings& settings) const;
//   };
//   const Command kCountCommand = OneMeshCommand<CountRow>({.name = "count"});
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_ONE_MESH_QUERY_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_ONE_MESH_QUERY_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/rows.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/batch_loop.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/poses.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

inline constexpr std::string_view kMeshOperands[] = {"MESH"};

inline constexpr Option kMeshPoseOption = {
    "--pose", "P",
    "moves the mesh before the query: the 12 numbers of [R | t], row by row, "
    "or 16 with a last row of 0,0,0,1, separated by commas or spaces; or @FILE "
    "with one such row"};

inline constexpr Option kMeshFlattenOption = {
    "--flatten", "",
    "accept a pose that flattens the mesh to a plane, a line or a point"};

// The options that chunked trees do not support.
inline constexpr std::string_view kMeshPoseOptions[] = {"--pose"};

// An argument of a query, of the type Q: an option for each, or a file with one
// a row.
template <typename Q>
struct QueryArgument {
  std::string_view option;
  std::string_view file_option;
  std::string_view columns;
  absl::Status (*check)(std::span<const double> row);
  Q (*make)(std::span<const double> row);
};

// Returns the queries of a file of rows, at least one.
template <typename Q>
absl::StatusOr<std::vector<Q>> ReadQueries(const std::string& path,
                                           const QueryArgument<Q>& argument);

// Returns the queries of the option, in order.
template <typename Q>
absl::StatusOr<std::vector<Q>> ReadTypedQueries(
    const Arguments& arguments, const QueryArgument<Q>& argument);

// Returns a usage error unless exactly one of the argument's options is given.
template <typename Q>
absl::Status CheckOneIsGiven(const Arguments& arguments,
                             const QueryArgument<Q>& argument);

// Finds a list for each query of a batch.
template <typename Found>
using BatchSearch =
    std::function<absl::StatusOr<Lists<Found>>(const QueryBatch&)>;

// Converts results with at most one value per query to lists.
template <typename Found, typename Answers, typename FoundOf>
absl::StatusOr<Lists<Found>> ListsOfOne(const Answers& answers,
                                        FoundOf found_of);

// Converts the values of lists.
template <typename Found, typename Answers, typename FoundOf>
absl::StatusOr<Lists<Found>> ListsOf(Answers answers, FoundOf found_of);

// Returns the command of a row. `command` has the words of --help.
template <typename Row>
Command OneMeshCommand(Command command);

// Implementation.

template <typename Q>
absl::StatusOr<std::vector<Q>> ReadQueries(const std::string& path,
                                           const QueryArgument<Q>& argument) {
  const absl::StatusOr<Rows> rows =
      ReadRows(path, argument.columns, argument.check);
  if (!rows.ok()) return rows.status();
  std::vector<Q> queries;
  queries.reserve(rows->size());
  for (size_t i = 0; i < rows->size(); ++i) {
    queries.push_back(argument.make(rows->row(i)));
  }
  return queries;
}

template <typename Q>
absl::StatusOr<std::vector<Q>> ReadTypedQueries(
    const Arguments& arguments, const QueryArgument<Q>& argument) {
  std::vector<Q> queries;
  for (const std::string& text : arguments.Values(argument.option)) {
    const absl::StatusOr<std::vector<double>> row =
        ParseRow(text, argument.columns, argument.check);
    if (!row.ok()) {
      return UsageError(
          Cat(argument.option, ": ", std::string(row.status().message())));
    }
    queries.push_back(argument.make(*row));
  }
  return queries;
}

template <typename Q>
absl::Status CheckOneIsGiven(const Arguments& arguments,
                             const QueryArgument<Q>& argument) {
  if (arguments.Has(argument.option) != arguments.Has(argument.file_option)) {
    return absl::OkStatus();
  }
  return UsageError(
      Cat("give one of ", argument.option, " and ", argument.file_option));
}

template <typename Found, typename Answers, typename FoundOf>
absl::StatusOr<Lists<Found>> ListsOfOne(const Answers& answers,
                                        FoundOf found_of) {
  if (!answers.ok()) return answers.status();
  Lists<Found> lists;
  for (const auto& answer : *answers) {
    if (answer) lists.values.push_back(found_of(answer));
    lists.offsets.push_back(lists.values.size());
  }
  return lists;
}

template <typename Found, typename Answers, typename FoundOf>
absl::StatusOr<Lists<Found>> ListsOf(Answers answers, FoundOf found_of) {
  if (!answers.ok()) return answers.status();
  Lists<Found> lists;
  lists.offsets = std::move(answers->offsets);
  lists.values.reserve(answers->values.size());
  for (const auto& value : answers->values) {
    lists.values.push_back(found_of(value));
  }
  return lists;
}

template <typename Row>
class OneMeshQuery : public Query {
 public:
  // Requires one pose.
  OneMeshQuery(Poses pose, Row row)
      : pose_(std::move(pose)), row_(std::move(row)) {}

  absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                               const QueryContext& context) override {
    const absl::StatusOr<PosedTree> posed = AtOnePose(pose_, trees[0]);
    if (!posed.ok()) return posed.status();
    return RunOn(*posed, &*posed, context);
  }
  absl::StatusOr<Answered> RunOnChunks(std::span<const ChunkedTarget> trees,
                                       const QueryContext& context) override {
    return RunOn(trees[0], nullptr, context);
  }
  std::optional<ResultType> TypeOfResults() const override {
    const auto results = row_.Results(nullptr);
    return ResultType{results.Type(), results.Header(), "query", false};
  }

 private:
  template <typename AnyTree>
  absl::StatusOr<Answered> RunOn(const AnyTree& tree,
                                 const PosedTree* in_memory,
                                 const QueryContext& context) const {
    const auto search = row_.On(tree, context.settings);
    if (!search.ok()) return search.status();
    return AnswerBatches<typename Row::Found>(
        row_.Results(in_memory), row_.size(), context, *search,
        pose_.is_given ? &pose_.poses[0] : nullptr);
  }

  const Poses pose_;
  const Row row_;
};

template <typename Row>
absl::StatusOr<std::unique_ptr<Query>> ReadOneMeshQuery(
    const Arguments& arguments, const Settings&) {
  std::vector<std::string> files = {arguments.operands()[0],
                                    PoseFileOf(arguments.Value("--pose"))};
  for (const Option& option : Row::kOptions) {
    if (!TakesFile(option)) continue;
    for (std::string& path : arguments.Values(option.name)) {
      files.push_back(std::move(path));
    }
  }
  const absl::Status input = CheckStandardInput(files);
  if (!input.ok()) return input;
  absl::StatusOr<Poses> pose =
      ReadOnePose(arguments, "the mesh", "the mesh has");
  if (!pose.ok()) return pose.status();
  absl::StatusOr<Row> row = Row::Read(arguments);
  if (!row.ok()) return row.status();
  return std::make_unique<OneMeshQuery<Row>>(*std::move(pose), *std::move(row));
}

template <typename Row>
Command OneMeshCommand(Command command) {
  command.operands = kMeshOperands;
  command.options = Row::kOptions;
  command.read_query = ReadOneMeshQuery<Row>;
  command.more_help = HelpOnRows;
  return command;
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_ONE_MESH_QUERY_H_
