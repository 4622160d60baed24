// SPDX-License-Identifier: Apache-2.0

// A query of the command line, separate from its trees, so that `orbox explain`
// can ask it of several.
//
//   absl::StatusOr<std::unique_ptr<Query>> query =
//       command.read_query(arguments, settings);
//   absl::StatusOr<Answered> answered =
//       (*query)->Ask({tree_a, tree_b}, {settings, progress, output});
#ifndef ORBOX_TOOLS_ORBOX_QUERY_H_
#define ORBOX_TOOLS_ORBOX_QUERY_H_

#include <span>

#include "absl/status/statusor.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/asked_tree.h"
#include "tools/orbox/chunk_asker.h"
#include "tools/orbox/command.h"
#include "tools/orbox/exit_code.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/query_context.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

struct Answered {
  ExitCode exit_code = ExitCode::kOk;
  TraversalStatistics statistics;  // zeros where not asked for
};

// The question of the arguments, with the files that they name read, except
// meshes.
class Query {
 public:
  virtual ~Query() = default;

  // Asks it of the trees of the operands, in their order, writes the answers as
  // the settings say, and closes the output. Can be called again.
  virtual absl::StatusOr<Answered> Ask(std::span<const Tree> trees,
                                       const QueryContext& context) = 0;

  // Like Ask, for chunked trees as operands: an error, unless the query takes
  // them.
  virtual absl::StatusOr<Answered> AskChunks(std::span<const AskedTree> trees,
                                             const QueryContext& context);
};

// Reads the query and the trees of its operands, a file given twice only once,
// and asks. Requires a command that is a query. `asker` is who asks chunked
// trees; one that is not alone asks nothing else.
absl::StatusOr<ExitCode> RunQuery(const Command& command,
                                  const Arguments& arguments,
                                  Progress& progress, ChunkAsker& asker);

// The trees of the operands: those in the files, or built ones.
absl::StatusOr<std::vector<Tree>> LoadTrees(
    std::span<const std::string> operands, const Settings& settings,
    Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_QUERY_H_
