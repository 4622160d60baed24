// orbox self-intersect: does a mesh meet itself, other than where neighbouring
// triangles share corners?

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "orbox/bvh/query/parallel_pairs.h"
#include "orbox/bvh/query/self_intersection.h"
#include "tools/orbox/command.h"
#include "tools/orbox/cores.h"
#include "tools/orbox/query.h"
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

void Write(Format format, const Pairs& pairs, ResultWriter& results) {
  switch (format) {
    case Format::kJson:
      WriteJson(results.json(), pairs);
      break;
    case Format::kCsv:
      WriteCsv(results.output(), pairs);
      break;
    case Format::kText:
      WriteText(results.output(), pairs);
      break;
  }
}

class SelfIntersectQuery : public Query {
 public:
  SelfIntersectQuery(SharedCorners shared, bool wants_exit_code)
      : shared_(shared), wants_exit_code_(wants_exit_code) {}

  absl::StatusOr<Answered> Ask(std::span<const Tree> trees,
                               const Settings& settings, Progress& progress,
                               Output& output) override;

 private:
  const SharedCorners shared_;
  const bool wants_exit_code_;
};

absl::StatusOr<Answered> SelfIntersectQuery::Ask(std::span<const Tree> trees,
                                                 const Settings& settings,
                                                 Progress& progress,
                                                 Output& output) {
  progress.Begin("pairs");
  if (output.is_terminal()) progress.End();
  TraversalStatistics statistics;
  const absl::StatusOr<Pairs> pairs = ParallelSelfIntersections(
      trees[0], shared_, CoresOfEach(1, settings, progress),
      settings.statistics ? &statistics : nullptr);
  progress.End();
  if (!pairs.ok()) return pairs.status();
  ResultWriter results(settings, ResultWriter::Shape::kOne, "a,b\n", output);
  if (settings.told) Write(settings.format, *pairs, results);
  const absl::Status status = results.Finish(statistics);
  if (!status.ok()) return status;
  const bool negative = wants_exit_code_ && !pairs->empty();
  return Answered{negative ? ExitCode::kNegative : ExitCode::kOk, statistics};
}

absl::StatusOr<std::unique_ptr<Query>> ReadSelfIntersect(
    const Arguments& arguments, const Settings&) {
  return std::make_unique<SelfIntersectQuery>(arguments.Has("--by-index")
                                                  ? SharedCorners::kByIndex
                                                  : SharedCorners::kByPosition,
                                              arguments.Has("--exit-code"));
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
    .read_query = ReadSelfIntersect,
};

}  // namespace orbox::cli
