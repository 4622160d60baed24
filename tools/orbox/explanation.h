// The contents of `orbox explain`: the rows that all formats show.
#ifndef ORBOX_TOOLS_ORBOX_EXPLANATION_H_
#define ORBOX_TOOLS_ORBOX_EXPLANATION_H_

#include <cstddef>
#include <cstdint>
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
  double share;  // of the time of all steps, 0 .. 1
};

// The cost of the query on the current trees.
struct CostTable {
  std::vector<CostRow> rows;  // those with anything to say, by depth and kind
  double leaves_share = 0;
  double beyond_float_share = 0;
  double rest_share = 0;  // what takes as long with any tree
};

// `costs` are those of steps. Shares add up to 1 if there is any time.
CostTable CostTableOf(const TraversalStatistics& statistics,
                      const StepCosts& costs);

// One line without a period: what to do.
std::string RecommendationOf(const Explanation& explanation);

// "--volumes obb": the options in which `to` differs from `from`.
std::string OptionsOf(const Variant& from, const Variant& to);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLANATION_H_
