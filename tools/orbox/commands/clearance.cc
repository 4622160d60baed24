// SPDX-License-Identifier: Apache-2.0

// orbox clearance: computes the distance of two meshes, the closest points, and
// the triangles that are too close.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/solids/penetration.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/list_memory.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/commands/pair_files.h"
#include "tools/orbox/commands/pair_relation.h"
#include "tools/orbox/commands/pose_loop.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/pair_schema.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

constexpr Option kClearanceOptions[] = {
    {"--within", "D", "list all pairs of triangles at most D apart"},
    kCountOption,
    {"--places", "",
     "with --within: list the places where A and B are that close, the nearest "
     "first; pairs are in one place if their triangles are connected by shared "
     "corners, on A and on B; csv lists the places instead of the pairs"},
    kPoseOption,
    kFlattenOption,
    {"--bounds", "",
     "add two doubles that enclose the exact smallest distance; they are equal "
     "if it is a double"},
    {"--depth", "",
     "if A and B meet or one is inside the other, add how far A has to be "
     "moved to be free of B: bounds of the shortest way, and a way out"},
    {"--exit-code", "",
     "exit 1 if the clearance is not kept at some pose: with --within D, if a "
     "pair is within D; without it, if A and B overlap; with either, if one is "
     "inside the other"},
    kInsideOption,
    kPlyOption,
    kReportOption,
    kPictureSizeOption,
};

constexpr std::string_view kClearanceVariants[] = {
    "| --within 1 | --within 1 --places | --within 1 --count", "| --bounds",
    "| --depth"};

constexpr std::string_view kClearanceInMemory[] = {
    "--places", "--bounds", "--depth", "--ply", "--report"};

constexpr std::string_view kClearanceExamples[] = {
    "orbox clearance arm.stl wall.stl",
    "orbox clearance arm.stl wall.stl --within 0.5 --exit-code",
    "orbox clearance arm.stl wall.stl --depth",
    "orbox clearance arm.stl wall.stl --within 0.5 --places",
    "orbox clearance arm.stl wall.stl --within 0.5 --count",
    "orbox clearance arm.stl wall.stl --within 2 --pose @path.csv --format "
    "json",
    "orbox clearance arm.stl wall.stl --pose=-1,0,0,0,0,-1,0,0,0,0,1,2.5 "
    "--stats",
    "orbox clearance arm.stl wall.stl --within 0.5 --report clearance.html",
};

struct ClearanceAnswer {
  absl::Status status;
  GlobalWitness nearest;
  std::optional<DistanceInterval> bounds;
  std::optional<size_t> within_count;    // number of pairs
  std::vector<GlobalWitness> pairs;      // the pairs, if they are listed
  std::vector<NearCluster> clusters;     // if they are needed
  std::optional<MeshRelation> relation;  // if it is needed
  std::optional<Penetration> depth;      // if it was requested and found

  // Exact: the distance is 0 if and only if the surfaces overlap.
  bool intersects() const { return nearest.distance == 0; }
  size_t size() const { return 1 + 9 * (pairs.size() + clusters.size()); }
};

struct ClearanceParameters {
  using Answer = ClearanceAnswer;

  const PairRelation* relation = nullptr;  // if trees are in memory
  std::optional<double> within;
  bool wants_count = false;
  bool wants_clusters = false;
  bool wants_relation = false;
  bool wants_bounds = false;
  bool wants_depth = false;
  InsideRule inside = InsideRule::kWinding;
  bool lists_pairs = false;
  bool reports_witnesses = true;
  QueryOptions cores;
  uint64_t memory = 0;  // of the pairs
  bool kept = true;     // the clearance holds at all poses

