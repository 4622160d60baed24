// SPDX-License-Identifier: Apache-2.0

// The contents of `orbox explain`: the rows for all formats, with their names
// in JSON and CSV.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLANATION_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLANATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree_shape.h"
#include "tools/orbox/explain/explain_measure.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

struct Explanation {
  std::string query;  // as it was typed
  std::vector<std::string> operands;
  size_t threads = 1;
  Measurements measured;
};

// Cost of one kind of node at one depth.
struct CostRow {
  int depth;
  VolumeKind kind;
  VolumeStatistics counts;
  // Fraction of the time of all steps, 0 .. 1. Absent if it is unknown.
  std::optional<double> share;
};

// The cost of the query on the current trees.
struct CostTable {
  std::vector<CostRow> rows;  // rows with counts, by depth and kind
  std::optional<double> leaves_share;
  std::optional<double> beyond_float_share;
  std::optional<double> rest_share;  // the share that is equal for all trees
  // Fraction of all steps together that cannot be distinguished.
  double together = 0;
};

// Returns the table. `costs` are the costs of steps. All fractions, including
// `together`, add up to 1 if the time is not 0.
CostTable CostTableOf(const TraversalStatistics& statistics,
                      const StepCosts& costs);

// Returns the recommendation, one line without a period.
std::string RecommendationOf(const Explanation& explanation);

// Returns the options in which `to` differs from `from`, for example "--volumes
// obb".
std::string OptionsOf(const Variant& from, const Variant& to);

// A recommended tree.
struct TreeChoice {
  Variant variant;
  double gain = 0;
};

Schema<CostRow> CostRowSchema();
Schema<VariantCost> VariantCostSchema();
Schema<TreeChoice> ChoiceSchema();

// Returns a name such as "mixed balanced wide".
std::string ItemOf(const Variant& variant);

// Returns the schema of the whole explanation in JSON. Times are in seconds.
// Fractions and gains are in [0, 1]. The time fraction of a step is null if the
// measured times do not distinguish it from others; untold_time_share is the
// fraction of all such steps together. The first of `variants` is the current
// one. `once` and `often` are null if no other tree is recommended.
Schema<Explanation> ExplanationSchema();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLANATION_H_
