// SPDX-License-Identifier: Apache-2.0

// orbox nearest: finds the points of a mesh that are closest to given points.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/schema.h"
#include "tools/report/pair_report.h"

namespace orbox::cli {
namespace {

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

constexpr std::string_view kNearestVariants[] = {
    "--point 0,0,0", "| --bounds", "| --signed | --winding | --side",
    "| --normals"};

constexpr std::string_view kNearestInMemory[] = {"--side", "--bounds",
                                                 "--normals", "--pose"};

constexpr QueryArgument<Vec3> kPoint = {"--point", "--points", "x,y,z",
                                        AnyNumbers,
                                        [](std::span<const double> row) {
                                          return Vec3{row[0], row[1], row[2]};
                                        }};

// Result about the side of the surface on which a point is.
enum class SideResult { kNone, kSigned, kWinding, kSide };

absl::StatusOr<std::vector<Vec3>> ReadPoints(const Arguments& arguments) {
  if (absl::Status s = CheckOneIsGiven(arguments, kPoint); !s.ok()) return s;
  if (!arguments.Has("--points")) return ReadTypedQueries(arguments, kPoint);
  std::vector<ReadNote> notes;
  const std::string& path = arguments.Value("--points");
  const absl::StatusOr<std::vector<Vec3>> points = ReadCloud(
      path, {.notes = &notes, .skip_invalid = arguments.Has("--skip-invalid")});
  for (const ReadNote& note : notes) {
    WriteToStandardError(Cat("orbox: note: ", OnOneLine(path), ": ",
                             OnOneLine(TextOf(note)), "\n"));
  }
  return points;
}

// A nearest triangle, with the result about the side if it is requested.
struct Nearest {
  GlobalSurfacePoint at;
  // The signed distance, the winding number, or the value of a SurfaceSide.
  double side = 0;
  std::optional<DistanceInterval> bounds = {};
};
using Points = std::span<const Nearest>;

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

struct NearestRow {
  using Found = Nearest;
  static constexpr std::span<const Option> kOptions = kNearestOptions;

  std::string mesh;  // the name of its file
  std::vector<Vec3> points = {};
  size_t k = 1;
  SideResult sides = SideResult::kNone;
  InsideRule inside = InsideRule::kWinding;
  bool bounds = false;
  bool normals = false;
  double max_distance = std::numeric_limits<double>::infinity();

