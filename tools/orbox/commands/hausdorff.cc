// SPDX-License-Identifier: Apache-2.0

// orbox hausdorff: computes the deviation of the surfaces of two meshes, and
// its position.

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/query/deviation/deviation_summary.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/commands/cloud.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/hausdorff_answer.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/commands/pair_files.h"
#include "tools/orbox/commands/pose_loop.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/schema.h"
#include "tools/orbox/output/side_file.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kFrom[] = {"A", "B"};
std::vector<std::string_view> FromChoices() {
  return {std::begin(kFrom), std::end(kFrom)};
}

constexpr Option kHausdorffOptions[] = {
    {"--tolerance", "T",
     "enclose the distances within T (default: a thousandth of the diagonal of "
     "the mesh measured against)"},
    {"--field", "",
     "add for each triangle of A its smallest and largest distance from B "
     "(csv: only these)"},
    {"--summary", "",
     "add mean, root mean square, standard deviation, median and percentiles "
     "of the distances of the vertices. Each vertex has a third of the area of "
     "its triangles as its weight; all points of a cloud have the same weight"},
    {"--within", "D",
     "add the values of --summary, and the share at most D away (of the "
     "vertices that --max-distance leaves)"},
    {"--max-distance", "D",
     "add the values of --summary, only of vertices at most D away; the others "
     "are counted"},
    {"--from", "MESH",
     "one way: A for the distances of A from B, B for those of B from A "
     "(default: both)",
     false, FromChoices},
    kPoseOption,
    kFlattenOption,
    kDeviationPlyOption,
    kDeviationGlbOption,
    kReportOption,
    kPictureSizeOption,
};

constexpr std::string_view kHausdorffVariants[] = {
    "| --summary | --within 1",
    "| --field | --from A | --from A --field | --from B"};

constexpr std::string_view kHausdorffInMemory[] = {
    "--ply",    "--glb",          "--report", "--summary",
    "--within", "--max-distance", "--from"};

constexpr std::string_view kHausdorffExamples[] = {
    "orbox hausdorff scan.ply model.stl",
    "orbox hausdorff scan.ply model.stl --tolerance 0.01 --format json",
    "orbox hausdorff scan.ply model.stl --field --format csv",
    "orbox hausdorff cloud.xyz model.stl --unit mm --report deviation.html",
    "orbox hausdorff cloud.xyz model.stl --from A --within 0.1",
    "orbox hausdorff scan.ply model.stl --glb deviation.glb",
};

// Converts a result to the ids of chunked trees.
GlobalHausdorffResult GlobalOf(const HausdorffResult& h) {
  return {h.lower, h.upper, h.triangle_a, h.on_a, h.triangle_b, h.on_b};
}

struct HausdorffParameters {
  using Answer = HausdorffAnswer;

  HausdorffLimits accuracy;
  RunOptions options;
  bool wants_field = false;
  Ways ways = Ways::kBoth;
  std::optional<DeviationLimits> limits;  // of the summary, if it is wanted
  // Receives the distances of A's vertices if a summary needs them; may be
  // null.
  std::vector<double>* vertices = nullptr;

  Answer Run(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics) const;
  Answer Run(const PosedChunkedTarget& a, const PosedChunkedTarget& b,
             TraversalStatistics* statistics) const;
  static void AddAnswer(const Answer&) {}

  Schema<Answer> ReportedAs() const {
    return HausdorffSchema(ways, limits, wants_field);
  }

 private:
  // SummarizeDeviation that keeps the distances.
  absl::StatusOr<DeviationSummary> SummarizeAndKeep(const PosedTree& a,
                                                    const PosedTree& b,
                                                    const RunOptions& at) const;
  // Returns the options of step `i` of `steps` of about the same length.
  RunOptions OptionsOf(int i, int steps, TraversalStatistics* statistics) const;
  template <typename AnyTree>
  void AddField(const AnyTree& a, const AnyTree& b, const RunOptions& at,
                Answer& answer) const;
};

RunOptions HausdorffParameters::OptionsOf(
    int i, int steps, TraversalStatistics* statistics) const {
  RunOptions at = options;
  at.statistics = statistics;
  if (steps > 1 && options.progress) {
    at.progress = [this, i, steps](double share) {
      options.progress((i + share) / steps);
    };
  }
  return at;
}

absl::StatusOr<DeviationSummary> HausdorffParameters::SummarizeAndKeep(
    const PosedTree& a, const PosedTree& b, const RunOptions& at) const {
  absl::StatusOr<std::vector<double>> distances =
      report::DistancesOfVertices(a, b, at);
  if (!distances.ok()) return distances.status();
  *vertices = *std::move(distances);
  return SummarizeDistances(*vertices, WeightsOfVertices(a), *limits);
}

