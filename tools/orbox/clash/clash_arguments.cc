// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_arguments.h"

#include <optional>
#include <span>
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
  PairRules rules{.between = {},
                  .ignore = arguments.Values("--ignore"),
                  .accepted = "",
                  .file = ""};
  const std::vector<std::string> sets = arguments.Values("--between");
  for (size_t i = 0; i + 1 < sets.size(); i += 2) {
    rules.between.emplace_back(sets[i], sets[i + 1]);
  }
  absl::StatusOr<std::string> accepted = ReadInputName(arguments, "--accepted");
  if (!accepted.ok()) return accepted.status();
  rules.accepted = *std::move(accepted);
  const absl::StatusOr<std::string> file = ReadInputName(arguments, "--rules");
  if (!file.ok()) return file.status();
  rules.file = *file;
  if (!file->empty() && arguments.Has("--exact")) {
    return UsageError(
        "--exact is without a tolerance, and --rules have tolerances; leave "
        "out one of the two");
  }
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
absl::StatusOr<std::vector<std::string>> ReadKeys(const Arguments& arguments,
                                                  std::string_view option) {
  std::vector<std::string> keys;
  if (!arguments.Has(option)) return keys;
  const std::string list = arguments.Value(option);
  for (const std::string_view key : SplitAtCommas(list)) {
    keys.emplace_back(TrimSpaces(key));
    if (keys.back().empty()) {
      return UsageError(Cat(option, ": ", Quoted(list),
                            " has an empty part; give keys, as file,type"));
    }
  }
  return keys;
}

// Returns the columns of keys such as "a.type", or "type" for both bodies.
std::vector<BodyColumn> ColumnsOf(std::span<const std::string> keys) {
  std::vector<BodyColumn> columns;
  for (const std::string& key : keys) {
    const bool is_b = key.starts_with("b.");
    if (is_b || key.starts_with("a.")) {
      columns.push_back({is_b, key.substr(2)});
      continue;
    }
    columns.push_back({false, key});
    columns.push_back({true, key});
  }
  return columns;
}

absl::Status ReadThresholds(const Arguments& arguments,
                            ClashArguments& request) {
  const absl::StatusOr<std::optional<double>> thickness =
      arguments.Real("--min-thickness", 0);
  if (!thickness.ok()) return thickness.status();
  request.min_thickness = thickness->value_or(0);
  const absl::StatusOr<std::optional<double>> volume =
      arguments.Real("--min-volume", 0);
  if (!volume.ok()) return volume.status();
  request.min_volume = volume->value_or(0);
  if (request.min_volume > 0) request.parameters.volume = true;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ClashArguments> ReadClashArguments(const Arguments& arguments) {
  ClashArguments request;
  if (!arguments.operands().empty()) request.path = arguments.operands()[0];
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
  const absl::StatusOr<std::vector<std::string>> keys =
      ReadKeys(arguments, "--group");
  if (!keys.ok()) return keys.status();
  request.grouped_by = *keys;
  const absl::StatusOr<std::vector<std::string>> columns =
      ReadKeys(arguments, "--columns");
  if (!columns.ok()) return columns.status();
  request.columns = ColumnsOf(*columns);
  request.for_excel = arguments.Has("--excel");
  const absl::Status thresholds = ReadThresholds(arguments, request);
  if (!thresholds.ok()) return thresholds;
  const absl::StatusOr<ClashFiles> files = ReadClashFiles(arguments);
  if (!files.ok()) return files.status();
  request.files = *files;
  std::vector<std::string> inputs = {request.path, request.motion,
                                     request.compare, request.rules.accepted,
                                     request.rules.file};
  inputs.insert(inputs.end(), request.files.reviews.begin(),
                request.files.reviews.end());
  const absl::Status input = CheckStandardInput(inputs);
  if (!input.ok()) return input;
  return request;
}

}  // namespace orbox::cli
