// SPDX-License-Identifier: Apache-2.0

// The script for zsh, for a folder of $fpath or for `source`.

#include <string>
#include <string_view>

#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/completion.h"

namespace orbox::cli {
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