template <typename AnyTree>
void HausdorffParameters::AddField(const AnyTree& a, const AnyTree& b,
                                   const RunOptions& at, Answer& answer) const {
  absl::StatusOr<std::vector<TriangleDeviation>> field =
      Compute(kDeviationField, a, b, accuracy, at);
  answer.status = field.status();
  if (field.ok()) answer.field = *std::move(field);
}

HausdorffAnswer HausdorffParameters::Run(
    const PosedTree& a, const PosedTree& b,
    TraversalStatistics* statistics) const {
  const bool from_a = ways != Ways::kFromB, from_b = ways != Ways::kFromA;
  const int steps =
      (from_a && from_b ? 2 : 1) * (limits ? 2 : 1) + (wants_field ? 1 : 0);
  int step = 0;
  Answer answer;
  const auto go = [&](const PosedTree& from, const PosedTree& to,
                      std::optional<WayAnswer>& way) {
    const absl::StatusOr<HausdorffResult> distance = HausdorffDistance(
        from, to, accuracy, OptionsOf(step++, steps, statistics));
    answer.status = distance.status();
    if (!distance.ok()) return;
    way = WayAnswer{.distance = GlobalOf(*distance)};
    if (!limits.has_value()) return;
    const RunOptions at = OptionsOf(step++, steps, statistics);
    const absl::StatusOr<DeviationSummary> summary =
        &from == &a && vertices != nullptr
            ? SummarizeAndKeep(from, to, at)
            : SummarizeDeviation(from, to, *limits, at);
    answer.status = summary.status();
    if (summary.ok()) way->summary = *summary;
    const Mesh& mesh = from.tree().mesh();
    way->by_area = mesh.degenerate_count() < mesh.triangle_count();
  };
  if (from_a) go(a, b, answer.a_to_b);
  if (from_b && answer.status.ok()) go(b, a, answer.b_to_a);
  if (wants_field && answer.status.ok()) {
    AddField(a, b, OptionsOf(step, steps, statistics), answer);
  }
  return answer;
}

HausdorffAnswer HausdorffParameters::Run(
    const PosedChunkedTarget& a, const PosedChunkedTarget& b,
    TraversalStatistics* statistics) const {
  const int steps = wants_field ? 2 : 1;
  Answer answer;
  const absl::StatusOr<GlobalSymmetricHausdorffResult> distance =
      Compute(kSymmetricHausdorffDistance, a, b, accuracy,
              OptionsOf(0, steps, statistics));
  answer.status = distance.status();
  if (!distance.ok()) return answer;
  answer.a_to_b = WayAnswer{.distance = distance->a_to_b};
  answer.b_to_a = WayAnswer{.distance = distance->b_to_a};
  if (wants_field) AddField(a, b, OptionsOf(1, steps, statistics), answer);
  return answer;
}

// The arguments of the command.
struct HausdorffArguments {
  PairArguments pair;
  std::optional<double> tolerance;
  bool wants_field = false;
  bool is_cloud = false;
  Ways ways = Ways::kBoth;
  std::optional<DeviationLimits> limits;
  PairFiles files;
};

class HausdorffQuery : public Query {
 public:
  explicit HausdorffQuery(HausdorffArguments arguments)
      : arguments_(std::move(arguments)) {}

  absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                               const QueryContext& context) override;
  absl::StatusOr<Answered> RunOnChunks(std::span<const ChunkedTarget> trees,
                                       const QueryContext& context) override;
  std::optional<ResultType> TypeOfResults() const override {
    return TypeAtPoses(
        HausdorffParameters{.wants_field = arguments_.wants_field,
                            .ways = arguments_.ways,
                            .limits = arguments_.limits});
  }

 private:
  HausdorffParameters ParametersFor(size_t poses,
                                    const QueryContext& context) const {
    HausdorffParameters parameters;
    parameters.accuracy.tolerance = arguments_.tolerance;
    parameters.options = RunOptionsOf(CoresOfEach(poses, context));
    parameters.wants_field = arguments_.wants_field;
    parameters.ways = arguments_.ways;
    parameters.limits = arguments_.limits;
    return parameters;
  }

  const HausdorffArguments arguments_;
};

absl::StatusOr<Answered> HausdorffQuery::Run(std::span<const Tree> trees,
                                             const QueryContext& context) {
  const absl::StatusOr<MeshPair> pair = PairOf(arguments_.pair, trees);
  if (!pair.ok()) return pair.status();
  HausdorffParameters parameters =
      ParametersFor(pair->poses.poses.size(), context);
  // The files need them too.
  std::vector<double> vertices;
  if (arguments_.files.any() && pair->poses.poses.size() == 1) {
    parameters.vertices = &vertices;
  }
  const absl::StatusOr<TraversalStatistics> statistics =
      RunAtPoses(*pair, context, parameters);
  if (!statistics.ok()) return statistics.status();
  if (context.settings.reported && context.settings.writes_files) {
    const absl::Status written = WriteHausdorffFiles(
        arguments_.files, *pair,
        {.accuracy = {.tolerance = arguments_.tolerance},
         .limits = arguments_.limits.value_or(DeviationLimits{}),
         .one_way = arguments_.ways == Ways::kFromA,
         .is_cloud = arguments_.is_cloud,
         .vertices = std::move(vertices)},
        context.settings, context.progress);
    if (!written.ok()) return written;
  }
  return Answered{ExitCode::kOk, *statistics};
}

