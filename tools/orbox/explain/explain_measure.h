// SPDX-License-Identifier: Apache-2.0

// Measures a query with other trees. Builds the trees, and runs the query on
// them in alternation.
//
//   absl::StatusOr<Measurements> m = Measure(query, operands, settings,
//                                            /*seconds=*/10, progress);
//
// Compares each tree's results with those of the current tree. The best trees,
// for a single query and for many queries, are measured again together with the
// current one, because the best of several measurements is partly luck. Only
// the second measurements decide the advice.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_MEASURE_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_MEASURE_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/explain/explain_advice.h"
#include "tools/orbox/explain/explain_cost.h"

namespace orbox::cli {

// Options for building trees. The first variant is the current one. Its trees
// are not rebuilt if they come from files.
struct Variant {
  Volumes volumes = Volumes::kMixed;
  Quality quality = Quality::kBalanced;
  Storage storage = Storage::kWide;
  int max_leaf_triangles = 8;

  friend bool operator==(const Variant&, const Variant&) = default;
};

struct VariantCost {
  Variant variant;
  size_t bytes = 0;  // of all its trees
  TraversalStatistics statistics;
  Timing timing;  // builds of all its trees, and one query
  bool same_answers = false;
};

// A mesh of the command line. If a file is given twice, the second operand
// refers to the first one.
struct Operand {
  std::string path;
  Loaded loaded;
  size_t first = 0;  // the position of the first operand of this path
};

absl::StatusOr<std::vector<Operand>> LoadOperands(
    std::span<const std::string> paths, const Settings& settings,
    ProgressDisplay& progress);

struct Measurements {
  std::vector<Tree> trees;            // current trees, in the order of operands
  std::vector<VariantCost> variants;  // [0]: the current trees
  StepCosts costs;
  size_t fitted_to = 0;  // number of trees used for the fit of costs
  Advice advice;         // positions in `variants`
  size_t rounds = 0;     // number of measurements behind the advice
};

// Takes about `seconds`, or longer if a few rounds need more time. Memory: ten
// trees of each mesh.
absl::StatusOr<Measurements> Measure(Query& query,
                                     std::span<const Operand> operands,
                                     const Settings& settings, double seconds,
                                     ProgressDisplay& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_MEASURE_H_
