// What would this query cost with other trees? They are built and asked, in
// turn, and compared.
//
//   absl::StatusOr<Measurements> m = Measure(query, operands, settings,
//                                            /*seconds=*/10, progress);
//
// Each tree's answers are compared with those of the tree at hand. The two that
// look best, asked once and asked often, are then measured again beside the one
// at hand, since the best of several is partly luck; advice is what that says.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_MEASURE_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_MEASURE_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/explain_advice.h"
#include "tools/orbox/explain_cost.h"
#include "tools/orbox/load.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/query.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

// How trees are built. The first of all is the one at hand, some of whose trees
// may come from files: those are as they are.
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
  Timing timing;  // builds of all its trees; one query
  bool same_answers = false;
};

// A mesh of the command line. Where the same file is given twice, the second is
// the first.
struct Operand {
  std::string path;
  Loaded loaded;
  size_t first = 0;  // the position of the first operand of this path
};

absl::StatusOr<std::vector<Operand>> LoadOperands(
    std::span<const std::string> paths, const Settings& settings,
    Progress& progress);

struct Measurements {
  std::vector<Tree> trees;            // those at hand, of the operands in turn
  std::vector<VariantCost> variants;  // [0]: those at hand
  StepCosts costs;
  size_t fitted_to = 0;  // how many trees the costs are fitted to
  Advice advice;         // positions in `variants`
  size_t rounds = 0;     // how often the advice was measured
};

// Takes about `seconds`, and longer where that is too short for a few rounds.
// Memory is that of ten trees of each mesh.
absl::StatusOr<Measurements> Measure(Query& query,
                                     std::span<const Operand> operands,
                                     const Settings& settings, double seconds,
                                     Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_MEASURE_H_
