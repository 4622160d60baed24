// SPDX-License-Identifier: Apache-2.0

// orbox completion: writes scripts that let a shell complete command lines.

#include "tools/orbox/commands/completion.h"

#include <array>
#include <map>
#include <string>
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

// Script for bash. It does not need the bash-completion package.
namespace {

constexpr std::string_view kBegin =
    R"(# bash completion for orbox, made by 'orbox completion bash'.

_orbox_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f "${@:2}" -- "$1"))
}

_orbox() {
  local current="${COMP_WORDS[COMP_CWORD]}"
  local previous="${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  # Of --option=value and of @file, bash makes several words, the last of which
  # is to be replaced together with the @.
  if [[ $current == ?(=)@ ]]; then
    _orbox_files "" -P @
    return
  elif [[ $previous == ?(=)@ ]]; then
    _orbox_files "$current" -P @
    return
  elif [[ $current == = ]]; then
    current=""
  elif [[ $previous == = ]]; then
    previous="${COMP_WORDS[COMP_CWORD - 2]}"
  fi
)";

constexpr std::string_view kEnd =
    R"(  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ $operands == files ]]; then
    _orbox_files "$current"
  else
    COMPREPLY=($(compgen -W "$operands" -- "$current"))
  fi
}

complete -F _orbox orbox
)";

std::string Joined(const std::vector<std::string_view>& words) {
  std::string line;
  for (const std::string_view word : words) {
    line += Cat(line.empty() ? "" : " ", word);
  }
  return line;
}

// Returns the completions of option values, for all commands. Options with
// equal names have the same kind of value.
std::string ValueCases() {
  std::map<std::string, std::string> cases;
  for (const CommandLine& line : CommandLines()) {
    for (const Option& option : line.options) {
      if (option.value.empty()) continue;
      std::string action = "return";
      if (TakesFile(option)) {
        action = "_orbox_files \"$current\"; return";
      } else if (option.choices != nullptr) {
        action = Cat("COMPREPLY=($(compgen -W \"", Joined(option.choices()),
                     "\" -- \"$current\")); return");
      }
      cases[std::string(option.name)] = action;
    }
  }
  std::string out = "  case $previous in\n";
  for (const auto& [name, action] : cases) {
    out += Cat("    ", name, ") ", action, " ;;\n");
  }
  return out + "  esac\n";
}

std::string OptionCases() {
  std::string out = "  local options=\"\" operands=\"\"\n  case $line in\n";
  for (const CommandLine& line : CommandLines()) {
    std::vector<std::string_view> names;
    for (const Option& option : line.options) {
      if (!option.help.empty()) names.push_back(option.name);
    }
    std::string operands;
    if (line.command->operand_choices != nullptr) {
      operands = Joined(line.command->operand_choices());
    } else if (!line.command->operands.empty()) {
      operands = "files";
    }
    out += Cat("    '", line.words, "')\n      options=\"", Joined(names),
               "\"\n      operands=\"", operands, "\" ;;\n");
  }
  return out + "  esac\n";
}

}  // namespace

std::string BashCompletion() {
  std::vector<std::string_view> names;
  for (const Command* command : Commands()) names.push_back(command->name);
  names.insert(names.end(), {"--help", "--version"});
  return Cat(kBegin, "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(",
             "compgen -W \"", Joined(names), "\" -- \"$current\"))\n",
             "    return\n  fi\n", ValueCases(),
             "  local line=\"${COMP_WORDS[1]}\"\n"
             "  if [[ $line == ",
             kExplainCommand.name,
             " ]] && ((COMP_CWORD > 2)); then\n"
             "    line+=\" ${COMP_WORDS[2]}\"\n  fi\n",
             OptionCases(), kEnd);
}

// Script for zsh, for a folder of $fpath or for `source`.
namespace {

// Returns the text in single quotes, with a backslash before each of `special`.
std::string Escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '\\' || special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string ValueOf(const Option& option) {
  const std::string name = Escaped(option.value, ":");
  if (TakesFile(option)) return Cat(":", name, ":_files");
  if (option.choices == nullptr) return Cat(":", name, ": ");
  std::string words;
  for (const std::string_view word : option.choices()) {
    words += Cat(words.empty() ? "" : " ", word);
  }
  return Cat(":", name, ":(", words, ")");
}

// Returns a specification in the form of _arguments.
std::string SpecOf(const Option& option) {
  const bool is_long = option.name.starts_with("--");
  return Cat("'", option.repeatable ? "*" : "", option.name,
             option.value.empty() || !is_long ? "" : "=", "[",
             Escaped(option.help, "[]"), "]",
             option.value.empty() ? "" : ValueOf(option), "'");
}

std::string DescribedCommands(bool queries_alone) {
  std::string out;
  for (const Command* command : Commands()) {
    if (queries_alone && command->read_query == nullptr) continue;
    out +=
        Cat("    '", command->name, ":", Escaped(command->summary, ":"), "'\n");
  }
  return out;
}

std::string OperandSpecs(const Command& command) {
  std::string out;
  if (command.operand_choices != nullptr) {
    std::string words;
    for (const std::string_view word : command.operand_choices()) {
      words += Cat(words.empty() ? "" : " ", word);
    }
    return Cat(" \\\n        '1:", command.operands[0], ":(", words, ")'");
  }
  for (size_t i = 0; i < command.operands.size(); ++i) {
    const bool repeats = i + 1 == command.operands.size() && TakesMore(command);
    out += Cat(" \\\n        '", repeats ? "*" : Cat(i + 1), ":",
               command.operands[i], ":_files'");
  }
  return out;
}

std::string Cases() {
  std::string out = "  case $line in\n";
  for (const CommandLine& line : CommandLines()) {
    out += Cat("    ('", line.words, "')\n      _arguments");
    for (const Option& option : line.options) {
      if (!option.help.empty()) {
        out += Cat(" \\\n        ", SpecOf(option));
      }
    }
    out += Cat(OperandSpecs(*line.command), "\n      ;;\n");
  }
  return out + "  esac\n";
}

}  // namespace

std::string ZshCompletion() {
  return Cat(
      "#compdef orbox\n"
      "# zsh completion for orbox, made by 'orbox completion zsh'.\n\n"
      "_orbox() {\n"
      "  local -a commands queries\n"
      "  commands=(\n",
      DescribedCommands(/*queries_alone=*/false),
      "  )\n"
      "  queries=(\n",
      DescribedCommands(/*queries_alone=*/true),
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    if [[ $PREFIX == -* ]]; then\n"
      "      compadd -- --help --version\n"
      "    else\n"
      "      _describe -t commands command commands\n"
      "    fi\n"
      "    return\n"
      "  fi\n"
      "  local line=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  if [[ $line == ",
      kExplainCommand.name,
      " ]]; then\n"
      "    if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
      "      _describe -t queries query queries\n"
      "      return\n"
      "    fi\n"
      "    if (( CURRENT > 2 )); then\n"
      "      line+=\" $words[2]\"\n"
      "      shift words\n"
      "      (( CURRENT-- ))\n"
      "    fi\n"
      "  fi\n",
      Cases(),
      "}\n\n"
      "if [[ $funcstack[1] == _orbox ]]; then\n"
      "  _orbox \"$@\"\n"
      "else\n"
      "  compdef _orbox orbox\n"
      "fi\n");
}

}  // namespace orbox::cli