  static absl::StatusOr<NearestRow> Read(const Arguments& arguments);
  size_t size() const { return points.size(); }
  Schema<Points> Results(const PosedTree* tree) const;
  template <typename AnyTree>
  absl::StatusOr<BatchSearch<Found>> On(const AnyTree& tree,
                                        const Settings& settings) const;
};

absl::StatusOr<NearestRow> NearestRow::Read(const Arguments& arguments) {
  NearestRow row{.mesh = NameOfInput(arguments.operands()[0])};
  const absl::StatusOr<std::optional<uint64_t>> k =
      arguments.Count("--k", 1, Mesh::kMaxTriangles);
  if (!k.ok()) return k.status();
  row.k = k->value_or(row.k);
  const absl::StatusOr<std::optional<double>> max_distance =
      arguments.Real("--max-distance", 0);
  if (!max_distance.ok()) return max_distance.status();
  row.max_distance = max_distance->value_or(row.max_distance);
  constexpr std::pair<std::string_view, SideResult> kSides[] = {
      {"--signed", SideResult::kSigned},
      {"--winding", SideResult::kWinding},
      {"--side", SideResult::kSide}};
  for (const auto& [option, sides] : kSides) {
    if (!arguments.Has(option)) continue;
    if (row.sides != SideResult::kNone) {
      return UsageError("give one of --signed, --winding and --side");
    }
    if (row.k > 1) {
      return UsageError(
          Cat(option, " is about the nearest triangle; leave out --k"));
    }
    row.sides = sides;
  }
  const absl::StatusOr<InsideRule> rule = ReadInside(arguments);
  if (!rule.ok()) return rule.status();
  row.inside = *rule;
  if (arguments.Has("--inside") && row.sides != SideResult::kSigned) {
    return UsageError("--inside goes with --signed");
  }
  row.normals = arguments.Has("--normals");
  row.bounds = arguments.Has("--bounds");
  if (row.bounds && row.k > 1) {
    return UsageError("--bounds is about the nearest triangle; leave out --k");
  }
  // Reads the file last, so that the command line is checked first.
  absl::StatusOr<std::vector<Vec3>> points = ReadPoints(arguments);
  if (!points.ok()) return points.status();
  row.points = *std::move(points);
  return row;
}

template <typename Point>
GlobalSurfacePoint GlobalPoint(const Point& p) {
  return {p.triangle, p.distance, p.point};
}

absl::Status OfFile(std::string_view file, const absl::Status& status) {
  return absl::Status(status.code(),
                      Cat(file, ": ", std::string(status.message())));
}

// The fields of the trees, with the batches that the search calls.
struct TreeFields {
  using Signed = SignedDistanceField;
  using Winding = WindingNumberField;
};

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
struct ChunkFields {
  using Signed = ChunkField<kSignedPointsOf>;
  using Winding = ChunkField<kWindingNumbersOf>;
};

// Returns true if parity decides what is inside, because faces do not agree.
bool IsJudgedByParity(const SignedDistanceField& field,
                      const PosedTree& /*tree*/, InsideRule rule) {
  return report::IsJudgedByParity(field.tree().mesh(), rule);
}
// The faces are known, because signed distances require a closed mesh.
bool IsJudgedByParity(const ChunkFields::Signed& /*field*/,
                      const ChunkedTarget& tree, InsideRule rule) {
  return rule == InsideRule::kWinding &&
         tree.tree.known_faces() == ChunkedTree::Faces::kDisagree;
}

// Runs batches of the row's points.
template <typename AnyTree>
struct NearestSearch {
  static constexpr bool kInMemory = std::is_same_v<AnyTree, PosedTree>;
  using Fields = std::conditional_t<kInMemory, TreeFields, ChunkFields>;

  const NearestRow& row;
  const AnyTree& tree;
  std::optional<typename Fields::Signed> signed_field = {};
  std::optional<typename Fields::Winding> winding = {};
  std::optional<SurfaceSideField> side = {};

