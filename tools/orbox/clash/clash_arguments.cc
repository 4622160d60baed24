// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_arguments.h"

#include <optional>
#include <string_view>
#include <utility>

#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/pair_relation.h"
#include "tools/orbox/commands/poses.h"

namespace orbox::cli {
namespace {

// Returns the file that an option names; empty if the option is not given.
absl::StatusOr<std::string> ReadInputName(const Arguments& arguments,
                                          std::string_view option) {
  std::string name = arguments.Value(option);
  if (!arguments.Has(option) || !name.empty()) return name;
  return UsageError(Cat(option, ": the name is empty; name a file, or -"));
}

absl::StatusOr<PairRules> ReadPairRules(const Arguments& arguments) {
  PairRules rules{
      .between = {}, .ignore = arguments.Values("--ignore"), .accepted = ""};
  const std::vector<std::string> sets = arguments.Values("--between");
  for (size_t i = 0; i + 1 < sets.size(); i += 2) {
    rules.between.emplace_back(sets[i], sets[i + 1]);
  }
  absl::StatusOr<std::string> accepted = ReadInputName(arguments, "--accepted");
  if (!accepted.ok()) return accepted.status();
  rules.accepted = *std::move(accepted);
  return rules;
}

absl::StatusOr<ClashParameters> ReadClashParameters(
    const Arguments& arguments) {
  const absl::StatusOr<std::optional<double>> tolerance =
      arguments.Real("--tolerance", 0);
  if (!tolerance.ok()) return tolerance.status();
  const bool exact = arguments.Has("--exact");
  if (exact && tolerance->value_or(0) > 0) {
    return UsageError(
        "--exact is without a tolerance; leave out one of the two");
  }
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  const absl::StatusOr<InsideRule> inside = ReadInside(arguments);
  if (!inside.ok()) return inside.status();
  const absl::StatusOr<std::optional<double>> close_holes =
      arguments.Real("--close-holes", 0);
  if (!close_holes.ok()) return close_holes.status();
  return ClashParameters{.tolerance = tolerance->value_or(0),
                         .exact = exact,
                         .inside = *inside,
                         .close_holes = close_holes->value_or(0),
                         .within = *within,
                         .volume = arguments.Has("--volume")};
}

// Returns the keys of a list such as "file,type".
absl::StatusOr<std::vector<std::string>> ReadKeys(const Arguments& arguments) {
  std::vector<std::string> keys;
  if (!arguments.Has("--group")) return keys;
  const std::string list = arguments.Value("--group");
  for (const std::string_view key : SplitAtCommas(list)) {
    keys.emplace_back(TrimSpaces(key));
    if (keys.back().empty()) {
      return UsageError(Cat("--group: ", Quoted(list),
                            " has an empty part; give keys, as file,type"));
    }
  }
  return keys;
}

}  // namespace

absl::StatusOr<ClashArguments> ReadClashArguments(const Arguments& arguments) {
  ClashArguments request;
  request.path = arguments.operands()[0];
  request.id = arguments.Value("--id");
  request.clusters = arguments.Has("--places");
  request.depths = arguments.Has("--depth");
  request.exit_code = arguments.Has("--exit-code");
  request.flatten = arguments.Has(kFlattenOption.name);
  const absl::StatusOr<std::string> motion =
      ReadInputName(arguments, "--motion");
  if (!motion.ok()) return motion.status();
  request.motion = *motion;
  const absl::StatusOr<std::string> compare =
      ReadInputName(arguments, "--compare");
  if (!compare.ok()) return compare.status();
  request.compare = *compare;
  const absl::StatusOr<ClashParameters> parameters =
      ReadClashParameters(arguments);
  if (!parameters.ok()) return parameters.status();
  request.parameters = *parameters;
  const absl::StatusOr<PairRules> rules = ReadPairRules(arguments);
  if (!rules.ok()) return rules.status();
  request.rules = *rules;
  const absl::StatusOr<std::vector<std::string>> keys = ReadKeys(arguments);
  if (!keys.ok()) return keys.status();
  request.grouped_by = *keys;
  const absl::StatusOr<ClashFiles> files = ReadClashFiles(arguments);
  if (!files.ok()) return files.status();
  request.files = *files;
  std::vector<std::string> inputs = {
      request.path, request.motion, request.compare, request.rules.accepted};
  inputs.insert(inputs.end(), request.files.reviews.begin(),
                request.files.reviews.end());
  const absl::Status input = CheckStandardInput(inputs);
  if (!input.ok()) return input;
  return request;
}

}  // namespace orbox::cli
