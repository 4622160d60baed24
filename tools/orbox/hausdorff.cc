// orbox hausdorff: how far do the surfaces of two meshes deviate, and where?

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/query/hausdorff.h"
#include "tools/orbox/command.h"
#include "tools/orbox/cores.h"
#include "tools/orbox/mesh_pair.h"
#include "tools/orbox/pose_loop.h"
#include "tools/orbox/query.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr Option kOptions[] = {
    {"--tolerance", "T",
     "enclose the distances within T (default: a thousandth of the diagonal of "
     "the mesh measured against)"},
    {"--field", "",
     "add how near and how far each triangle of A comes to B (csv: these "
     "alone)"},
    kPoseOption,
    kFlattenOption,
};

constexpr std::string_view kExamples[] = {
    "orbox hausdorff scan.ply model.stl",
    "orbox hausdorff scan.ply model.stl --tolerance 0.01 --format json",
    "orbox hausdorff scan.ply model.stl --field --format csv",
};

struct HausdorffAnswer {
  absl::Status status;
  SymmetricHausdorffResult distance;
  std::vector<TriangleDeviation> field;

  size_t size() const { return 1 + 3 * field.size(); }
};

struct HausdorffQuestion {
  using Answer = HausdorffAnswer;

  HausdorffOptions options;
  bool wants_field = false;

  Answer Ask(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics) const;
  static void Look(const Answer&) {}

  void WriteJson(JsonWriter& json, const Answer& answer) const;
  std::string CsvHeader() const {
    return wants_field ? "triangle,nearest,farthest_lower,farthest_upper\n"
                       : "lower,upper,a_to_b_lower,a_to_b_upper,b_to_a_lower,"
                         "b_to_a_upper\n";
  }
  void WriteCsv(Output& output, const std::string& begin_of_row,
                const Answer& answer) const;
  static void WriteText(Output& output, const Answer& answer);
};

HausdorffAnswer HausdorffQuestion::Ask(const PosedTree& a, const PosedTree& b,
                                       TraversalStatistics* statistics) const {
  Answer answer;
  HausdorffOptions first = options;
  HausdorffOptions second = options;
  if (wants_field && options.progress) {
    // Each is about half of the work.
    first.progress = [this](double share) { options.progress(share / 2); };
    second.progress = [this](double share) {
      options.progress(0.5 + share / 2);
    };
  }
  const absl::StatusOr<SymmetricHausdorffResult> distance =
      SymmetricHausdorffDistance(a, b, first, statistics);
  answer.status = distance.status();
  if (!distance.ok()) return answer;
  answer.distance = *distance;
  if (!wants_field) return answer;
  absl::StatusOr<std::vector<TriangleDeviation>> field =
      DeviationField(a, b, second, statistics);
  answer.status = field.status();
  if (field.ok()) answer.field = *std::move(field);
  return answer;
}

void WriteSide(JsonWriter& json, std::string_view name,
               const HausdorffResult& h, std::string_view from,
               std::string_view to) {
  json.Key(name);
  json.BeginObject();
  json.Field("lower", h.lower);
  json.Field("upper", h.upper);
  json.Key("witness");
  json.BeginObject();
  json.Key(from);
  json.BeginObject();
  json.Field("triangle", h.triangle_a);
  json.Field("point", h.on_a);
  json.EndObject();
  json.Key(to);
  json.BeginObject();
  json.Field("triangle", h.triangle_b);
  json.Field("point", h.on_b);
  json.EndObject();
  json.EndObject();
  json.EndObject();
}

void HausdorffQuestion::WriteJson(JsonWriter& json,
                                  const Answer& answer) const {
  json.Field("lower", answer.distance.lower());
  json.Field("upper", answer.distance.upper());
  WriteSide(json, "a_to_b", answer.distance.a_to_b, "a", "b");
  WriteSide(json, "b_to_a", answer.distance.b_to_a, "b", "a");
  if (!wants_field) return;
  json.Key("field");
  json.BeginArray();
  for (const TriangleDeviation& d : answer.field) {
    json.BeginObject();
    json.Field("nearest", d.nearest);
    json.Field("farthest_lower", d.farthest_lower);
    json.Field("farthest_upper", d.farthest_upper);
    json.EndObject();
  }
  json.EndArray();
}

