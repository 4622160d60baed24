// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/query.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tools/orbox/load.h"

namespace orbox::cli {

absl::StatusOr<std::vector<Tree>> LoadTrees(
    std::span<const std::string> operands, const Settings& settings,
    Progress& progress) {
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

absl::StatusOr<Answered> Query::AskChunks(std::span<const ChunkedTree>,
                                          const Settings&, Progress&, Output&) {
  return UsageError(
      "this question is not asked of a chunked tree; give a mesh or a tree "
      "file");
}

namespace {

// Others of the operands are one chunk in memory each. A quarter of the memory
// is left for queries and answers.
absl::StatusOr<std::vector<ChunkedTree>> OpenChunkedTrees(
    std::span<const std::string> operands, const Settings& settings,
    Progress& progress) {
  std::vector<ChunkedTree> trees;
  for (const std::string& path : operands) {
    if (!IsChunkedTreeAt(path)) {
      const absl::StatusOr<Tree> tree = LoadTree(path, settings, progress);
      if (!tree.ok()) return tree.status();
      trees.emplace_back(*tree);
      continue;
    }
    absl::StatusOr<ChunkedTree> tree = ChunkedTree::Open(
        path, {.memory = settings.memory / 4 * 3 / operands.size()});
    if (!tree.ok()) return tree.status();
    trees.push_back(*std::move(tree));
  }
  return trees;
}

absl::StatusOr<Answered> AskChunksOf(std::span<const std::string> operands,
                                     Query& query, const Settings& settings,
                                     Progress& progress) {
  const absl::StatusOr<std::vector<ChunkedTree>> trees =
      OpenChunkedTrees(operands, settings, progress);
  if (!trees.ok()) return trees.status();
  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  return query.AskChunks(*trees, settings, progress, *output);
}

}  // namespace

absl::StatusOr<ExitCode> RunQuery(const Command& command,
                                  const Arguments& arguments,
                                  Progress& progress) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  settings->takes_clouds = command.takes_clouds;
  const absl::StatusOr<std::unique_ptr<Query>> query =
      command.read_query(arguments, *settings);
  if (!query.ok()) return query.status();
  const std::span<const std::string> operands = arguments.operands();
  if (std::any_of(operands.begin(), operands.end(), IsChunkedTreeAt)) {
    const absl::StatusOr<Answered> answered =
        AskChunksOf(operands, **query, *settings, progress);
    if (!answered.ok()) return answered.status();
    return answered->exit_code;
  }
  const absl::StatusOr<std::vector<Tree>> trees =
      LoadTrees(operands, *settings, progress);
  if (!trees.ok()) return trees.status();
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const absl::StatusOr<Answered> answered =
      (*query)->Ask(*trees, *settings, progress, *output);
  if (!answered.ok()) return answered.status();
  return answered->exit_code;
}

}  // namespace orbox::cli
