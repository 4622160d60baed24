// orbox clearance: how far are two meshes apart, where, and which of their
// triangles are too close?

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/query/batch_options.h"
#include "orbox/bvh/query/mesh_distance.h"
#include "orbox/bvh/query/mesh_distance_bounds.h"
#include "orbox/bvh/query/mesh_within.h"
#include "orbox/bvh/query/parallel_pairs.h"
#include "tools/orbox/clearance_files.h"
#include "tools/orbox/command.h"
#include "tools/orbox/cores.h"
#include "tools/orbox/distance_bounds_output.h"
#include "tools/orbox/mesh_pair.h"
#include "tools/orbox/pair_relation.h"
#include "tools/orbox/pose_loop.h"
#include "tools/orbox/query.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr Option kOptions[] = {
    {"--within", "D",
     "list all pairs of triangles within D of each other, D included"},
    kPoseOption,
    kFlattenOption,
    {"--bounds", "",
     "add the two doubles that certainly enclose the exact smallest distance, "
     "twice the same where it is one"},
    {"--exit-code", "",
     "exit 1 where the clearance is not kept at some pose: with --within D "
     "where a pair is within D, without it where A and B meet"},
    kPlyOption,
    kReportOption,
    kPictureSizeOption,
};

constexpr std::string_view kExamples[] = {
    "orbox clearance arm.stl wall.stl",
    "orbox clearance arm.stl wall.stl --within 0.5 --exit-code",
    "orbox clearance arm.stl wall.stl --within 2 --pose @path.csv --format "
    "json",
    "orbox clearance arm.stl wall.stl --pose=-1,0,0,0,0,-1,0,0,0,0,1,2.5 "
    "--stats",
    "orbox clearance arm.stl wall.stl --within 0.5 --report clearance.html",
};

struct ClearanceAnswer {
  absl::Status status;
  MeshDistanceResult nearest;
  std::optional<DistanceInterval> bounds;
  std::optional<std::vector<PairDistance>> within;
  std::optional<MeshRelation> relation;  // where anybody looks at it

  // Zero if and only if the surfaces overlap.
  bool intersects() const { return nearest.distance == 0; }
  size_t size() const { return within.has_value() ? 2 * within->size() : 1; }
};

struct ClearanceQuestion {
  using Answer = ClearanceAnswer;

  const PairRelation& relation;
  std::optional<double> within;
  bool wants_relation = false;
  bool wants_bounds = false;
  BatchOptions cores;
  bool kept = true;  // at all poses

  Answer Ask(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics) const {
    Answer answer;
    answer.nearest = MeshDistance(a, b, statistics);
    if (wants_bounds) answer.bounds = BoundsOfDistance(a, b, answer.nearest);
    if (wants_relation) {
      answer.relation = relation.Of(a, b, answer.intersects(), statistics);
    }
    if (!within.has_value()) return answer;
    absl::StatusOr<std::vector<PairDistance>> pairs =
        ParallelPairsWithin(a, b, *within, cores, statistics);
    answer.status = pairs.status();
    if (pairs.ok()) answer.within = *std::move(pairs);
    return answer;
  }
  void Look(const Answer& answer) {
    const bool too_close = answer.within.has_value() ? !answer.within->empty()
                                                     : answer.intersects();
    kept = kept && !too_close;
  }

  static void WriteJson(JsonWriter& json, const Answer& answer);
  std::string CsvHeader() const {
    if (within.has_value()) return "a,b,distance\n";
    return Cat("intersects,distance,a,a_x,a_y,a_z,b,b_x,b_y,b_z",
               wants_bounds ? ",lower,upper" : "", "\n");
  }
  static void WriteCsv(Output& output, const std::string& begin_of_row,
                       const Answer& answer);
  void WriteText(Output& output, const Answer& answer) const;
};

void WriteWitness(JsonWriter& json, std::string_view name, uint32_t triangle,
                  const Vec3& point) {
  json.Key(name);
  json.BeginObject();
  json.Field("triangle", triangle);
  json.Field("point", point);
  json.EndObject();
}

void ClearanceQuestion::WriteJson(JsonWriter& json, const Answer& answer) {
  const MeshDistanceResult& nearest = answer.nearest;
  json.Field("intersects", answer.intersects());
  json.Field("distance", nearest.distance);
  if (answer.bounds.has_value()) WriteBounds(json, *answer.bounds);
  json.Key("witness");
  json.BeginObject();
  WriteWitness(json, "a", nearest.triangles.a, nearest.on_a);
  WriteWitness(json, "b", nearest.triangles.b, nearest.on_b);
  json.EndObject();
  if (answer.relation.has_value()) {
    json.Key("relation");
    json.String(NameOf(*answer.relation));
  }
  if (!answer.within.has_value()) return;
  json.Key("pairs_within");
  json.BeginArray();
  for (const PairDistance& pair : *answer.within) {
    json.BeginObject();
    json.Field("a", pair.triangles.a);
    json.Field("b", pair.triangles.b);
    json.Field("distance", pair.distance);
    json.EndObject();
  }
  json.EndArray();
}

std::string CsvCells(uint32_t triangle, const Vec3& p) {
  return Cat(triangle, ",", p.x, ",", p.y, ",", p.z);
}

