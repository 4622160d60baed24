// SPDX-License-Identifier: Apache-2.0

// The parts of an explanation, with their names in JSON and in CSV.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_SCHEMA_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_SCHEMA_H_

#include <optional>
#include <string>

#include "tools/orbox/explain/explanation.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {

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

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_SCHEMA_H_
