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
    "Meshes are OBJ, PLY, STL or OFF files, tree files made by 'orbox build',\n"
    "or - for standard input. Triangles are numbered from 0 in file order;\n"
    "polygons are cut into triangles.\n";

constexpr std::string_view kExitCodes =
    "Exit codes: 0 done, 1 a negative answer where --exit-code asked for it,\n"
    "2 a wrong command line, 3 bad input, 4 a read or write that failed.\n";

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
  std::vector<TableEntry> commands;
  for (const Command* command : Commands()) {
    commands.push_back(
        {std::string(command->name), std::string(command->summary)});
  }
  std::vector<Option> options(CommonOptions().begin(), CommonOptions().end());
  options.push_back({"--version", "", "show the version and exit"});
  return Cat(kTour, "commands:\n", TableOf(commands),
             "\noptions of all commands:\n", OptionTable(options), "\n",
             "'orbox COMMAND --help' tells more, with examples.\n\n", kFormats,
             "\n", kExitCodes);
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