void ClearanceQuestion::WriteCsv(Output& output,
                                 const std::string& begin_of_row,
                                 const Answer& answer) {
  if (answer.within.has_value()) {
    for (const PairDistance& pair : *answer.within) {
      output.Write(Cat(begin_of_row, pair.triangles.a, ",", pair.triangles.b,
                       ",", pair.distance, "\n"));
    }
    return;
  }
  const MeshDistanceResult& nearest = answer.nearest;
  output.Write(Cat(begin_of_row, answer.intersects() ? "true" : "false", ",",
                   nearest.distance, ",",
                   CsvCells(nearest.triangles.a, nearest.on_a), ",",
                   CsvCells(nearest.triangles.b, nearest.on_b)));
  if (answer.bounds.has_value()) {
    output.Write(Cat(",", answer.bounds->lower, ",", answer.bounds->upper));
  }
  output.Write("\n");
}

void ClearanceQuestion::WriteText(Output& output, const Answer& answer) const {
  const MeshDistanceResult& nearest = answer.nearest;
  if (answer.intersects()) {
    output.Write(Cat("meet\n  for example at    ", FormatPoint(nearest.on_a),
                     ", in triangle ", nearest.triangles.a, " of A and ",
                     nearest.triangles.b, " of B\n"));
  } else {
    output.Write(Cat("do not meet", SentenceOf(*answer.relation),
                     "\n  smallest distance ", nearest.distance,
                     "\n  on A              ", FormatPoint(nearest.on_a),
                     ", in triangle ", nearest.triangles.a,
                     "\n  on B              ", FormatPoint(nearest.on_b),
                     ", in triangle ", nearest.triangles.b, "\n"));
  }
  if (answer.bounds.has_value() && !answer.intersects()) {
    output.Write(Cat("  exactly between   ", answer.bounds->lower,
                     "\n  and               ", answer.bounds->upper, "\n"));
  }
  if (answer.within.has_value()) {
    output.Write(Cat("  within ", *within, ": ",
                     Counted(answer.within->size(), "pair"),
                     " of triangles\n"));
  }
}

class ClearanceQuery : public Query {
 public:
  ClearanceQuery(PairArguments pair, std::optional<double> within,
                 bool wants_bounds, bool wants_exit_code, ClearanceFiles files)
      : pair_(std::move(pair)),
        within_(within),
        wants_bounds_(wants_bounds),
        wants_exit_code_(wants_exit_code),
        files_(std::move(files)) {}

  absl::StatusOr<Answered> Ask(std::span<const Tree> trees,
                               const Settings& settings, Progress& progress,
                               Output& output) override;

 private:
  const PairArguments pair_;
  const std::optional<double> within_;
  const bool wants_bounds_;
  const bool wants_exit_code_;
  const ClearanceFiles files_;
};

absl::StatusOr<Answered> ClearanceQuery::Ask(std::span<const Tree> trees,
                                             const Settings& settings,
                                             Progress& progress,
                                             Output& output) {
  const absl::StatusOr<MeshPair> pair = PairOf(pair_, trees);
  if (!pair.ok()) return pair.status();
  const PairRelation relation(*pair);
  ClearanceQuestion question{
      .relation = relation,
      .within = within_,
      .wants_relation = settings.format != Format::kCsv,
      .wants_bounds = wants_bounds_,
      .cores = CoresOfEach(pair->poses.poses.size(), settings, progress)};
  const absl::StatusOr<TraversalStatistics> statistics =
      AskAtPoses(*pair, settings, progress, output, question);
  if (!statistics.ok()) return statistics.status();
  if (settings.told && settings.writes_files) {
    const absl::Status written =
        WriteClearanceFiles(files_, *pair, within_, settings, progress);
    if (!written.ok()) return written;
  }
  const bool negative = wants_exit_code_ && !question.kept;
  return Answered{negative ? ExitCode::kNegative : ExitCode::kOk, *statistics};
}

absl::StatusOr<std::unique_ptr<Query>> ReadClearance(const Arguments& arguments,
                                                     const Settings&) {
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  absl::StatusOr<PairArguments> pair = ReadPair(arguments);
  if (!pair.ok()) return pair.status();
  absl::StatusOr<ClearanceFiles> files = ReadClearanceFiles(arguments, *pair);
  if (!files.ok()) return files.status();
  return std::make_unique<ClearanceQuery>(
      *std::move(pair), *within, arguments.Has("--bounds"),
      arguments.Has("--exit-code"), *std::move(files));
}

}  // namespace

const Command kClearanceCommand = {
    .name = "clearance",
    .summary = "how far two meshes are apart, and what is too close",
    .operands = kPairOperands,
    .options = kOptions,
    .about =
        "Prints whether the surfaces of A and B meet, their smallest distance\n"
        "with a point on each where it is attained, and with --within D the\n"
        "pairs of triangles at a distance of at most D. The text counts the\n"
        "pairs, json and csv list them (csv: the pairs alone).\n",
    .examples = kExamples,
    .read_query = ReadClearance,
    .more_help = HelpOnRelations,
};

}  // namespace orbox::cli
