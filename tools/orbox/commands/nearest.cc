// SPDX-License-Identifier: Apache-2.0

// orbox nearest: finds the points of a mesh that are closest to given points.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/surface_side.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/arguments/rows.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/batch_loop.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/cloud.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/normals.h"
#include "tools/orbox/commands/one_mesh_query.h"
#include "tools/orbox/commands/pair_relation.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/schema.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kNearestOperands[] = {"MESH"};

constexpr Option kNearestOptions[] = {
    {"--point", "x,y,z", "a point; may be repeated", true},
    {"--points", "FILE",
     "points, one a row: x,y,z (CSV, XYZ, PTS), or the points of a PLY or PCD "
     "file"},
    {"--k", "K", "the K nearest triangles (default: 1)"},
    {"--max-distance", "D", "only triangles within D, D included"},
    {"--signed", "",
     "add the signed distance, negative inside, and if the point is inside; "
     "for closed meshes, without --k. If faces do not agree, parity decides "
     "what is inside, and a note says so"},
    kInsideOption,
    {"--winding", "",
     "add the winding number, to within 0.001, and if it is above 1/2: inside "
     "and outside of open meshes; without --k"},
    {"--side", "",
     "add the side of the surface next to the point: above (in front of the "
     "faces), below or on; for open surfaces such as terrains, without --k"},
    {"--bounds", "",
     "add two doubles that enclose the exact distance; they are equal if it is "
     "a double; without --k"},
    kNormalsOption,
    kMeshPoseOption,
    kMeshFlattenOption,
};

constexpr std::string_view kNearestExamples[] = {
    "orbox nearest part.stl --point 0,0,1",
    "orbox nearest part.stl --points scan.csv --max-distance 0.5 --format csv",
    "orbox nearest part.stl --points - --k 10 --format json < scan.csv",
    "orbox nearest part.stl --points scan.csv --signed --format csv",
    "orbox nearest arm.stl --points scan.csv --pose @pose.csv",
};

constexpr std::string_view kNearestColumns = "x,y,z";

// Result about the side of the surface on which a point is.
enum class SideResult { kNone, kSigned, kWinding, kSide };

struct NearestParameters {
  std::string mesh;  // the name of its file
  std::vector<Vec3> points;
  size_t k = 1;
  SideResult sides = SideResult::kNone;
  InsideRule inside = InsideRule::kWinding;
  bool bounds = false;
  bool normals = false;
  double max_distance = std::numeric_limits<double>::infinity();
};

absl::StatusOr<std::vector<Vec3>> ReadPoints(const Arguments& arguments) {
  if (arguments.Has("--point") == arguments.Has("--points")) {
    return UsageError("give one of --point and --points");
  }
  if (arguments.Has("--points")) {
    std::vector<ReadNote> notes;
    const std::string& path = arguments.Value("--points");
    const absl::StatusOr<std::vector<Vec3>> points = ReadCloud(
        path,
        {.notes = &notes, .skip_invalid = arguments.Has("--skip-invalid")});
    for (const ReadNote& note : notes) {
      WriteToStandardError(Cat("orbox: note: ", OnOneLine(path), ": ",
                               OnOneLine(TextOf(note)), "\n"));
    }
    return points;
  }
  std::vector<Vec3> points;
  for (const std::string& text : arguments.Values("--point")) {
    const absl::StatusOr<std::vector<double>> row =
        ParseRow(text, kNearestColumns, AnyNumbers);
    if (!row.ok()) {
      return UsageError(Cat("--point: ", std::string(row.status().message())));
    }
    points.push_back({(*row)[0], (*row)[1], (*row)[2]});
  }
  return points;
}

absl::StatusOr<NearestParameters> ReadNearestParameters(
    const Arguments& arguments) {
  NearestParameters parameters{.mesh = NameOfInput(arguments.operands()[0])};
  const absl::StatusOr<std::optional<uint64_t>> k =
      arguments.Count("--k", 1, Mesh::kMaxTriangles);
  if (!k.ok()) return k.status();
  parameters.k = k->value_or(parameters.k);
  const absl::StatusOr<std::optional<double>> max_distance =
      arguments.Real("--max-distance", 0);
  if (!max_distance.ok()) return max_distance.status();
  parameters.max_distance = max_distance->value_or(parameters.max_distance);
  constexpr std::pair<std::string_view, SideResult> kSides[] = {
      {"--signed", SideResult::kSigned},
      {"--winding", SideResult::kWinding},
      {"--side", SideResult::kSide}};
  for (const auto& [option, sides] : kSides) {
    if (!arguments.Has(option)) continue;
    if (parameters.sides != SideResult::kNone) {
      return UsageError("give one of --signed, --winding and --side");
    }
    if (parameters.k > 1) {
      return UsageError(
          Cat(option, " is about the nearest triangle; leave out --k"));
    }
    parameters.sides = sides;
  }
  const absl::StatusOr<InsideRule> rule = ReadInside(arguments);
  if (!rule.ok()) return rule.status();
  parameters.inside = *rule;
  if (arguments.Has("--inside") && parameters.sides != SideResult::kSigned) {
    return UsageError("--inside goes with --signed");
  }
  parameters.normals = arguments.Has("--normals");
  parameters.bounds = arguments.Has("--bounds");
  if (parameters.bounds && parameters.k > 1) {
    return UsageError("--bounds is about the nearest triangle; leave out --k");
  }
  // Reads the file last, so that the command line is checked first.
  absl::StatusOr<std::vector<Vec3>> points = ReadPoints(arguments);
  if (!points.ok()) return points.status();
  parameters.points = std::move(*points);
  return parameters;
}

