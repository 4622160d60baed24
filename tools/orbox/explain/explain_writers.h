// SPDX-License-Identifier: Apache-2.0

// The formats of `orbox explain`, one function each.
#ifndef ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_WRITERS_H_
#define ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_WRITERS_H_

#include <string_view>

#include "tools/orbox/explain/explanation.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

// Writes tables for people, with the recommendation at the end.
void WriteExplanationText(const Explanation& explanation, Output& output);

// Writes a row for each number, below this header.
inline constexpr std::string_view kExplanationHeader =
    "part,item,measure,value";
void WriteExplanationCsv(const Explanation& explanation, Output& output);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXPLAIN_EXPLAIN_WRITERS_H_
