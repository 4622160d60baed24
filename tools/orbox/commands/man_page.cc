// SPDX-License-Identifier: Apache-2.0

// Generates the manual page in man(7), for groff and mandoc, from the table for
// --help.

#include <algorithm>
#include <string>
#include <string_view>

#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {
namespace {

// Date of the last change of the page's text.
constexpr std::string_view kDate = "2026-11-21";

// Returns text that roff prints unchanged.
std::string EscapedRoff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_begins = c == '\n';
  }
  return out;
}

// Formats paragraphs, which empty lines separate.
std::string Paragraphs(std::string_view text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("\n\n", begin), text.size());
    out += Cat(".PP\n", EscapedRoff(text.substr(begin, end - begin)));
    if (!out.ends_with("\n")) out += "\n";
    begin = end + 2;
  }
  return out;
}

std::string Entry(std::string_view name, std::string_view value,
                  std::string_view text) {
  std::string out = Cat(".TP\n.B ", EscapedRoff(name));
  if (!value.empty()) {
    out = Cat(".TP\n.BI ", EscapedRoff(name), " \" ", EscapedRoff(value), "\"");
  }
  return Cat(out, "\n", EscapedRoff(Wrapped(text, 0)), "\n");
}

std::string OptionEntries(std::span<const Option> options) {
  std::string out;
  for (const Option& option : options) {
    if (option.help.empty()) continue;
    out += Entry(option.name, option.value, option.help);
  }
  return out;
}

// Formats lines unchanged and indented.
std::string Lines(std::string_view text) {
  return Cat(".RS\n.nf\n", EscapedRoff(text), text.ends_with("\n") ? "" : "\n",
             ".fi\n.RE\n");
}

std::string ExitCodeEntries() {
  std::string out;
  for (const ExitCodeMeaning& code : ExitCodeMeanings()) {
    out += Entry(Cat(static_cast<int>(code.code)), "", code.meaning);
  }
  return out;
}

std::string CommandSection(const Command& command) {
  std::string out = Cat(".SS ", EscapedRoff(command.name), "\n.B orbox ",
                        EscapedRoff(command.name), "\n");
  for (const std::string_view operand : command.operands) {
    out += Cat(".I ", EscapedRoff(operand), "\n");
  }
  out += Cat("[OPTIONS]\n", Paragraphs(command.about),
             OptionEntries(command.options));
  if (command.more_help != nullptr) {
    out += Cat(".PP\n", Lines(command.more_help()));
  }
  std::string examples;
  for (const std::string_view example : command.examples) {
    examples += Cat(example, "\n");
  }
  return Cat(out, ".PP\nExamples:\n", Lines(examples));
}

}  // namespace

std::string ManPage() {
  std::string commands;
  for (const Command* command : Commands()) {
    commands += CommandSection(*command);
  }
  return Cat(
      ".\\\" Made by 'orbox help --man'.\n"
      ".TH ORBOX 1 ",
      kDate, " \"orbox " ORBOX_VERSION "\" \"User Commands\"\n",
      ".SH NAME\norbox \\- exact proximity queries on triangle meshes\n"
      ".SH SYNOPSIS\n.B orbox\n.I COMMAND\n[ARGUMENTS] [OPTIONS]\n.br\n"
      ".B orbox\n.B \\-\\-help\n|\n.B \\-\\-version\n"
      ".SH DESCRIPTION\n",
      EscapedRoff(FormatsHelp()), ".SH COMMANDS\n", commands,
      ".SH OPTIONS\nOf all commands:\n", OptionEntries(CommonOptions()),
      ".SH EXIT STATUS\n", ExitCodeEntries(),
      ".SH SEE ALSO\nThe headers of the library, which are its reference, and\n"
      "its README.\n");
}

}  // namespace orbox::cli