// A nearest triangle, with the result about the side if it is requested.
struct Nearest {
  GlobalSurfacePoint at;
  // The signed distance, the winding number, or the value of a SurfaceSide.
  double side = 0;
  std::optional<DistanceInterval> bounds;
};
using Points = std::span<const Nearest>;

GlobalSurfacePoint GlobalPoint(const SurfacePoint& p) {
  return {p.triangle, p.distance, p.point};
}
const GlobalSurfacePoint& GlobalPoint(const GlobalSurfacePoint& p) { return p; }

// Queries of a ChunkedTarget, with the arguments of those of a tree in memory.
QueryOptions LimitedOptions(double max_distance, const RunOptions& options) {
  return {.max_distance = max_distance,
          .statistics = options.statistics,
          .threads = options.threads,
          .progress = options.progress};
}
auto ClosestPoint(const ChunkedTarget& tree, std::span<const Vec3> points,
                  double max_distance, const RunOptions& options) {
  return Compute(kClosestPoint, tree, points,
                 LimitedOptions(max_distance, options));
}
auto KNearest(const ChunkedTarget& tree, std::span<const Vec3> points, size_t k,
              double max_distance, const RunOptions& options) {
  return Compute(kKNearest, tree, points, k,
                 LimitedOptions(max_distance, options));
}

// Returns the K nearest triangles of a TreeAtPose or a ChunkedTarget.
template <typename AnyTree>
absl::StatusOr<Lists<Nearest>> RunMany(const AnyTree& tree,
                                       std::span<const Vec3> points, size_t k,
                                       double max_distance,
                                       const RunOptions& options) {
  auto found = KNearest(tree, points, k, max_distance, options);
  if (!found.ok()) return found.status();
  Lists<Nearest> lists;
  lists.offsets = std::move(found->offsets);
  lists.values.reserve(found->values.size());
  for (const auto& p : found->values)
    lists.values.push_back({.at = GlobalPoint(p)});
  return lists;
}

absl::Status OfFile(std::string_view file, const absl::Status& status) {
  return absl::Status(status.code(),
                      Cat(file, ": ", std::string(status.message())));
}

bool IsInside(SideResult sides, const Nearest& p) {
  return sides == SideResult::kSigned ? p.side < 0 : p.side > 0.5;
}

// A field of a ChunkedTarget, with the functions of SignedDistanceField and
// WindingNumberField.
template <const auto& kFunction>
class ChunkField {
 public:
  static absl::StatusOr<ChunkField> Create(
      const ChunkedTarget& tree, InsideRule rule = InsideRule::kWinding) {
    const auto function = Compute(kFunction, tree);
    if (!function.ok()) return function.status();
    return ChunkField(*function, rule);
  }
  static absl::StatusOr<ChunkField> Of(const ChunkedTarget& tree) {
    return Create(tree);
  }

  auto ClosestPoint(std::span<const Vec3> points, double max_distance,
                    const RunOptions& options) const {
    QueryOptions limited = LimitedOptions(max_distance, options);
    limited.inside = rule_;
    return function_(points, limited);
  }
  // Requires max_error == kWindingError.
  auto At(std::span<const Vec3> points, double /*max_error*/,
          const RunOptions& options) const {
    return function_(points, {.threads = options.threads});
  }

 private:
  using Function =
      typename ChunkQuery<kFunction, ChunkedTree>::Result::value_type;
  ChunkField(Function function, InsideRule rule)
      : function_(std::move(function)), rule_(rule) {}

  Function function_;
  InsideRule rule_;
};