  Answer Run(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics) const {
    if (absl::Status s = CheckPairsFit(a, b); !s.ok()) return {.status = s};
    Answer answer;
    const absl::StatusOr<std::optional<Witness>> nearest =
        ClosestPair(a, b, {}, {.statistics = statistics});
    if (!nearest.ok()) return {.status = nearest.status()};
    answer.nearest = Global(**nearest);
    if (wants_bounds) answer.bounds = BoundsOfDistance(a, b, **nearest);
    if (wants_relation) {
      answer.relation = relation->Of(a, b, answer.intersects(), statistics);
    }
    const RunOptions run = RunOptionsOf(cores, statistics);
    if (wants_depth) {
      absl::StatusOr<std::optional<Penetration>> depth =
          PenetrationOf(a, b, inside, run);
      if (!depth.ok()) return {.status = depth.status()};
      answer.depth = *std::move(depth);
    }
    if (!within.has_value()) return answer;
    // Pairs are stored only if they are listed, because there may be very many.
    if (!lists_pairs && !wants_clusters) {
      const absl::StatusOr<size_t> count = CountWithin(a, b, *within, run);
      answer.status = count.status();
      if (count.ok()) answer.within_count = *count;
      return answer;
    }
    const absl::StatusOr<std::vector<PairDistance>> pairs =
        AllWithin(a, b, *within, run);
    answer.status = pairs.status();
    if (!pairs.ok()) return answer;
    answer.within_count = pairs->size();
    if (lists_pairs) answer.pairs = Global(WithPoints(*pairs, a, b));
    if (wants_clusters) answer.clusters = ClustersOf(a, b, *pairs, *within);
    return answer;
  }
  Answer Run(const PosedChunkedTarget& a, const PosedChunkedTarget& b,
             TraversalStatistics* statistics) const;
  void AddAnswer(const Answer& answer) {
    const bool too_close = answer.within_count.has_value()
                               ? *answer.within_count != 0
                               : answer.intersects();
    const bool is_inside =
        answer.relation.has_value() && AreInEachOther(*answer.relation);
    kept = kept && !too_close && !(is_inside && !answer.intersects());
  }

  Schema<Answer> ReportedAs() const;

 private:
  absl::Status CheckPairsFit(const PosedTree& a, const PosedTree& b) const {
    if (!within.has_value() || (!lists_pairs && !wants_clusters)) {
      return absl::OkStatus();
    }
    return CheckListFits<PairDistance>(
        {.memory = memory,
         .pair_bytes =
             sizeof(PairDistance) + sizeof(Witness) + sizeof(GlobalWitness),
         .most_pairs = static_cast<double>(a.tree().mesh().triangle_count()) *
                       static_cast<double>(b.tree().mesh().triangle_count())},
        [&](PairDistanceVisitor visitor) {
          VisitWithin(a, b, *within, visitor);
        });
  }
};

ClearanceAnswer ClearanceParameters::Run(
    const PosedChunkedTarget& a, const PosedChunkedTarget& b,
    TraversalStatistics* statistics) const {
  Answer answer;
  QueryOptions options = cores;
  options.statistics = statistics;
  options.inside = inside;
  const absl::StatusOr<std::optional<GlobalWitness>> nearest =
      Compute(kClosestPair, a, b, options);
  answer.status = nearest.status();
  if (!nearest.ok()) return answer;
  answer.nearest = **nearest;
  if (wants_relation) {
    const absl::StatusOr<MeshRelation> found =
        RelationOfChunks(a, b, answer.intersects(), options);
    answer.status = found.status();
    if (!found.ok()) return answer;
    answer.relation = *found;
  }
  if (!within.has_value()) return answer;
  if (!lists_pairs) {
    const absl::StatusOr<uint64_t> count =
        Compute(kCountWithin, a, b, *within, options);
    answer.status = count.status();
    if (count.ok()) answer.within_count = *count;
    return answer;
  }
  absl::StatusOr<std::vector<GlobalWitness>> pairs =
      Compute(kAllWitnessesWithin, a, b, *within, options);
  answer.status = pairs.status();
  if (!pairs.ok()) return answer;
  answer.within_count = pairs->size();
  answer.pairs = *std::move(pairs);
  return answer;
}

Phrase ClearanceText(const ClearanceAnswer& answer) {
  const GlobalWitness& nearest = answer.nearest;
  if (answer.intersects()) {
    return Say("meet\n  for example at    ", nearest.on_a, ", in triangle ",
               nearest.triangles.a, " of A and ", nearest.triangles.b,
               " of B\n");
  }
  return Say("do not meet", answer.relation ? SentenceOf(*answer.relation) : "",
             "\n  smallest distance ", Length{nearest.distance},
             "\n  on A              ", nearest.on_a, ", in triangle ",
             nearest.triangles.a, "\n  on B              ", nearest.on_b,
             ", in triangle ", nearest.triangles.b, "\n");
}

// Adds the depth. It is null if no translation was found, and 0 if the meshes
// are apart. If `alone`, CSV has columns for it.
void AddDepth(bool alone, Schema<ClearanceAnswer>& schema) {
  if (alone) {
    AddDepthColumns([](const ClearanceAnswer& a) { return a.depth; }, schema);
  }
  schema
      .AddObject("depth", DepthSchema(),
                 [](const ClearanceAnswer& a) { return a.depth; })
      .AddText([](const ClearanceAnswer& a) {
        if (!a.depth.has_value()) return Say("  no way out was found\n");
        const MeasureBounds& bounds = a.depth->depth;
        if (bounds.upper == 0) return Say("");
        return Say("  depth             ", Length{bounds.lower}, " to ",
                   Length{bounds.upper}, "\n  a way out         ",
                   a.depth->translation, "\n");
      });
}

