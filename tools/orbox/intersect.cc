// orbox intersect: do two meshes meet, and where?

#include <algorithm>
#include <string>
#include <vector>

#include "orbox/bvh/query/mesh_overlap.h"
#include "tools/orbox/command.h"
#include "tools/orbox/mesh_pair.h"
#include "tools/orbox/pose_loop.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr Option kOptions[] = {
    kPoseOption,
    {"--exit-code", "",
     "exit 1 where they do not meet; with a file of poses, where they meet at "
     "none of them"},
};

constexpr std::string_view kExamples[] = {
    "orbox intersect arm.stl wall.stl",
    "orbox intersect arm.stl wall.stl --pose 1,0,0,0.5,0,1,0,0,0,0,1,0",
    "orbox intersect arm.stl wall.stl --pose @path.csv --format csv",
};

struct IntersectQuestion {
  using Answer = std::vector<TrianglePair>;

  bool any_meets = false;

  static Answer Ask(const PosedTree& a, const PosedTree& b,
                    TraversalStatistics* statistics) {
    return OverlappingPairs(a, b, statistics);
  }
  void Look(const Answer& pairs) { any_meets = any_meets || !pairs.empty(); }

  static void WriteJson(JsonWriter& json, const Answer& pairs);
  static std::string CsvHeader() { return "a,b\n"; }
  static void WriteCsv(Output& output, const std::string& begin_of_row,
                       const Answer& pairs);
  static void WriteText(Output& output, const Answer& pairs);
};

void IntersectQuestion::WriteJson(JsonWriter& json, const Answer& pairs) {
  json.Field("intersects", !pairs.empty());
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

void IntersectQuestion::WriteCsv(Output& output,
                                 const std::string& begin_of_row,
                                 const Answer& pairs) {
  for (const TrianglePair& pair : pairs) {
    output.Write(Cat(begin_of_row, pair.a, ",", pair.b, "\n"));
  }
}

void IntersectQuestion::WriteText(Output& output, const Answer& pairs) {
  if (pairs.empty()) {
    output.Write("do not meet\n");
    return;
  }
  // Enough to start looking; the other formats list all.
  constexpr size_t kShown = 5;
  const size_t shown = std::min(pairs.size(), kShown);
  output.Write(Cat("meet: ", Counted(pairs.size(), "pair"), " of triangles"));
  for (size_t i = 0; i < shown; ++i) {
    output.Write(Cat(i == 0 ? ": " : ", ", pairs[i].a, "-", pairs[i].b));
  }
  output.Write(shown < pairs.size() ? ", ...\n" : "\n");
}

absl::StatusOr<ExitCode> RunIntersect(const Arguments& arguments,
                                      Progress& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const absl::StatusOr<MeshPair> pair =
      LoadPair(arguments, *settings, progress);
  if (!pair.ok()) return pair.status();
  IntersectQuestion question;
  const absl::Status status = AskAtPoses(*pair, *settings, progress, question);
  if (!status.ok()) return status;
  const bool negative = arguments.Has("--exit-code") && !question.any_meets;
  return negative ? ExitCode::kNegative : ExitCode::kOk;
}

}  // namespace

const Command kIntersectCommand = {
    .name = "intersect",
    .summary = "do two meshes meet; all pairs of triangles that do",
    .operands = kPairOperands,
    .options = kOptions,
    .about =
        "Prints the pairs of triangles, one of A and one of B, that meet;\n"
        "touching counts. Surfaces, not solids: a mesh wholly inside the "
        "other\n"
        "does not meet it. The text shows the first pairs, json and csv all.\n",
    .examples = kExamples,
    .run = RunIntersect,
};

}  // namespace orbox::cli