// Runs batches of the query's points, on a TreeAtPose or a ChunkedTarget.
template <typename AnyTree, typename SignedField, typename WindingField>
class BatchSearch {
 public:
  static absl::StatusOr<BatchSearch> Create(
      const AnyTree& tree, const NearestParameters& parameters) {
    BatchSearch search(tree, parameters);
    if (parameters.sides == SideResult::kSigned) {
      absl::StatusOr<SignedField> field =
          SignedField::Create(tree, parameters.inside);
      if (!field.ok()) return OfFile(parameters.mesh, field.status());
      search.signed_ = *std::move(field);
    }
    if (parameters.sides == SideResult::kWinding) {
      absl::StatusOr<WindingField> field = WindingField::Of(tree);
      if (!field.ok()) return OfFile(parameters.mesh, field.status());
      search.winding_ = *std::move(field);
    }
    if constexpr (std::is_same_v<AnyTree, TreeAtPose>) {
      if (parameters.sides == SideResult::kSide) {
        search.above_ = SurfaceSideField::Of(tree);
      }
    }
    return search;
  }

  // The tree of the signed distances. Requires SideResult::kSigned.
  const Tree& signed_tree() const { return signed_->tree(); }

  absl::StatusOr<Lists<Nearest>> Run(const QueryBatch& batch) const {
    const std::span<const Vec3> points = batch.Of(parameters_.points);
    const double most = parameters_.max_distance;
    const RunOptions options = RunOptionsOf(batch.options);
    if (parameters_.k > 1)
      return RunMany(tree_, points, parameters_.k, most, options);
    const auto found = signed_.has_value()
                           ? signed_->ClosestPoint(points, most, options)
                           : ClosestPoint(tree_, points, most, options);
    if (!found.ok()) return found.status();
    std::vector<double> windings(points.size());
    if (winding_.has_value()) {
      // Progress was reported for the closest points already.
      absl::StatusOr<std::vector<double>> numbers =
          winding_->At(points, kWindingError, {.threads = options.threads});
      if (!numbers.ok()) return numbers.status();
      windings = *std::move(numbers);
    }
    Lists<Nearest> lists;
    for (size_t i = 0; i < points.size(); ++i) {
      if ((*found)[i].has_value()) {
        Nearest nearest{GlobalPoint(*(*found)[i]), windings[i], std::nullopt};
        if (signed_.has_value()) {
          nearest.side = nearest.at.distance;
          nearest.at.distance = std::abs(nearest.side);
        }
        if constexpr (std::is_same_v<AnyTree, TreeAtPose>) {
          if (above_.has_value()) {
            nearest.side =
                static_cast<double>(above_->Side(points[i], *(*found)[i]));
          }
          if (parameters_.bounds) {
            nearest.bounds = BoundsOfDistance(tree_, points[i], *(*found)[i]);
          }
        }
        lists.values.push_back(nearest);
      }
      lists.offsets.push_back(lists.values.size());
    }
    return lists;
  }

 private:
  BatchSearch(const AnyTree& tree, const NearestParameters& parameters)
      : tree_(tree), parameters_(parameters) {}

  const AnyTree& tree_;
  const NearestParameters& parameters_;
  std::optional<SignedField> signed_;
  std::optional<WindingField> winding_;
  std::optional<SurfaceSideField> above_;
};
using TreeSearch =
    BatchSearch<TreeAtPose, SignedDistanceField, WindingNumberField>;
using ChunkSearch = BatchSearch<ChunkedTarget, ChunkField<kSignedPointsOf>,
                                ChunkField<kWindingNumbersOf>>;

// `tree` is null for chunked trees, whose points have no normals.
Schema<Nearest> NearestSchema(const NearestParameters& parameters,
                              const TreeAtPose* tree) {
  const SideResult sides = parameters.sides;
  const bool bounds = parameters.bounds;
  const auto side = [](const Nearest& p) { return p.side; };
  const auto inside = [sides](const Nearest& p) { return IsInside(sides, p); };
  const auto interval = [](const Nearest& p) {
    return std::array{p.bounds->lower, p.bounds->upper};
  };
  Schema<Nearest> schema;
  schema
      .Add({"triangle", "triangle", "triangle {}"},
           [](const Nearest& p) { return p.at.triangle; })
      .Add({"distance", "distance", " at distance {u}"},
           [](const Nearest& p) { return p.at.distance; })
      .Add({"point", "x,y,z", ", at {}"},
           [](const Nearest& p) { return p.at.point; });
  if (bounds) {
    schema.Add({"distance_bounds", "", ", between {x} and {x}"}, interval);
  }
  if (sides == SideResult::kSigned) {
    schema.Add({"signed_distance", "signed_distance"}, side);
  }
  if (sides == SideResult::kWinding) {
    schema.Add({"winding_number", "winding_number", ", winding {}"}, side);
  }
  if (sides == SideResult::kSide) {
    schema.Add({"side", "side", ", {}"}, [](const Nearest& p) {
      return std::string(p.side > 0 ? "above" : p.side < 0 ? "below" : "on");
    });
  } else if (sides != SideResult::kNone) {
    schema.Add({"inside"}, inside).AddText([inside](const Nearest& p) {
      return inside(p) ? ", inside" : ", not inside";
    });
  }
  if (bounds) schema.Add({std::nullopt, "lower,upper"}, interval);
  if (parameters.normals) {
    AddNormals(
        *tree,
        [tree = *tree](const Nearest& p) {
          const auto id = static_cast<uint32_t>(p.at.triangle);
          return SurfacePlace{id, BarycentricAt(tree, id, p.at.point)};
        },
        &schema);
  }
  return schema.AddText([](const Nearest&) { return "\n"; });
}

