// --help, made of the same rows that the parser reads.

#include <algorithm>

#include "tools/orbox/command.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kTour =
    "orbox: exact proximity queries on triangle meshes\n"
    "\n"
    "usage: orbox COMMAND ... [OPTIONS]\n"
    "\n";

constexpr std::string_view kFormats =
    "Meshes are OBJ, PLY, STL or OFF files, or - for standard input. "
    "Triangles\n"
    "are numbered from 0 in file order; polygons are cut into triangles.\n";

constexpr std::string_view kExitCodes =
    "Exit codes: 0 done, 1 a negative answer where --exit-code asked for it,\n"
    "2 a wrong command line, 3 bad input, 4 a read or write that failed.\n";

// `text` in lines of at most 79 characters, each after `indent` spaces; the
// first line continues one that is `indent` long already.
std::string Wrapped(std::string_view text, size_t indent) {
  constexpr size_t kWidth = 79;
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string Spelling(const Option& option) {
  return option.value.empty() ? std::string(option.name)
                              : Cat(option.name, " ", option.value);
}

std::string OptionTable(std::span<const Option> options) {
  size_t widest = 0;
  for (const Option& option : options) {
    widest = std::max(widest, Spelling(option).size());
  }
  const size_t indent = 2 + widest + 2;
  std::string out;
  for (const Option& option : options) {
    if (option.help.empty()) continue;
    std::string line = "  " + Spelling(option);
    line.resize(indent, ' ');
    out += Cat(line, Wrapped(option.help, indent), "\n");
  }
  return out;
}

}  // namespace

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
  size_t widest = 0;
  for (const Command* command : Commands()) {
    widest = std::max(widest, command->name.size());
  }
  std::string out = Cat(kTour, "commands:\n");
  for (const Command* command : Commands()) {
    std::string line = Cat("  ", command->name);
    line.resize(2 + widest + 2, ' ');
    out += Cat(line, command->summary, "\n");
  }
  out += Cat("\noptions of all commands:\n", OptionTable(CommonOptions()),
             "  --version  show the version and exit\n\n",
             "'orbox COMMAND --help' tells more, with examples.\n\n", kFormats,
             "\n", kExitCodes);
  return out;
}

std::string HelpOf(const Command& command) {
  std::string out = Cat("orbox ", command.name, ": ", command.summary,
                        "\n\nusage: orbox ", command.name);
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
  out += Cat("\n", kExitCodes);
  return out;
}

}  // namespace orbox::cli