void HausdorffQuestion::WriteCsv(Output& output,
                                 const std::string& begin_of_row,
                                 const Answer& answer) const {
  if (wants_field) {
    for (size_t i = 0; i < answer.field.size(); ++i) {
      const TriangleDeviation& d = answer.field[i];
      output.Write(Cat(begin_of_row, i, ",", d.nearest, ",", d.farthest_lower,
                       ",", d.farthest_upper, "\n"));
    }
    return;
  }
  const SymmetricHausdorffResult& h = answer.distance;
  output.Write(Cat(begin_of_row, h.lower(), ",", h.upper(), ",", h.a_to_b.lower,
                   ",", h.a_to_b.upper, ",", h.b_to_a.lower, ",",
                   h.b_to_a.upper, "\n"));
}

std::string SideAsText(std::string_view way, const HausdorffResult& h,
                       std::string_view from, std::string_view to) {
  return Cat("  ", way, "  ", h.lower, " to ", h.upper, ", at ",
             FormatPoint(h.on_a), " in triangle ", h.triangle_a, " of ", from,
             ", nearest ", FormatPoint(h.on_b), " in triangle ", h.triangle_b,
             " of ", to, "\n");
}

void HausdorffQuestion::WriteText(Output& output, const Answer& answer) {
  const SymmetricHausdorffResult& h = answer.distance;
  output.Write(Cat("are at most ", h.upper(), " apart, and at least ",
                   h.lower(), " somewhere\n",
                   SideAsText("A to B", h.a_to_b, "A", "B"),
                   SideAsText("B to A", h.b_to_a, "B", "A")));
}

class HausdorffQuery : public Query {
 public:
  HausdorffQuery(PairArguments pair, std::optional<double> tolerance,
                 bool wants_field)
      : pair_(std::move(pair)),
        tolerance_(tolerance),
        wants_field_(wants_field) {}

  absl::StatusOr<Answered> Ask(std::span<const Tree> trees,
                               const Settings& settings, Progress& progress,
                               Output& output) override;

 private:
  const PairArguments pair_;
  const std::optional<double> tolerance_;
  const bool wants_field_;
};

absl::StatusOr<Answered> HausdorffQuery::Ask(std::span<const Tree> trees,
                                             const Settings& settings,
                                             Progress& progress,
                                             Output& output) {
  const absl::StatusOr<MeshPair> pair = PairOf(pair_, trees);
  if (!pair.ok()) return pair.status();
  HausdorffQuestion question;
  question.options.tolerance = tolerance_;
  const BatchOptions cores =
      CoresOfEach(pair->poses.poses.size(), settings, progress);
  question.options.threads = cores.threads;
  question.options.progress = cores.progress;
  question.wants_field = wants_field_;
  const absl::StatusOr<TraversalStatistics> statistics =
      AskAtPoses(*pair, settings, progress, output, question);
  if (!statistics.ok()) return statistics.status();
  return Answered{ExitCode::kOk, *statistics};
}

absl::StatusOr<std::unique_ptr<Query>> ReadHausdorff(const Arguments& arguments,
                                                     const Settings&) {
  const absl::StatusOr<std::optional<double>> tolerance =
      arguments.Real("--tolerance", 0);
  if (!tolerance.ok()) return tolerance.status();
  absl::StatusOr<PairArguments> pair = ReadPair(arguments);
  if (!pair.ok()) return pair.status();
  return std::make_unique<HausdorffQuery>(*std::move(pair), *tolerance,
                                          arguments.Has("--field"));
}

}  // namespace

const Command kHausdorffCommand = {
    .name = "hausdorff",
    .summary = "how far two meshes stray from each other, and where",
    .operands = kPairOperands,
    .options = kOptions,
    .about =
        "Prints the Hausdorff distance of the surfaces of A and B, enclosed\n"
        "between a lower and an upper bound that are certain: no point of\n"
        "either is farther than the upper one from the other surface. Each "
        "way\n"
        "has a point that is at least as far as its lower bound, and the one\n"
        "nearest to it. Where a million parts of triangles do not suffice for\n"
        "the tolerance, the bounds are wider, and as certain.\n",
    .examples = kExamples,
    .read_query = ReadHausdorff,
};

}  // namespace orbox::cli
