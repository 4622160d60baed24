// SPDX-License-Identifier: Apache-2.0

// orbox explain: measures the cost of a query and recommends a faster tree.

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/named_files.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/explain/explain_writers.h"
#include "tools/orbox/explain/explanation.h"
#include "tools/orbox/output/result_writer.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kExplainOperands[] = {"QUERY", "..."};

constexpr Option kExplainOptions[] = {
    {"--seconds", "S", "measure for about S seconds (default: 10)"},
    {"--threads", "N",
     "build and query on N threads (default: 1, measured by its processor "
     "time, which other programs disturb less)"},
    {"--volumes", "V",
     "the volumes of the tree that the others are compared with", false,
     VolumesChoices},
    {"--quality", "Q",
     "the quality of the tree that the others are compared with", false,
     QualityChoices},
    {"--storage", "S",
     "the storage of the tree that the others are compared with", false,
     StorageChoices},
};

constexpr std::string_view kExplainExamples[] = {
    "orbox explain nearest part.stl --points scan.csv",
    "orbox explain clearance arm.stl wall.stl --within 0.5 --format json",
    "orbox explain intersect arm.stl wall.stl --volumes obb --seconds 30",
};

std::vector<std::string_view> QueryNames() {
  std::vector<std::string_view> names;
  for (const Command* command : Commands()) {
    if (command->read_query != nullptr) names.push_back(command->name);
  }
  return names;
}

absl::StatusOr<const Command*> QueryNamed(const std::string& name) {
  for (const Command* command : Commands()) {
    if (command->read_query != nullptr && command->name == name) return command;
  }
  return UsageError(Cat(Quoted(name), " is no query",
                        DidYouMean(name, QueryNames()),
                        "; give one of the queries that 'orbox explain --help' "
                        "lists, with its arguments"));
}

std::string Joined(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    line += Cat(line.empty() ? "" : " ", word);
  }
  return line;
}

absl::StatusOr<ExitCode> Explain(const Command& command,
                                 std::span<const std::string> words,
                                 const Arguments& arguments,
                                 ProgressDisplay& progress) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  if (!arguments.Has("--threads")) settings->threads = 1;
  settings->takes_clouds = command.takes_clouds;
  const absl::StatusOr<std::optional<double>> seconds =
      arguments.Real("--seconds", 0);
  if (!seconds.ok()) return seconds.status();
  const absl::StatusOr<std::unique_ptr<Query>> query =
      command.read_query(arguments, *settings);
  if (!query.ok()) return query.status();
  const absl::StatusOr<std::vector<Operand>> operands =
      LoadOperands(arguments.operands(), *settings, progress);
  if (!operands.ok()) return operands.status();
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();

  constexpr double kSeconds = 10;
  absl::StatusOr<Measurements> measured = Measure(
      **query, *operands, *settings, seconds->value_or(kSeconds), progress);
  progress.End();
  if (!measured.ok()) return measured.status();
  const Explanation explanation{
      .query = Joined(words),
      .operands = {arguments.operands().begin(), arguments.operands().end()},
      .threads = settings->threads,
      .measured = *std::move(measured)};
  switch (settings->format) {
    case Format::kText:
      WriteExplanationText(explanation, *output);
      break;
    case Format::kJson: {
      JsonWriter json(*output);
      json.BeginObject();
      WriteRequest(json, *settings);
      ExplanationSchema().WriteFields(json, explanation);
      json.EndObject();
      output->Write("\n");
      break;
    }
    case Format::kCsv:
      WriteExplanationCsv(explanation, *output);
      break;
  }
  const absl::Status status = output->Close();
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunExplain(std::span<const std::string> words,
                                    ProgressDisplay& progress) {
  if (words.empty()) {
    return UsageError("no query given; give one as it would be asked");
  }
  const absl::StatusOr<const Command*> command = QueryNamed(words.front());
  if (!command.ok()) return command.status();
  const std::vector<Option> options = OptionsToExplain(**command);
  absl::StatusOr<Arguments> arguments =
      ParseArguments(words.subspan(1), options);
  if (!arguments.ok()) return arguments.status();
  arguments->set_command(kExplainCommand.name);
  const absl::Status named = CheckNames(**command, options, *arguments);
  if (!named.ok()) return named;
  return Explain(**command, words, *arguments, progress);
}

std::vector<ResultType> ExplanationTypes() {
  return {{ExplanationSchema().Type(), std::string(kExplanationHeader)}};
}

std::string HelpOnQueries() {
  std::vector<TableEntry> queries;
  for (const Command* command : Commands()) {
    if (command->read_query == nullptr) continue;
    queries.push_back(
        {std::string(command->name), std::string(command->summary)});
  }
  return Cat("queries, which take their own options as well:\n",
             TableOf(queries));
}

}  // namespace

// Returns the options of the query, except those that explain defines itself.
std::vector<Option> OptionsToExplain(const Command& query) {
  std::vector<Option> options(std::begin(kExplainOptions),
                              std::end(kExplainOptions));
  for (const Option& option : AllOptions(query)) {
    const bool own = std::any_of(
        std::begin(kExplainOptions), std::end(kExplainOptions),
        [&option](const Option& o) { return o.name == option.name; });
    if (!own) options.push_back(option);
  }
  return options;
}

const Command kExplainCommand = {
    .name = "explain",
    .summary = "what a query costs, and which tree would make it faster",
    .operands = kExplainOperands,
    .options = kExplainOptions,
    .about =
        "Runs a query, and prints its costs instead of its results: the tests "
        "of\n"
        "volumes by depth and kind, and how many of them said yes in vain; of "
        "two\n"
        "meshes, by pairs of kinds; the arithmetic that decided about "
        "triangles;\n"
        "and the shape of the tree. Then explain runs the query on trees with\n"
        "other volumes, quality and storage, and recommends those that are\n"
        "clearly faster, for a single query with the build and for many "
        "queries.\n"
        "All these trees are in memory at one time, at about a kilobyte per\n"
        "triangle.\n",
    .examples = kExplainExamples,
    .operand_choices = QueryNames,
    .run_words = RunExplain,
    .result_types = ExplanationTypes,
    .more_help = HelpOnQueries,
};

}  // namespace orbox::cli
