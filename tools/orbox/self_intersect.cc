// orbox self-intersect: does a mesh meet itself, other than where neighbouring
// triangles share corners?

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/query/parallel_pairs.h"
#include "orbox/bvh/query/self_intersection.h"
#include "tools/orbox/command.h"
#include "tools/orbox/cores.h"
#include "tools/orbox/load.h"
#include "tools/orbox/result_writer.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kOperands[] = {"MESH"};

constexpr Option kOptions[] = {
    {"--by-index", "",
     "corners are shared where the file gives them one index, not where their "
     "coordinates are equal"},
    {"--exit-code", "", "exit 1 where the mesh meets itself"},
};

constexpr std::string_view kExamples[] = {
    "orbox self-intersect part.stl",
    "orbox self-intersect scan.ply --exit-code --format json",
};

using Pairs = std::vector<TrianglePair>;

void WriteJson(JsonWriter& json, const Pairs& pairs) {
  json.Field("self_intersects", !pairs.empty());
  json.Key("pairs");
  json.BeginArray();
  for (const TrianglePair& pair : pairs) {
    json.BeginArray();
    json.Value(pair.a);
    json.Value(pair.b);
    json.EndArray();
  }
  json.EndArray();
}

void WriteCsv(Output& output, const Pairs& pairs) {
  for (const TrianglePair& pair : pairs) {
    output.Write(Cat(pair.a, ",", pair.b, "\n"));
  }
}

void WriteText(Output& output, const Pairs& pairs) {
  if (pairs.empty()) {
    output.Write("does not meet itself\n");
    return;
  }
  // Enough to start looking; the other formats list all.
  constexpr size_t kShown = 5;
  const size_t shown = std::min(pairs.size(), kShown);
  output.Write(
      Cat("meets itself: ", Counted(pairs.size(), "pair"), " of triangles"));
  for (size_t i = 0; i < shown; ++i) {
    output.Write(Cat(i == 0 ? ": " : ", ", pairs[i].a, "-", pairs[i].b));
  }
  output.Write(shown < pairs.size() ? ", ...\n" : "\n");
}

absl::StatusOr<ExitCode> RunSelfIntersect(const Arguments& arguments,
                                          Progress& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const absl::StatusOr<Tree> tree =
      LoadTree(arguments.operands()[0], *settings, progress);
  if (!tree.ok()) return tree.status();
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const SharedCorners shared = arguments.Has("--by-index")
                                   ? SharedCorners::kByIndex
                                   : SharedCorners::kByPosition;
  progress.Begin("pairs");
  if (output->is_terminal()) progress.End();
  TraversalStatistics statistics;
  const absl::StatusOr<Pairs> pairs = ParallelSelfIntersections(
      *tree, shared, CoresOfEach(1, *settings, progress),
      settings->statistics ? &statistics : nullptr);
  progress.End();
  if (!pairs.ok()) return pairs.status();
  ResultWriter results(*settings, ResultWriter::Shape::kOne, "a,b\n", *output);
  switch (settings->format) {
    case Format::kJson:
      WriteJson(results.json(), *pairs);
      break;
    case Format::kCsv:
      WriteCsv(results.output(), *pairs);
      break;
    case Format::kText:
      WriteText(results.output(), *pairs);
      break;
  }
  const absl::Status status = results.Finish(statistics);
  if (!status.ok()) return status;
  const bool negative = arguments.Has("--exit-code") && !pairs->empty();
  return negative ? ExitCode::kNegative : ExitCode::kOk;
}

}  // namespace

const Command kSelfIntersectCommand = {
    .name = "self-intersect",
    .summary = "does a mesh meet itself; all pairs of triangles that do",
    .operands = kOperands,
    .options = kOptions,
    .about =
        "Prints the pairs of triangles that meet other than where they share\n"
        "corners: that cross or touch, are folded over a common edge, or are\n"
        "the same. Corners are shared where their coordinates are equal. The\n"
        "text shows the first pairs, json and csv all.\n",
    .examples = kExamples,
    .run = RunSelfIntersect,
};

}  // namespace orbox::cli
