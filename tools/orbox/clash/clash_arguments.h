// SPDX-License-Identifier: Apache-2.0

// Arguments of `orbox clash`, from its command line.
//
//   absl::StatusOr<ClashArguments> request = ReadClashArguments(arguments);
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_ARGUMENTS_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_ARGUMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/clash/body_sets.h"
#include "tools/orbox/clash/clash_files.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/orbox/clash/scene_frames.h"

namespace orbox::cli {

struct ClashArguments {
  std::string path;    // the first operand; empty without one
  std::string motion;  // empty without a motion
  ClashParameters parameters;
  PairRules rules;
  std::vector<std::string> grouped_by;
  std::vector<BodyColumn> columns;  // of CSV, in addition to the usual ones
  bool for_excel = false;
  // Pairs that certainly share less are left out.
  double min_thickness = 0;
  double min_volume = 0;
  std::string id;       // key of the id; empty: the name
  std::string compare;  // empty without an earlier run
  bool clusters = false;
  bool depths = false;
  bool exit_code = false;
  bool flatten = false;
  ClashFiles files;
};

// Reads the arguments. Errors are usage errors.
absl::StatusOr<ClashArguments> ReadClashArguments(const Arguments& arguments);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_ARGUMENTS_H_
