// SPDX-License-Identifier: Apache-2.0

// The script for bash, which needs no completion package.

#include <map>
#include <string>
#include <string_view>

#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/completion.h"

namespace orbox::cli {
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

// Returns the completion of an option's value, for all commands. Options of
// equal name have values of equal kind.
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

}  // namespace orbox::cli
