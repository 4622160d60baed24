// SPDX-License-Identifier: Apache-2.0

// A query of the command line. It is separate from its trees, so that `orbox
// explain` can run it on several trees.
//
//   absl::StatusOr<std::unique_ptr<Query>> query =
//       command.read_query(arguments, settings);
//   absl::StatusOr<Answered> answered =
//       (*query)->Run({tree_a, tree_b}, {settings, progress, output});
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_H_

#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/commands/chunk_executor.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/json_type.h"

namespace orbox::cli {

struct Answered {
  ExitCode exit_code = ExitCode::kOk;
  TraversalStatistics statistics;  // zeros if not requested
};

// A query from arguments. Contains the contents of the files that the arguments
// name, except meshes.
class Query {
 public:
  virtual ~Query() = default;

  // Runs the query on the trees of the operands, in the order of the operands.
  // Writes the results in the format of the settings, and closes the output.
  // May be called several times.
  virtual absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                                       const QueryContext& context) = 0;

  // Runs the query on chunked trees as operands. Returns an error if the query
  // does not support them.
  virtual absl::StatusOr<Answered> RunOnChunks(
      std::span<const ChunkedTarget> trees, const QueryContext& context);

  // Returns the type of the results. Commands with variants need it.
  virtual std::optional<ResultType> TypeOfResults() const {
    return std::nullopt;
  }
};

// Reads the query and the trees of its operands, and runs the query. A file
// that is given twice is read once. Requires a command that is a query.
// `executor` runs queries of chunked trees. If it has several ranks, a query
// without chunked trees is a usage error.
absl::StatusOr<ExitCode> RunQuery(const Command& command,
                                  const Arguments& arguments,
                                  ProgressDisplay& progress,
                                  ChunkExecutor& executor);

// Returns the trees of the operands. Reads them from files, or builds them.
absl::StatusOr<std::vector<Tree>> LoadTrees(
    std::span<const std::string> operands, const Settings& settings,
    ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_QUERY_H_
