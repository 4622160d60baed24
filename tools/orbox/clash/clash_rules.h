// SPDX-License-Identifier: Apache-2.0

// Reads the rules of `orbox clash --rules`: rows that say for two sets of
// bodies when they clash.
//
//   {"rules": [{"name": "pipes in walls", "a": "type=IfcPipe*",
//               "b": "type=IfcWall*", "tolerance": 0.01, "severity": "high"},
//              {"a": "type=IfcPipe*", "b": "type=IfcPipe*", "clearance": 0.05,
//               "insulation": "Pset_Insulation.Thickness"},
//              {"a": "type=IfcSpace", "ignore": true}]}
//
// The first rule whose sets have the two bodies, in any order, decides. Pairs
// without a rule have the tolerance and the clearance of the command. The form
// is published as rules.schema.json.
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_RULES_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_RULES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace orbox::cli {

struct ClashRule {
  std::string name;  // by default "A and B"
  // Patterns of bodies (body_sets.h).
  std::string a = "*";
  std::string b = "*";
  // Absent: those of the command.
  std::optional<double> tolerance;
  std::optional<double> clearance;
  // Key of a property: the thickness of the insulation of a body, which is
  // added to the clearance. Empty: none.
  std::string insulation;
  bool ignore = false;
  std::string severity;  // any text
};

// Returns kInvalidArgument, with the name of the file and the position, for
// unknown keys and wrong types.
absl::StatusOr<std::vector<ClashRule>> ReadClashRules(const std::string& path);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_RULES_H_
