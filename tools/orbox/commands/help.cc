// SPDX-License-Identifier: Apache-2.0

// Prints --help from the table of the parser.

#include <algorithm>

#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/named_files.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kTour =
    "orbox: exact proximity queries on triangle meshes\n"
    "\n"
    "usage: orbox COMMAND ... [OPTIONS]\n"
    "\n";

constexpr std::string_view kFormatsText =
    "Meshes are OBJ, PLY, STL, OFF, glTF, GLB or 3MF files, tree files made\n"
    "by 'orbox build', or - for standard input. Point clouds are PLY or PCD\n"
    "files, or rows of x,y,z (CSV, XYZ, PTS). Triangles are numbered from 0\n"
    "in file order; polygons are cut into triangles. The end of a name\n"
    "decides the format, unless the contents are clearly of another one. For\n"
    "other formats (STEP, COLLADA, VTK, LAS, ...), the error names a program\n"
    "that converts them. No output may be an input or another output.\n";

std::string ExitCodesHelp() {
  std::vector<TableEntry> entries;
  for (const ExitCodeMeaning& code : ExitCodeMeanings()) {
    entries.push_back(
        {Cat(static_cast<int>(code.code)), std::string(code.meaning)});
  }
  return Cat("exit codes:\n", TableOf(entries));
}

std::string Spelling(const Option& option) {
  return option.value.empty() ? std::string(option.name)
                              : Cat(option.name, " ", option.value);
}

std::string OptionTable(std::span<const Option> options) {
  std::vector<TableEntry> entries;
  for (const Option& option : options) {
    if (option.help.empty()) continue;
    entries.push_back({Spelling(option), std::string(option.help)});
  }
  return TableOf(entries);
}

constexpr std::string_view kHelpOperands[] = {"[COMMAND]"};

constexpr Option kHelpOptions[] = {
    {"--man", "", "print the manual page, for 'man -l -'"},
};

constexpr std::string_view kHelpExamples[] = {
    "orbox help clearance",
    "orbox help --man -o orbox.1",
};

std::vector<std::string_view> CommandNames() {
  std::vector<std::string_view> names;
  for (const Command* command : Commands()) names.push_back(command->name);
  return names;
}

absl::StatusOr<std::string> HelpOn(const std::string& name) {
  for (const Command* command : Commands()) {
    if (command->name == name) return HelpOf(*command);
  }
  return UsageError(
      Cat("unknown command ", Quoted(name), DidYouMean(name, CommandNames())));
}

absl::StatusOr<std::string> HelpFor(const Arguments& arguments) {
  if (arguments.Has("--man")) return ManPage();
  if (arguments.operands().empty()) return GeneralHelp();
  return HelpOn(arguments.operands()[0]);
}

absl::StatusOr<ExitCode> RunHelp(std::span<const std::string> words,
                                 ProgressDisplay&) {
  const std::vector<Option> options = AllOptions(kHelpCommand);
  const absl::StatusOr<Arguments> arguments = ParseArguments(words, options);
  if (!arguments.ok()) return arguments.status();
  const size_t most = arguments->Has("--man") ? 0 : 1;
  if (arguments->operands().size() > most) {
    return UsageError(
        Cat("too many arguments: ", Quoted(arguments->operands()[most])));
  }
  const absl::Status names = CheckExtensions(options, *arguments);
  if (!names.ok()) return names;
  const absl::StatusOr<Settings> settings = ReadSettings(*arguments);
  if (!settings.ok()) return settings.status();
  const absl::StatusOr<std::string> help = HelpFor(*arguments);
  if (!help.ok()) return help.status();
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  output->Write(*help);
  const absl::Status status = output->Close();
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

std::string_view FormatsHelp() { return kFormatsText; }

std::vector<Option> AllOptions(const Command& command) {
  std::vector<Option> all(command.options.begin(), command.options.end());
  for (const Option& common : CommonOptions()) {
    const bool own = std::any_of(
        command.options.begin(), command.options.end(),
        [&common](const Option& o) { return o.name == common.name; });
    if (!own) all.push_back(common);
  }
  return all;
}

std::string GeneralHelp() {
  std::vector<TableEntry> commands;
  for (const Command* command : Commands()) {
    commands.push_back(
        {std::string(command->name), std::string(command->summary)});
  }
  std::vector<Option> options(CommonOptions().begin(), CommonOptions().end());
  options.push_back({"--version", "", "show the version and exit"});
  return Cat(kTour, "commands:\n", TableOf(commands),
             "\noptions of all commands:\n", OptionTable(options), "\n",
             "'orbox COMMAND --help' explains a command, with examples.\n\n",
             kFormatsText, "\n", ExitCodesHelp());
}

std::string HelpOf(const Command& command) {
  const std::string invocation = InvocationOf(command);
  std::string out =
      Cat(invocation, ": ", command.summary, "\n\nusage: ", invocation);
  for (const std::string_view operand : command.operands) {
    out += Cat(" ", operand);
  }
  out += Cat(" [OPTIONS]\n\n", command.about, "\noptions:\n",
             OptionTable(AllOptions(command)));
  if (command.more_help != nullptr) out += Cat("\n", command.more_help());
  out += "\nexamples:\n";
  for (const std::string_view example : command.examples) {
    out += Cat("  ", example, "\n");
  }
  out += Cat("\n", ExitCodesHelp());
  return out;
}

const Command kHelpCommand = {
    .name = "help",
    .summary = "what the commands do; the manual page",
    .operands = kHelpOperands,
    .options = kHelpOptions,
    .about =
        "Prints the help of orbox or of COMMAND. --man prints all of it as a\n"
        "manual page.\n",
    .examples = kHelpExamples,
    .operand_choices = CommandNames,
    .run_words = RunHelp,
};

}  // namespace orbox::cli
