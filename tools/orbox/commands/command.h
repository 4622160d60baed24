// SPDX-License-Identifier: Apache-2.0

// A command is a row of the table for the parser, --help and suggestions. To
// add a command, add one file that defines its row, and one line in
// command_table.cc. A query of one mesh is a row of one_mesh_query.h.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_COMMAND_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_COMMAND_H_

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/output/json_type.h"

namespace orbox::cli {

class Query;  // query.h

struct Command {
  std::string_view name;
  std::string_view summary;  // one line for `orbox --help`
  // Names such as "A", "B" or "[B]". The last one may be "A...", which is
  // repeatable.
  std::span<const std::string_view> operands;
  std::span<const Option> options;  // in addition to CommonOptions()
  std::string_view about;           // paragraphs for --help
  std::span<const std::string_view> examples;

  // Possible values of the first operand; null if operands are files.
  std::vector<std::string_view> (*operand_choices)() = nullptr;

  // Exactly one of these is set: read_query for a query of trees, run_words for
  // a command that receives the words after its name unparsed, and run for any
  // other command.
  absl::StatusOr<std::unique_ptr<Query>> (*read_query)(
      const Arguments& arguments, const Settings& settings) = nullptr;
  std::function<absl::StatusOr<ExitCode>(const Arguments& arguments,
                                         ProgressDisplay& progress)>
      run = nullptr;
  absl::StatusOr<ExitCode> (*run_words)(std::span<const std::string> words,
                                        ProgressDisplay& progress) = nullptr;

  // Arguments of queries whose results differ in type, from which JsonSchemaOf
  // makes the JSON Schema: one alternative of each group, which are separated
  // by bars: {"--point 0,0,0", "| --signed | --winding"} are three.
  std::span<const std::string_view> variants;
  // The types of the results of a command that is no query. May be null.
  std::vector<ResultType> (*result_types)() = nullptr;

  // Options that do not support chunked trees as operands.
  std::span<const std::string_view> in_memory;

  // If true, the operands of a query may be point clouds (cloud.h).
  bool takes_clouds = false;

  // Returns additional text for --help that is known only at run time. May be
  // null.
  std::string (*more_help)() = nullptr;

  // The words that run the command, for messages, if they are not "orbox" and
  // its name.
  std::string_view invocation = {};
};

// Returns the words that run the command, such as "orbox info".
std::string InvocationOf(const Command& command);

// Returns the commands in the order of --help.
std::span<const Command* const> Commands();

// Returns the options of all commands. If a command has an option with the name
// of a common one, it replaces the common one.
std::span<const Option> CommonOptions();

// Returns the options of the command, then the common ones.
std::vector<Option> AllOptions(const Command& command);

// Returns true if the last operand may be repeated.
bool TakesMore(const Command& command);

// Returns a usage error for too many or too few operands.
absl::Status CheckOperands(const Command& command, const Arguments& arguments);

// Returns the options of `orbox explain QUERY`.
std::vector<Option> OptionsToExplain(const Command& query);

std::string GeneralHelp();
std::string HelpOf(const Command& command);
std::string ManPage();

// Returns the JSON Schema of the output. Requires variants or result_types.
absl::StatusOr<std::string> JsonSchemaOf(const Command& command);

// Returns a paragraph about mesh files.
std::string_view FormatsHelp();

extern const Command kBuildCommand;
extern const Command kClearanceCommand;
extern const Command kCompletionCommand;
extern const Command kExplainCommand;
extern const Command kGenCommand;
extern const Command kHausdorffCommand;
extern const Command kHelpCommand;
extern const Command kInfoCommand;
extern const Command kIntersectCommand;
extern const Command kNearestCommand;
extern const Command kPictureCommand;
extern const Command kRangeCommand;
extern const Command kRayCommand;
extern const Command kClashCommand;
extern const Command kSelfIntersectCommand;
extern const Command kSplitCommand;

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_COMMAND_H_
