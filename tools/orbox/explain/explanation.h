// SPDX-License-Identifier: Apache-2.0

// The contents of `orbox explain`: the rows for all formats, and their names in
// JSON and in CSV.
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

// The cost of one kind of node at one depth.
struct CostRow {
  int depth;
  VolumeKind kind;
  VolumeStatistics counts;
  // Fraction of the time of all steps, 0 .. 1; nothing if it is unknown.
  std::optional<double> share;
};

// The cost of the query on the current trees.
struct CostTable {
  std::vector<CostRow> rows;  // the rows with counts, by depth and kind
  std::optional<double> leaves_share;
  std::optional<double> beyond_float_share;
  std::optional<double> rest_share;  // the part that is equal for all trees
  // Common fraction of all steps that cannot be distinguished.
  double together = 0;
};

// `costs` are the costs of steps. The fractions, including `together`, add up
// to 1 if there is any time.
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

// "mixed balanced wide"
std::string ItemOf(const Variant& variant);

// The whole explanation in JSON: times in seconds, fractions and gains in
// [0, 1]. A time fraction is null if the measured times do not distinguish its
// steps from others; untold_time_share is the common fraction of all such
// steps. The first of `variants` is the current one; `once` and `often` are
// null if no other tree is recommended.
Schema<Explanation> ExplanationSchema();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLANATION_H_