Schema<Points> SchemaOf(const NearestParameters& parameters,
                        const TreeAtPose* tree) {
  Schema<Points> schema;
  schema.AddList({.json = "",
                  .rows = true,
                  .lines = true,
                  .text_if_empty = "nothing within the distance\n"},
                 NearestSchema(parameters, tree),
                 [](Points points) { return points; });
  return schema;
}

class NearestQuery : public OneMeshQuery {
 public:
  NearestQuery(Poses pose, NearestParameters parameters)
      : OneMeshQuery(std::move(pose)), parameters_(std::move(parameters)) {}

 private:
  absl::StatusOr<Answered> RunOn(TreeAtPose tree,
                                 const QueryContext& context) override;
  absl::StatusOr<Answered> RunOn(const ChunkedTarget& tree,
                                 const QueryContext& context) override;

  const NearestParameters parameters_;
};

absl::StatusOr<Answered> NearestQuery::RunOn(TreeAtPose tree,
                                             const QueryContext& context) {
  const absl::StatusOr<TreeSearch> search =
      TreeSearch::Create(tree, parameters_);
  if (!search.ok()) return search.status();
  if (parameters_.sides == SideResult::kSigned && context.settings.reported &&
      report::IsJudgedByParity(search->signed_tree().mesh(),
                               parameters_.inside)) {
    WriteNoteOnParity(parameters_.mesh);
  }
  return AnswerBatches<Nearest>(
      SchemaOf(parameters_, &tree), parameters_.points.size(), context,
      [&](const QueryBatch& batch) { return search->Run(batch); },
      given_pose());
}

absl::StatusOr<Answered> NearestQuery::RunOn(const ChunkedTarget& tree,
                                             const QueryContext& context) {
  if (parameters_.bounds || parameters_.normals) {
    return UsageError(
        "--bounds and --normals do not support chunked trees; give a mesh or a "
        "tree file");
  }
  if (parameters_.sides == SideResult::kSide) {
    return UsageError(
        "--side does not support chunked trees; give a mesh or a tree file");
  }
  const absl::StatusOr<ChunkSearch> search =
      ChunkSearch::Create(tree, parameters_);
  if (!search.ok()) return search.status();
  // The faces are known, because signed distances require a closed mesh.
  if (parameters_.sides == SideResult::kSigned && context.settings.reported &&
      parameters_.inside == InsideRule::kWinding &&
      tree.tree.known_faces() == ChunkedTree::Faces::kDisagree) {
    WriteNoteOnParity(parameters_.mesh);
  }
  return AnswerBatches<Nearest>(
      SchemaOf(parameters_, nullptr), parameters_.points.size(), context,
      [&](const QueryBatch& batch) { return search->Run(batch); });
}

absl::StatusOr<std::unique_ptr<Query>> ReadNearest(const Arguments& arguments,
                                                   const Settings&) {
  const absl::Status input =
      CheckStandardInput({arguments.operands()[0], arguments.Value("--points"),
                          PoseFileOf(arguments.Value("--pose"))});
  if (!input.ok()) return input;
  absl::StatusOr<Poses> pose = ReadMeshPose(arguments);
  if (!pose.ok()) return pose.status();
  absl::StatusOr<NearestParameters> parameters =
      ReadNearestParameters(arguments);
  if (!parameters.ok()) return parameters.status();
  return std::make_unique<NearestQuery>(*std::move(pose),
                                        *std::move(parameters));
}

}  // namespace

const Command kNearestCommand = {
    .name = "nearest",
    .summary = "the closest points of a mesh, or the K nearest triangles",
    .operands = kNearestOperands,
    .options = kNearestOptions,
    .about =
        "Prints the nearest triangles of each point, the nearest first, each "
        "with\n"
        "its distance and the point on it that is closest. Among triangles at\n"
        "equal distances, the lower number comes first.\n",
    .examples = kNearestExamples,
    .read_query = ReadNearest,
    .more_help = HelpOnRows,
};

}  // namespace orbox::cli
