// SPDX-License-Identifier: Apache-2.0

// The parts of an explanation, with their names in JSON and in CSV.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_SCHEMA_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_SCHEMA_H_

#include <optional>
#include <string>

#include "tools/orbox/explanation.h"
#include "tools/orbox/schema.h"

namespace orbox::cli {

// A recommended tree.
struct Choice {
  Variant variant;
  double gain = 0;
};

Schema<CostRow> CostRowSchema();
Schema<VariantCost> VariantCostSchema();
Schema<Choice> ChoiceSchema();

// "mixed balanced wide"
std::string ItemOf(const Variant& variant);

// All of it, in JSON: times in seconds, shares and gains in 0 .. 1. A time
// share is null where the measured times do not tell its steps from others;
// untold_time_share is what such steps have together. The first of `variants`
// is at hand; `once` and `often` are null where nothing else is recommended.
Schema<Explanation> ExplanationSchema();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_SCHEMA_H_
