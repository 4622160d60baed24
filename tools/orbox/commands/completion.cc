// SPDX-License-Identifier: Apache-2.0

// orbox completion: lets a shell complete command lines.

#include "tools/orbox/commands/completion.h"

#include <array>
#include <string_view>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kCompletionOperands[] = {"SHELL"};

constexpr std::string_view kShells[] = {"bash", "zsh"};

std::vector<std::string_view> ShellChoices() {
  return {std::begin(kShells), std::end(kShells)};
}

constexpr std::string_view kCompletionExamples[] = {
    "eval \"$(orbox completion bash)\"      # in ~/.bashrc",
    "orbox completion zsh -o _orbox        # in a folder of $fpath",
};

absl::StatusOr<ExitCode> RunCompletion(const Arguments& arguments,
                                       ProgressDisplay&) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const std::string& shell = arguments.operands()[0];
  if (shell != kShells[0] && shell != kShells[1]) {
    return UsageError(Cat(Quoted(shell), " is none of bash, zsh",
                          DidYouMean(shell, kShells)));
  }
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  output->Write(shell == "bash" ? BashCompletion() : ZshCompletion());
  const absl::Status status = output->Close();
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

std::vector<CommandLine> CommandLines() {
  std::vector<CommandLine> lines;
  for (const Command* command : Commands()) {
    lines.push_back(
        {std::string(command->name), AllOptions(*command), command});
  }
  for (const Command* command : Commands()) {
    if (command->read_query == nullptr) continue;
    lines.push_back({Cat(kExplainCommand.name, " ", command->name),
                     OptionsToExplain(*command), command});
  }
  return lines;
}

const Command kCompletionCommand = {
    .name = "completion",
    .summary = "lets a shell complete command lines",
    .operands = kCompletionOperands,
    .options = {},
    .about =
        "Prints a script for the SHELL, bash or zsh, that completes the\n"
        "names of commands, options, their values and files. An\n"
        "installation has both where the shells look for them.\n",
    .examples = kCompletionExamples,
    .operand_choices = ShellChoices,
    .run = RunCompletion,
};

}  // namespace orbox::cli
