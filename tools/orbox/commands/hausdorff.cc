// SPDX-License-Identifier: Apache-2.0

// orbox hausdorff: computes the deviation of the surfaces of two meshes, and
// its position.

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/cloud.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/commands/pair_files.h"
#include "tools/orbox/commands/pose_loop.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/pair_schema.h"
#include "tools/orbox/output/schema.h"
#include "tools/orbox/output/side_file.h"

namespace orbox::cli {
namespace {

constexpr Option kHausdorffOptions[] = {
    {"--tolerance", "T",
     "enclose the distances within T (default: a thousandth of the diagonal of "
     "the mesh measured against)"},
    {"--field", "",
     "add how near and how far each triangle of A comes to B (csv: these "
     "alone)"},
    kPoseOption,
    kFlattenOption,
    kDeviationPlyOption,
    kDeviationGlbOption,
    kReportOption,
    kPictureSizeOption,
};

constexpr std::string_view kHausdorffExamples[] = {
    "orbox hausdorff scan.ply model.stl",
    "orbox hausdorff scan.ply model.stl --tolerance 0.01 --format json",
    "orbox hausdorff scan.ply model.stl --field --format csv",
    "orbox hausdorff cloud.xyz model.stl --unit mm --report deviation.html",
    "orbox hausdorff scan.ply model.stl --glb deviation.glb",
};

// Converts a result to the ids of chunked trees.
GlobalHausdorffResult GlobalOf(const HausdorffResult& h) {
  return {h.lower, h.upper, h.triangle_a, h.on_a, h.triangle_b, h.on_b};
}
const GlobalHausdorffResult& GlobalOf(const GlobalHausdorffResult& h) {
  return h;
}

struct HausdorffAnswer {
  absl::Status status;
  GlobalSymmetricHausdorffResult distance;
  std::vector<TriangleDeviation> field;

  size_t size() const { return 1 + 3 * field.size(); }
};

struct HausdorffParameters {
  using Answer = HausdorffAnswer;

  HausdorffOptions options;
  bool wants_field = false;

  Answer Run(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics) const {
    return RunAny(a, b, statistics);
  }
  Answer Run(const PosedChunkedTarget& a, const PosedChunkedTarget& b,
             TraversalStatistics* statistics) const {
    return RunAny(a, b, statistics);
  }
  static void AddAnswer(const Answer&) {}

  Schema<Answer> ReportedAs() const;

 private:
  template <typename AnyTree>
  Answer RunAny(const AnyTree& a, const AnyTree& b,
                TraversalStatistics* statistics) const;
};

template <typename AnyTree>
HausdorffAnswer HausdorffParameters::RunAny(
    const AnyTree& a, const AnyTree& b, TraversalStatistics* statistics) const {
  Answer answer;
  HausdorffOptions first = options;
  first.statistics = statistics;
  HausdorffOptions second = first;
  if (wants_field && options.progress) {
    // Each direction takes about half of the time.
    first.progress = [this](double share) { options.progress(share / 2); };
    second.progress = [this](double share) {
      options.progress(0.5 + share / 2);
    };
  }
  const auto distance = Compute(kSymmetricHausdorffDistance, a, b, first);
  answer.status = distance.status();
  if (!distance.ok()) return answer;
  answer.distance = {GlobalOf(distance->a_to_b), GlobalOf(distance->b_to_a)};
  if (!wants_field) return answer;
  absl::StatusOr<std::vector<TriangleDeviation>> field =
      Compute(kDeviationField, a, b, second);
  answer.status = field.status();
  if (field.ok()) answer.field = *std::move(field);
  return answer;
}

// Adds one direction: `from` and `to` are "a" and "b", or "b" and "a".
void AddWay(std::string_view name, std::string_view from, std::string_view to,
            GlobalHausdorffResult GlobalSymmetricHausdorffResult::*way,
            Schema<HausdorffAnswer>& schema) {
  using Answer = HausdorffAnswer;
  const auto of = [way](const Answer& a) -> const GlobalHausdorffResult& {
    return a.distance.*way;
  };
  schema
      .Add({Cat(name, ".lower")}, [of](const Answer& a) { return of(a).lower; })
      .Add({Cat(name, ".upper")},
           [of](const Answer& a) { return of(a).upper; });
  AddWitness(
      Cat(name, ".witness.", from), {},
      [of](const Answer& a) { return of(a).triangle_a; },
      [of](const Answer& a) { return of(a).on_a; }, schema);
  AddWitness(
      Cat(name, ".witness.", to), {},
      [of](const Answer& a) { return of(a).triangle_b; },
      [of](const Answer& a) { return of(a).on_b; }, schema);
}

Phrase WayAsText(const GlobalHausdorffResult& h, std::string_view from,
                 std::string_view to) {
  return Say("  ", from, " to ", to, "  ", Length{h.lower}, " to ",
             Length{h.upper}, ", at ", h.on_a, " in triangle ", h.triangle_a,
             " of ", from, ", nearest ", h.on_b, " in triangle ", h.triangle_b,
             " of ", to, "\n");
}

Phrase HausdorffText(const HausdorffAnswer& answer) {
  const GlobalSymmetricHausdorffResult& h = answer.distance;
  return Say("are at most ", Length{h.upper()}, " apart, and at least ",
             Length{h.lower()}, " somewhere\n", WayAsText(h.a_to_b, "A", "B"),
             WayAsText(h.b_to_a, "B", "A"));
}

Schema<TriangleDeviation> DeviationSchema() {
  Schema<TriangleDeviation> schema;
  schema
      .Add({"nearest", "nearest"},
           [](const TriangleDeviation& d) { return d.nearest; })
      .Add({"farthest_lower", "farthest_lower"},
           [](const TriangleDeviation& d) { return d.farthest_lower; })
      .Add({"farthest_upper", "farthest_upper"},
           [](const TriangleDeviation& d) { return d.farthest_upper; });
  return schema;
}

// CSV contains only the field, if it is requested.
Schema<HausdorffAnswer> HausdorffParameters::ReportedAs() const {
  const auto column = [this](std::string_view name) {
    return wants_field ? std::string_view() : name;
  };
  const auto bounds = [](const GlobalHausdorffResult& h) {
    return std::array{h.lower, h.upper};
  };
  Schema<Answer> schema;
  schema
      .Add({"lower", column("lower")},
           [](const Answer& a) { return a.distance.lower(); })
      .Add({"upper", column("upper")},
           [](const Answer& a) { return a.distance.upper(); });
  AddWay("a_to_b", "a", "b", &GlobalSymmetricHausdorffResult::a_to_b, schema);
  AddWay("b_to_a", "b", "a", &GlobalSymmetricHausdorffResult::b_to_a, schema);
  schema
      .Add({std::nullopt, column("a_to_b_lower,a_to_b_upper")},
           [bounds](const Answer& a) { return bounds(a.distance.a_to_b); })
      .Add({std::nullopt, column("b_to_a_lower,b_to_a_upper")},
           [bounds](const Answer& a) { return bounds(a.distance.b_to_a); })
      .AddText(HausdorffText);
  if (!wants_field) return schema;
  return schema.AddList(
      {.json = "field", .rows = true, .csv_number = "triangle"},
      DeviationSchema(), [](const Answer& a) { return std::span(a.field); });
}

class HausdorffQuery : public Query {
 public:
  HausdorffQuery(PairArguments pair, std::optional<double> tolerance,
                 bool wants_field, bool is_cloud, PairFiles files)
      : pair_(std::move(pair)),
        tolerance_(tolerance),
        wants_field_(wants_field),
        is_cloud_(is_cloud),
        files_(std::move(files)) {}

  absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                               const QueryContext& context) override;
  absl::StatusOr<Answered> RunOnChunks(std::span<const ChunkedTarget> trees,
                                       const QueryContext& context) override;

 private:
  HausdorffParameters ParametersFor(size_t poses,
                                    const QueryContext& context) const {
    HausdorffParameters parameters;
    parameters.options.tolerance = tolerance_;
    const QueryOptions cores = CoresOfEach(poses, context);
    parameters.options.threads = cores.threads;
    parameters.options.progress = cores.progress;
    parameters.wants_field = wants_field_;
    return parameters;
  }

  const PairArguments pair_;
  const std::optional<double> tolerance_;
  const bool wants_field_;
  const bool is_cloud_;
  const PairFiles files_;
};

absl::StatusOr<Answered> HausdorffQuery::Run(std::span<const Tree> trees,
                                             const QueryContext& context) {
  const absl::StatusOr<MeshPair> pair = PairOf(pair_, trees);
  if (!pair.ok()) return pair.status();
  HausdorffParameters parameters =
      ParametersFor(pair->poses.poses.size(), context);
  const absl::StatusOr<TraversalStatistics> statistics =
      RunAtPoses(*pair, context, parameters);
  if (!statistics.ok()) return statistics.status();
  if (context.settings.reported && context.settings.writes_files) {
    const absl::Status written =
        WriteHausdorffFiles(files_, *pair, is_cloud_, {.tolerance = tolerance_},
                            context.settings, context.progress);
    if (!written.ok()) return written;
  }
  return Answered{ExitCode::kOk, *statistics};
}

absl::StatusOr<Answered> HausdorffQuery::RunOnChunks(
    std::span<const ChunkedTarget> trees, const QueryContext& context) {
  if (is_cloud_ || files_.any()) {
    return UsageError(
        "--ply, --glb, --report and clouds of points do not support chunked "
        "trees");
  }
  const ChunkedPair pair = PairOf(pair_, trees);
  HausdorffParameters parameters =
      ParametersFor(pair.poses.poses.size(), context);
  const absl::StatusOr<TraversalStatistics> statistics =
      RunAtPoses(pair, context, parameters);
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
  absl::StatusOr<PairFiles> files = ReadPairFiles(arguments, *pair);
  if (!files.ok()) return files.status();
  const bool is_cloud = IsCloud(arguments.operands()[0]);
  if (is_cloud && !files->glb.empty()) {
    return absl::InvalidArgumentError(
        "--glb: A is a cloud, which has no faces to colour; write --ply");
  }
  return std::make_unique<HausdorffQuery>(*std::move(pair), *tolerance,
                                          arguments.Has("--field"), is_cloud,
                                          *std::move(files));
}

}  // namespace

const Command kHausdorffCommand = {
    .name = "hausdorff",
    .summary = "how far two meshes stray from each other, and where",
    .operands = kPairOperands,
    .options = kHausdorffOptions,
    .about =
        "Prints the Hausdorff distance of the surfaces of A and B, enclosed\n"
        "between a lower and an upper bound that are certain: no point of\n"
        "either is farther than the upper one from the other surface. Each "
        "way\n"
        "has a point that is at least as far as its lower bound, and the one\n"
        "nearest to it. Where a million parts of triangles do not suffice for\n"
        "the tolerance, the bounds are wider, and as certain.\n"
        "A may be a cloud of points: PLY without faces, or a file of rows of\n"
        "x,y,z (.xyz, .csv, .txt, .asc, .pts).\n",
    .examples = kHausdorffExamples,
    .read_query = ReadHausdorff,
    .takes_clouds = true,
};

}  // namespace orbox::cli
