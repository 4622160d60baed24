// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/query.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/load.h"

namespace orbox::cli {

absl::StatusOr<std::vector<Tree>> LoadTrees(
    std::span<const std::string> operands, const Settings& settings,
    ProgressDisplay& progress) {
  std::vector<Tree> trees;
  for (const std::string& path : operands) {
    const auto same = std::find(operands.begin(), operands.end(), path);
    const size_t loaded = same - operands.begin();
    if (loaded < trees.size()) {
      trees.push_back(trees[loaded]);
      continue;
    }
    absl::StatusOr<Tree> tree = LoadTree(path, settings, progress);
    if (!tree.ok()) return tree.status();
    trees.push_back(*std::move(tree));
  }
  return trees;
}

absl::StatusOr<Answered> Query::RunOnChunks(std::span<const ChunkedTarget>,
                                            const QueryContext&) {
  return UsageError(
      "this query does not support chunked trees; give a mesh or a tree file");
}

namespace {

// Opens the operands as chunked trees. A mesh or a tree file becomes a chunked
// tree of one chunk in memory. A quarter of the memory is reserved for queries
// and results.
absl::StatusOr<std::vector<ChunkedTarget>> OpenChunkedTrees(
    std::span<const std::string> operands, const Settings& settings,
    ProgressDisplay& progress, ChunkExecutor& executor) {
  std::vector<ChunkedTarget> trees;
  for (const std::string& path : operands) {
    if (!IsChunkedTreeAt(path)) {
      const absl::StatusOr<Tree> tree = LoadTree(path, settings, progress);
      if (!tree.ok()) return tree.status();
      trees.push_back({ChunkedTree(*tree), &executor});
      continue;
    }
    if (settings.weld.has_value()) {
      return UsageError(Cat("--weld: ", path,
                            " is a chunked tree, whose mesh is fixed; weld a "
                            "mesh that fits into memory"));
    }
    absl::StatusOr<ChunkedTree> tree = ChunkedTree::Open(
        path, {.memory = settings.memory / 4 * 3 / operands.size()});
    if (!tree.ok()) return tree.status();
    trees.push_back({*std::move(tree), &executor});
  }
  return trees;
}

// Arguments of RunOnChunks, if no error occurs.
struct Opened {
  std::unique_ptr<Query> query;
  std::vector<ChunkedTarget> trees;
  std::optional<Output> output;
};

absl::Status OpenAll(const Command& command, const Arguments& arguments,
                     const Settings& settings, ProgressDisplay& progress,
                     ChunkExecutor& executor, Opened* opened) {
  const std::span<const std::string> operands = arguments.operands();
  if (!std::any_of(operands.begin(), operands.end(), IsChunkedTreeAt)) {
    return UsageError(
        "none of the operands is a chunked tree; make one with 'orbox build', "
        "or use 'orbox' for meshes and tree files");
  }
  for (const std::string_view option : command.in_memory) {
    if (!arguments.Has(option)) continue;
    return UsageError(Cat(option,
                          " does not support chunked trees; give a "
                          "mesh or a tree file"));
  }
  absl::StatusOr<std::unique_ptr<Query>> query =
      command.read_query(arguments, settings);
  if (!query.ok()) return query.status();
  absl::StatusOr<std::vector<ChunkedTarget>> trees =
      OpenChunkedTrees(operands, settings, progress, executor);
  if (!trees.ok()) return trees.status();
  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  opened->query = *std::move(query);
  opened->trees = *std::move(trees);
  opened->output.emplace(*std::move(output));
  return absl::OkStatus();
}

absl::StatusOr<Answered> RunOnChunksOf(const Command& command,
                                       const Arguments& arguments,
                                       Settings settings,
                                       ProgressDisplay& progress,
                                       ChunkExecutor& executor) {
  if (!executor.is_alone()) {
    // All ranks run the queries in the same order, and one rank writes the
    // results.
    settings.threads = 1;
    if (!executor.writes_results()) settings.output = "/dev/null";
  }
  Opened opened;
  const absl::Status own =
      OpenAll(command, arguments, settings, progress, executor, &opened);
  const absl::Status all = executor.Agree(own);
  if (!own.ok()) return own;
  if (!all.ok()) return all;
  return opened.query->RunOnChunks(opened.trees,
                                   {settings, progress, *opened.output});
}

}  // namespace

absl::StatusOr<ExitCode> RunQuery(const Command& command,
                                  const Arguments& arguments,
                                  ProgressDisplay& progress,
                                  ChunkExecutor& executor) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  settings->takes_clouds = command.takes_clouds;
  const std::span<const std::string> operands = arguments.operands();
  if (!executor.is_alone() ||
      std::any_of(operands.begin(), operands.end(), IsChunkedTreeAt)) {
    const absl::StatusOr<Answered> answered =
        RunOnChunksOf(command, arguments, *settings, progress, executor);
    if (!answered.ok()) return answered.status();
    return answered->exit_code;
  }
  const absl::StatusOr<std::unique_ptr<Query>> query =
      command.read_query(arguments, *settings);
  if (!query.ok()) return query.status();
  const absl::StatusOr<std::vector<Tree>> trees =
      LoadTrees(operands, *settings, progress);
  if (!trees.ok()) return trees.status();
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const absl::StatusOr<Answered> answered =
      (*query)->Run(*trees, {*settings, progress, *output});
  if (!answered.ok()) return answered.status();
  return answered->exit_code;
}

}  // namespace orbox::cli