// Maximum number of clusters in text. The other formats contain all of them.
constexpr size_t kClustersShown = 20;

// CSV contains only the pairs within the distance, if one is given, or their
// clusters. If the pairs are only counted, their number is a column.
Schema<ClearanceAnswer> ClearanceParameters::ReportedAs() const {
  const bool alone = !within.has_value() || wants_count;
  const auto column = [alone](std::string_view name) {
    return alone ? name : std::string_view();
  };
  const auto bounds = [](const Answer& a) -> Value {
    return std::array{a.bounds->lower, a.bounds->upper};
  };
  Schema<Answer> schema;
  schema
      .Add({"intersects", column("intersects")},
           [](const Answer& a) { return a.intersects(); })
      .Add({"distance", column("distance"), "", "length"},
           [](const Answer& a) { return a.nearest.distance; });
  if (wants_bounds)
    schema.Add({.json = "distance_bounds", .type = "interval"}, bounds);
  if (reports_witnesses) {
    AddWitness(
        "witness.a", {column("a"), column("a_x,a_y,a_z")},
        [](const Answer& a) { return a.nearest.triangles.a; },
        [](const Answer& a) { return a.nearest.on_a; }, schema);
    AddWitness(
        "witness.b", {column("b"), column("b_x,b_y,b_z")},
        [](const Answer& a) { return a.nearest.triangles.b; },
        [](const Answer& a) { return a.nearest.on_b; }, schema);
  }
  if (wants_relation) {
    schema.Add({.json = "relation", .type = "relation"}, [](const Answer& a) {
      return std::string(NameOf(*a.relation));
    });
  }
  schema.AddText(ClearanceText);
  if (wants_bounds) {
    schema.Add({std::nullopt, column("lower,upper")}, bounds)
        .Add({std::nullopt, "",
              "  exactly between   {x}\n  and               {x}\n"},
             [bounds](const Answer& a) -> Value {
               if (a.intersects()) return {};
               return bounds(a);
             });
  }
  if (wants_depth) AddDepth(alone, schema);
  if (!within.has_value()) return schema;
  if (wants_count) {
    schema.Add({"count_within", "count_within"},
               [](const Answer& a) { return uint64_t{*a.within_count}; });
  } else {
    schema.AddList({.json = "pairs_within", .rows = !wants_clusters},
                   NearPairSchema<GlobalWitness>(),
                   [](const Answer& a) { return std::span(a.pairs); });
  }
  schema.AddText([distance = *within](const Answer& a) {
    return Say("  within ", Length{distance}, ": ",
               Counted(*a.within_count, "pair"), " of triangles\n");
  });
  if (!wants_clusters) return schema;
  return schema
      .AddText([](const Answer& a) {
        return Cat(
            "  in ", Counted(a.clusters.size(), "place"),
            a.clusters.size() > kClustersShown
                ? Cat(", of which the nearest ", kClustersShown, " are\n")
            : a.clusters.empty() ? "\n"
                                 : ", the nearest first\n");
      })
      .AddList({.json = "places", .rows = true, .text_limit = kClustersShown},
               ClusterSchema(),
               [](const Answer& a) { return std::span(a.clusters); });
}

class ClearanceQuery : public Query {
 public:
  ClearanceQuery(PairArguments pair, std::optional<double> within,
                 bool wants_count, bool wants_clusters, bool wants_bounds,
                 bool wants_depth, bool wants_exit_code, InsideRule rule,
                 PairFiles files)
      : pair_(std::move(pair)),
        within_(within),
        wants_count_(wants_count),
        wants_clusters_(wants_clusters),
        wants_bounds_(wants_bounds),
        wants_depth_(wants_depth),
        wants_exit_code_(wants_exit_code),
        rule_(rule),
        files_(std::move(files)) {}

  absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                               const QueryContext& context) override;
  absl::StatusOr<Answered> RunOnChunks(std::span<const ChunkedTarget> trees,
                                       const QueryContext& context) override;
  std::optional<ResultType> TypeOfResults() const override {
    return TypeAtPoses(ClearanceParameters{.within = within_,
                                           .wants_count = wants_count_,
                                           .wants_clusters = wants_clusters_,
                                           .wants_relation = true,
                                           .wants_bounds = wants_bounds_,
                                           .wants_depth = wants_depth_});
  }

 private:
  // Omits everything that requires trees in memory.
  ClearanceParameters ParametersFor(size_t poses,
                                    const QueryContext& context) const {
    return {.within = within_,
            .wants_count = wants_count_,
            // CSV has no column for the relation, but the exit code may depend
            // on it.
            .wants_relation =
                context.settings.format != Format::kCsv || wants_exit_code_,
            .inside = rule_,
            .lists_pairs = !wants_count_ && context.settings.reported &&
                           context.settings.format != Format::kText,
            .reports_witnesses = context.settings.reports_witnesses,
            .cores = CoresOfEach(poses, context),
            .memory = context.settings.memory};
  }
  ExitCode ExitCodeOf(const ClearanceParameters& parameters) const {
    return wants_exit_code_ && !parameters.kept ? ExitCode::kLook
                                                : ExitCode::kOk;
  }

  const PairArguments pair_;
  const std::optional<double> within_;
  const bool wants_count_;
  const bool wants_clusters_;
  const bool wants_bounds_;
  const bool wants_depth_;
  const bool wants_exit_code_;
  const InsideRule rule_;
  const PairFiles files_;
};

