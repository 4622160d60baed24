// SPDX-License-Identifier: Apache-2.0

// Options of all commands, and operands.

#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {
namespace {

constexpr Option kCommonOptions[] = {
    {"--format", "F", "text (the default), json or csv", false, FormatChoices},
    {"-o", "FILE",
     "write the results to FILE, whole or not at all (default: -)", false,
     nullptr, Contents::kResults},
    {"--volumes", "V",
     "bounding volumes: mixed (the default), sphere, aabb or obb; answers do "
     "not depend on it, and a tree file keeps its own",
     false, VolumesChoices},
    {"--storage", "S",
     "how trees are kept: wide (the default), or compact, in a quarter of the "
     "memory; answers do not depend on it, and a tree file keeps its own",
     false, StorageChoices},
    {"--quality", "Q",
     "effort of building trees: fast, balanced (the default) or best; answers "
     "do not depend on it, and a tree file keeps its own",
     false, QualityChoices},
    {"--skip-invalid", "",
     "skip points of clouds that are not finite, and such vertices if no face "
     "uses them, with a note; without it, they are errors"},
    {"--weld", "D",
     "join vertices at most D apart; a note says how many moved, and how far; "
     "'orbox info' suggests a D that closes narrow gaps"},
    {"--digits", "N",
     "significant digits of numbers in text, 1 to 17 (default: 9); json and "
     "csv always have the 17 that give back the same number"},
    {"--unit", "U",
     "the unit of lengths, such as mm: a label in text, json and reports; "
     "nothing is converted"},
    {"--memory", "SIZE",
     "limit of the memory for building chunked trees (.orboxd), for the part "
     "of them that is mapped, and for each list of pairs: 800M, 2G (the "
     "default)"},
    {"--stats", "", "add what the queries cost"},
    {"--threads", "N", "use at most N threads (default: all cores)"},
    {"--help", "", "show this and exit"},
    {"-h", "", ""},
};

}  // namespace

std::span<const Option> CommonOptions() { return kCommonOptions; }

std::string InvocationOf(const Command& command) {
  return command.invocation.empty() ? Cat("orbox ", command.name)
                                    : std::string(command.invocation);
}

bool TakesMore(const Command& command) {
  return !command.operands.empty() && command.operands.back().ends_with("...");
}

absl::Status CheckOperands(const Command& command, const Arguments& arguments) {
  const size_t wanted = command.operands.size();
  const size_t given = arguments.operands().size();
  if (given > wanted && !TakesMore(command)) {
    return UsageError(
        Cat("too many arguments: ", Quoted(arguments.operands()[wanted])));
  }
  // Operands in brackets are optional.
  if (given < wanted && !command.operands[given].starts_with('[')) {
    return UsageError(
        Cat("the argument ", command.operands[given], " is missing"));
  }
  return absl::OkStatus();
}

}  // namespace orbox::cli