absl::StatusOr<Answered> HausdorffQuery::RunOnChunks(
    std::span<const ChunkedTarget> trees, const QueryContext& context) {
  if (arguments_.is_cloud) {
    return UsageError(
        "a cloud of points does not support chunked trees; give a mesh or a "
        "tree file");
  }
  const ChunkedPair pair = PairOf(arguments_.pair, trees);
  HausdorffParameters parameters =
      ParametersFor(pair.poses.poses.size(), context);
  const absl::StatusOr<TraversalStatistics> statistics =
      RunAtPoses(pair, context, parameters);
  if (!statistics.ok()) return statistics.status();
  return Answered{ExitCode::kOk, *statistics};
}

absl::StatusOr<Ways> ReadWays(const Arguments& arguments) {
  constexpr Ways kWays[] = {Ways::kFromA, Ways::kFromB, Ways::kBoth};
  const absl::StatusOr<size_t> choice = arguments.Choice("--from", kFrom, 2);
  if (!choice.ok()) return choice.status();
  return kWays[*choice];
}

absl::StatusOr<std::optional<DeviationLimits>> ReadLimits(
    const Arguments& arguments) {
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  const absl::StatusOr<std::optional<double>> max_distance =
      arguments.Real("--max-distance", 0);
  if (!max_distance.ok()) return max_distance.status();
  if (!arguments.Has("--summary") && !within->has_value() &&
      !max_distance->has_value()) {
    return std::nullopt;
  }
  DeviationLimits limits{.within = *within};
  limits.max_distance = max_distance->value_or(limits.max_distance);
  return limits;
}

absl::StatusOr<std::unique_ptr<Query>> ReadHausdorff(const Arguments& arguments,
                                                     const Settings&) {
  HausdorffArguments read;
  const absl::StatusOr<std::optional<double>> tolerance =
      arguments.Real("--tolerance", 0);
  if (!tolerance.ok()) return tolerance.status();
  read.tolerance = *tolerance;
  const absl::StatusOr<std::optional<DeviationLimits>> limits =
      ReadLimits(arguments);
  if (!limits.ok()) return limits.status();
  read.limits = *limits;
  const absl::StatusOr<Ways> ways = ReadWays(arguments);
  if (!ways.ok()) return ways.status();
  read.ways = *ways;
  absl::StatusOr<PairArguments> pair = ReadPair(arguments);
  if (!pair.ok()) return pair.status();
  absl::StatusOr<PairFiles> files = ReadPairFiles(arguments, *pair);
  if (!files.ok()) return files.status();
  read.pair = *std::move(pair);
  read.files = *std::move(files);
  read.wants_field = arguments.Has("--field");
  read.is_cloud = IsCloud(arguments.operands()[0]);
  if (read.is_cloud && !read.files.glb.empty()) {
    return absl::InvalidArgumentError(
        "--glb: A is a cloud, which has no faces to colour; write --ply");
  }
  if (read.ways == Ways::kFromB && (read.wants_field || read.files.any())) {
    return UsageError(
        "--from B: --field, --ply, --glb and --report show A; exchange the two "
        "meshes, or leave out --from");
  }
  return std::make_unique<HausdorffQuery>(std::move(read));
}

}  // namespace

const Command kHausdorffCommand = {
    .name = "hausdorff",
    .summary = "how far two meshes stray from each other, and where",
    .operands = kPairOperands,
    .options = kHausdorffOptions,
    .about =
        "Prints a lower and an upper bound of the Hausdorff distance of A and "
        "B.\n"
        "Both are certain: no point of either surface is farther from the "
        "other\n"
        "surface than the upper bound, and for each way, A to B and B to A, "
        "the\n"
        "output has a point that is at least as far as the lower bound, and "
        "the\n"
        "point closest to it. If a million parts of triangles do not suffice "
        "for\n"
        "the tolerance, the bounds are wider, but as certain.\n"
        "--summary is about the distances of the vertices, weighted by the "
        "area\n"
        "around them. A coarse mesh has few vertices.\n"
        "A may be a cloud of points: PLY without faces, PCD, or a file of rows "
        "of\n"
        "x,y,z (.xyz, .csv, .txt, .asc, .pts).\n",
    .examples = kHausdorffExamples,
    .read_query = ReadHausdorff,
    .variants = kHausdorffVariants,
    .in_memory = kHausdorffInMemory,
    .takes_clouds = true,
};

}  // namespace orbox::cli