absl::StatusOr<Answered> ClearanceQuery::Run(std::span<const Tree> trees,
                                             const QueryContext& context) {
  const absl::StatusOr<MeshPair> pair = PairOf(pair_, trees);
  if (!pair.ok()) return pair.status();
  const PairRelation relation(*pair, rule_);
  ClearanceParameters parameters =
      ParametersFor(pair->poses.poses.size(), context);
  parameters.relation = &relation;
  parameters.wants_clusters = wants_clusters_;
  parameters.wants_bounds = wants_bounds_;
  parameters.wants_depth = wants_depth_;
  const absl::StatusOr<TraversalStatistics> statistics =
      RunAtPoses(*pair, context, parameters);
  if (!statistics.ok()) return statistics.status();
  if (context.settings.reported) relation.WriteNotes(wants_depth_);
  if (context.settings.reported && context.settings.writes_files) {
    const absl::Status written = WriteClearanceFiles(
        files_, *pair, within_, rule_, context.settings, context.progress);
    if (!written.ok()) return written;
  }
  return Answered{ExitCodeOf(parameters), *statistics};
}

absl::StatusOr<Answered> ClearanceQuery::RunOnChunks(
    std::span<const ChunkedTarget> trees, const QueryContext& context) {
  const ChunkedPair pair = PairOf(pair_, trees);
  ClearanceParameters parameters =
      ParametersFor(pair.poses.poses.size(), context);
  const absl::StatusOr<TraversalStatistics> statistics =
      RunAtPoses(pair, context, parameters);
  if (!statistics.ok()) return statistics.status();
  if (context.settings.reported) WriteNotesOnChunks(pair, rule_);
  return Answered{ExitCodeOf(parameters), *statistics};
}

absl::StatusOr<std::unique_ptr<Query>> ReadClearance(const Arguments& arguments,
                                                     const Settings&) {
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  if (arguments.Has("--places") && !within->has_value()) {
    return UsageError("--places: goes with --within D; give the distance");
  }
  if (arguments.Has("--count") && !within->has_value()) {
    return UsageError("--count: goes with --within D; give the distance");
  }
  if (arguments.Has("--count") && arguments.Has("--places")) {
    return UsageError("--count and --places: give one of them");
  }
  absl::StatusOr<PairArguments> pair = ReadPair(arguments);
  if (!pair.ok()) return pair.status();
  absl::StatusOr<PairFiles> files = ReadPairFiles(arguments, *pair);
  if (!files.ok()) return files.status();
  const absl::StatusOr<InsideRule> rule = ReadInside(arguments);
  if (!rule.ok()) return rule.status();
  return std::make_unique<ClearanceQuery>(
      *std::move(pair), *within, arguments.Has("--count"),
      arguments.Has("--places"), arguments.Has("--bounds"),
      arguments.Has("--depth"), arguments.Has("--exit-code"), *rule,
      *std::move(files));
}

}  // namespace

const Command kClearanceCommand = {
    .name = "clearance",
    .summary = "how far two meshes are apart, and what is too close",
    .operands = kPairOperands,
    .options = kClearanceOptions,
    .about =
        "Prints if the surfaces of A and B overlap, and their smallest "
        "distance,\n"
        "with a point on each surface at that distance. With --within D, also\n"
        "the pairs of triangles at most D apart: text has their number, json "
        "and\n"
        "csv list them, with the point of each triangle that is closest to "
        "the\n"
        "other (csv: only the pairs). --places groups these pairs by where "
        "they\n"
        "are, and prints for each place the number of pairs, the smallest\n"
        "distance with its points, a box, and the area of the triangles on A "
        "and\n"
        "on B.\n",
    .examples = kClearanceExamples,
    .read_query = ReadClearance,
    .variants = kClearanceVariants,
    .in_memory = kClearanceInMemory,
    .more_help = HelpOnRelations,
};

}  // namespace orbox::cli
