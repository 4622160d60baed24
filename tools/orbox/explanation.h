// SPDX-License-Identifier: Apache-2.0

// The contents of `orbox explain`: the rows that all formats show.
#ifndef ORBOX_TOOLS_ORBOX_EXPLANATION_H_
#define ORBOX_TOOLS_ORBOX_EXPLANATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree_shape.h"
#include "tools/orbox/explain_measure.h"

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
  // The share of the time of all steps, 0 .. 1; nothing if that is not known.
  std::optional<double> share;
};

// The cost of the query on the current trees.
struct CostTable {
  std::vector<CostRow> rows;  // those with anything to say, by depth and kind
  std::optional<double> leaves_share;
  std::optional<double> beyond_float_share;
  std::optional<double> rest_share;  // what takes as long with any tree
  // The share of all that cannot be told apart.
  double together = 0;
};

// `costs` are those of steps. Shares add up to 1, with what they have together,
// if there is any time.
CostTable CostTableOf(const TraversalStatistics& statistics,
                      const StepCosts& costs);

// One line without a period: what to do.
std::string RecommendationOf(const Explanation& explanation);

// "--volumes obb": the options in which `to` differs from `from`.
std::string OptionsOf(const Variant& from, const Variant& to);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLANATION_H_
