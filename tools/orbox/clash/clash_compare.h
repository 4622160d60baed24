// SPDX-License-Identifier: Apache-2.0

// Reads the result of an earlier run of `orbox clash`.
//
//   auto last = ReadLastRun("last.json");
//   for (const report::ResolvedClash& clash : *last) ...
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_COMPARE_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_COMPARE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/report/clash_list.h"

namespace orbox::cli {

// Reads the clashes of the last run in the order of the file, which is the JSON
// output of `orbox clash --format json`. Returns kInvalidArgument for other
// files, and errors of reading the file.
absl::StatusOr<std::vector<report::ResolvedClash>> ReadLastRun(
    const std::string& path);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_COMPARE_H_
