// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/run.h"

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/os.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/named_files.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/unfinished_file.h"

namespace orbox::cli {
namespace {

absl::Status Print(std::string_view text) {
  Output output = Output::ToDescriptor(os::kStandardOutput, "standard output");
  output.Write(text);
  return output.Close();
}

// Returns "orbox 0.1.0 (1be2dc27a)", or without the commit if it is unknown.
std::string VersionLine() {
  constexpr std::string_view kCommit = ORBOX_COMMIT;
  return kCommit.empty() ? "orbox " ORBOX_VERSION "\n"
                         : Cat("orbox " ORBOX_VERSION " (", kCommit, ")\n");
}

absl::StatusOr<ExitCode> PrintAndExit(std::string_view text) {
  const absl::Status status = Print(text);
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

absl::Status UnknownCommand(const std::string& name) {
  if (name.starts_with("-")) {
    return UsageError(Cat("unknown option ", Quoted(name),
                          " before the command; options follow it, see 'orbox "
                          "--help'"));
  }
  std::vector<std::string_view> names;
  for (const Command* command : Commands()) names.push_back(command->name);
  return UsageError(Cat("unknown command ", Quoted(name),
                        DidYouMean(name, names),
                        " ('orbox --help' lists the commands)"));
}

absl::StatusOr<ExitCode> RunCommand(const Command& command,
                                    std::span<const std::string> tokens,
                                    ChunkExecutor& executor) {
  ProgressDisplay progress;
  if (command.run_words != nullptr) {
    const bool help = std::any_of(
        tokens.begin(), tokens.end(),
        [](const std::string& t) { return t == "--help" || t == "-h"; });
    if (help) return PrintAndExit(HelpOf(command));
    return command.run_words(tokens, progress);
  }
  const std::vector<Option> options = AllOptions(command);
  absl::StatusOr<Arguments> arguments = ParseArguments(tokens, options);
  if (!arguments.ok()) return arguments.status();
  arguments->set_command(command.name);
  if (arguments->Has("--help") || arguments->Has("-h")) {
    return PrintAndExit(HelpOf(command));
  }
  const absl::Status named = CheckNames(command, options, *arguments);
  if (!named.ok()) return named;
  if (command.read_query != nullptr) {
    return RunQuery(command, *arguments, progress, executor);
  }
  if (!executor.is_alone()) {
    return UsageError("does not run on several ranks; use 'orbox'");
  }
  return command.run(*arguments, progress);
}

// Appends the name of the command to a usage error, as a hint.
absl::StatusOr<ExitCode> WithHint(const Command& command,
                                  absl::StatusOr<ExitCode> result) {
  if (result.ok() || !IsUsageError(result.status())) return result;
  return UsageError(Cat(command.name, ": ",
                        std::string(result.status().message()), " (see '",
                        InvocationOf(command), " --help')"));
}

absl::StatusOr<ExitCode> Dispatch(std::span<const std::string> arguments,
                                  ChunkExecutor& executor) {
  if (arguments.empty()) {
    return UsageError("no command given; 'orbox --help' lists the commands");
  }
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h") return PrintAndExit(GeneralHelp());
  if (first == "--version") return PrintAndExit(VersionLine());
  const auto commands = Commands();
  const auto command =
      std::find_if(commands.begin(), commands.end(),
                   [&first](const Command* c) { return c->name == first; });
  if (command == commands.end()) return UnknownCommand(first);
  return WithHint(**command,
                  RunCommand(**command, arguments.subspan(1), executor));
}

int Fail(ExitCode code, std::string_view message) {
  if (code == ExitCode::kReaderGone) return static_cast<int>(code);
  WriteToStandardError(Cat("orbox: ", OnOneLine(message), "\n"));
  return static_cast<int>(code);
}

// Returns the exit code of `work`, or that of its error.
template <typename Work>
int Guarded(Work work) {
  constexpr std::string_view kOutOfMemory =
      "out of memory; close other programs, or cut the job into smaller ones";
  try {
    const absl::StatusOr<ExitCode> result = work();
    if (result.ok()) return static_cast<int>(*result);
    return Fail(ExitCodeOf(result.status()),
                std::string(result.status().message()));
  } catch (const std::bad_alloc&) {
    return Fail(ExitCode::kIo, kOutOfMemory);
  } catch (const std::length_error&) {
    // A container exceeded its maximum size.
    return Fail(ExitCode::kIo, kOutOfMemory);
  } catch (const std::exception& failure) {
    return Fail(ExitCode::kIo, Cat("failed: ", failure.what()));
  }
}

}  // namespace

void PrepareToRun() {
  os::PrepareProcess();
  RemoveUnfinishedFilesAtEnd();
}

int Run(std::span<const std::string> arguments, ChunkExecutor* executor) {
  ChunkExecutor alone;
  return Guarded([&] {
    return Dispatch(arguments, executor != nullptr ? *executor : alone);
  });
}

int Run(const Command& command, std::span<const std::string> words) {
  ChunkExecutor alone;
  return Guarded(
      [&] { return WithHint(command, RunCommand(command, words, alone)); });
}

}  // namespace orbox::cli