  absl::StatusOr<Lists<Nearest>> operator()(const QueryBatch& batch) const;
};

template <typename AnyTree>
absl::StatusOr<BatchSearch<Nearest>> NearestRow::On(
    const AnyTree& tree, const Settings& settings) const {
  using Search = NearestSearch<AnyTree>;
  Search search{*this, tree};
  if (sides == SideResult::kSigned) {
    auto field = Search::Fields::Signed::Create(tree, inside);
    if (!field.ok()) return OfFile(mesh, field.status());
    search.signed_field = *std::move(field);
    if (settings.reported &&
        IsJudgedByParity(*search.signed_field, tree, inside)) {
      WriteNoteOnParity(mesh);
    }
  }
  if (sides == SideResult::kWinding) {
    absl::StatusOr<typename Search::Fields::Winding> field =
        Search::Fields::Winding::Of(tree);
    if (!field.ok()) return OfFile(mesh, field.status());
    search.winding = *std::move(field);
  }
  if constexpr (Search::kInMemory) {
    if (sides == SideResult::kSide) search.side = SurfaceSideField::Of(tree);
  }
  return search;
}

template <typename AnyTree>
absl::StatusOr<Lists<Nearest>> NearestSearch<AnyTree>::operator()(
    const QueryBatch& batch) const {
  const std::span<const Vec3> points = batch.Of(row.points);
  const double most = row.max_distance;
  const RunOptions options = RunOptionsOf(batch.options);
  if (row.k > 1) {
    return ListsOf<Nearest>(
        KNearest(tree, points, row.k, most, options),
        [](const auto& p) { return Nearest{GlobalPoint(p)}; });
  }
  const auto found = signed_field.has_value()
                         ? signed_field->ClosestPoint(points, most, options)
                         : ClosestPoint(tree, points, most, options);
  if (!found.ok()) return found.status();
  std::vector<double> windings(points.size());
  if (winding.has_value()) {
    // Progress was reported for the closest points already.
    absl::StatusOr<std::vector<double>> numbers =
        winding->At(points, kWindingError, {.threads = options.threads});
    if (!numbers.ok()) return numbers.status();
    windings = *std::move(numbers);
  }
  Lists<Nearest> lists;
  for (size_t i = 0; i < points.size(); ++i) {
    if ((*found)[i].has_value()) {
      Nearest nearest{GlobalPoint(*(*found)[i]), windings[i]};
      if (signed_field.has_value()) {
        nearest.side = nearest.at.distance;
        nearest.at.distance = std::abs(nearest.side);
      }
      if constexpr (kInMemory) {
        if (side.has_value()) {
          nearest.side =
              static_cast<double>(side->Side(points[i], *(*found)[i]));
        }
        if (row.bounds) {
          nearest.bounds = BoundsOfDistance(tree, points[i], *(*found)[i]);
        }
      }
      lists.values.push_back(nearest);
    }
    lists.offsets.push_back(lists.values.size());
  }
  return lists;
}

Schema<Points> NearestRow::Results(const PosedTree* tree) const {
  const auto side = [](const Nearest& p) { return p.side; };
  const auto is_inside = [sides = sides](const Nearest& p) {
    return sides == SideResult::kSigned ? p.side < 0 : p.side > 0.5;
  };
  const auto interval = [](const Nearest& p) {
    return std::array{p.bounds->lower, p.bounds->upper};
  };
  Schema<Nearest> nearest;
  nearest
      .Add({"triangle", "triangle", "triangle {}", "triangle"},
           [](const Nearest& p) { return p.at.triangle; })
      .Add({"distance", "distance", " at distance {u}", "length"},
           [](const Nearest& p) { return p.at.distance; })
      .Add({"point", "x,y,z", ", at {}"},
           [](const Nearest& p) { return p.at.point; });
  if (bounds) {
    nearest.Add({"distance_bounds", "", ", between {x} and {x}"}, interval);
  }
  if (sides == SideResult::kSigned) {
    nearest.Add({"signed_distance", "signed_distance"}, side);
  }
  if (sides == SideResult::kWinding) {
    nearest.Add({"winding_number", "winding_number", ", winding {}"}, side);
  }
  if (sides == SideResult::kSide) {
    nearest.Add({"side", "side", ", {}", "above|on|below"},
                [](const Nearest& p) {
                  return std::string(p.side > 0   ? "above"
                                     : p.side < 0 ? "below"
                                                  : "on");
                });
  } else if (sides != SideResult::kNone) {
    nearest.Add({"inside"}, is_inside).AddText([is_inside](const Nearest& p) {
      return is_inside(p) ? ", inside" : ", not inside";
    });
  }
  if (bounds) nearest.Add({std::nullopt, "lower,upper"}, interval);
  if (normals) {
    AddNormals(
        tree,
        [tree](const Nearest& p) {
          const auto id = static_cast<uint32_t>(p.at.triangle);
          return SurfacePlace{id, BarycentricAt(*tree, id, p.at.point)};
        },
        &nearest);
  }
  nearest.AddText([](const Nearest&) { return "\n"; });
  Schema<Points> schema;
  schema.AddList({.json = "",
                  .rows = true,
                  .lines = true,
                  .text_if_empty = "nothing within the distance\n"},
                 nearest, [](Points list) { return list; });
  return schema;
}

}  // namespace

const Command kNearestCommand = OneMeshCommand<NearestRow>({
    .name = "nearest",
    .summary = "the closest points of a mesh, or the K nearest triangles",
    .about =
        "Prints the nearest triangles of each point, the nearest first, each "
        "with\n"
        "its distance and the point on it that is closest. Among triangles at\n"
        "equal distances, the lower number comes first.\n",
    .examples = kNearestExamples,
    .variants = kNearestVariants,
    .in_memory = kNearestInMemory,
});

}  // namespace orbox::cli
