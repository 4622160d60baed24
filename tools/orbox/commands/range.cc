// SPDX-License-Identifier: Apache-2.0

// orbox range: finds the triangles that overlap a ball, a box or a convex set.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/overlap/triangles/half_spaces.h"
#include "tools/orbox/arguments/rows.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/batch_loop.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/one_mesh_query.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kRangeOperands[] = {"MESH"};

constexpr Option kRangeOptions[] = {
    {"--sphere", "x,y,z,r", "a ball; may be repeated", true},
    {"--spheres", "FILE", "balls, one a row: x,y,z,r"},
    {"--box", "lox,loy,loz,hix,hiy,hiz", "a box; may be repeated", true},
    {"--boxes", "FILE", "boxes, one a row: lox,loy,loz,hix,hiy,hiz"},
    {"--half-spaces", "FILE",
     "a convex set, such as a view frustum: the half-spaces that bound it, one "
     "a row; nx,ny,nz,d stands for n.p <= d; may be repeated",
     true},
    kMeshPoseOption,
    kMeshFlattenOption,
};

constexpr std::string_view kRangeExamples[] = {
    "orbox range part.stl --sphere 0,0,1,0.25",
    "orbox range part.stl --box -1,-1,0,1,1,0 --format csv",
    "orbox range part.stl --spheres probes.csv --stats --format json",
    "orbox range hall.ply --half-spaces frustum.csv",
    "orbox range arm.stl --sphere 0,0,1,0.25 "
    "--pose 0,-1,0,0.5,1,0,0,0,0,0,1,0",
};

// All queries of a command line are of one kind.
using HalfSpaceSet = std::vector<HalfSpace>;
using Shapes = std::variant<std::vector<Sphere>, std::vector<Aabb>,
                            std::vector<HalfSpaceSet>>;

absl::Status CheckSphere(std::span<const double> row) {
  if (row[3] >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      Cat("the radius ", row[3], " is negative; give 0 or more"));
}

Sphere MakeSphere(std::span<const double> row) {
  return {{row[0], row[1], row[2]}, row[3]};
}

absl::Status CheckBox(std::span<const double> row) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (row[axis] <= row[axis + 3]) continue;
    return absl::InvalidArgumentError(
        Cat("the box ends at ", row[axis + 3], " before it begins at ",
            row[axis], " along ", std::string(1, "xyz"[axis]),
            "; give the lower corner first"));
  }
  return absl::OkStatus();
}

Aabb MakeBox(std::span<const double> row) {
  return {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
}

HalfSpace MakeHalfSpace(std::span<const double> row) {
  return {{row[0], row[1], row[2]}, row[3]};
}

// Converts rows to shapes.
template <typename Shape>
struct ShapeKind {
  std::string_view columns;
  absl::Status (*check)(std::span<const double> row);
  Shape (*make)(std::span<const double> row);
};
constexpr ShapeKind<Sphere> kSphere = {"x,y,z,r", CheckSphere, MakeSphere};
constexpr ShapeKind<Aabb> kBox = {"lox,loy,loz,hix,hiy,hiz", CheckBox, MakeBox};
constexpr ShapeKind<HalfSpace> kHalfSpace = {"nx,ny,nz,d", AnyNumbers,
                                             MakeHalfSpace};

template <typename Shape>
absl::StatusOr<std::vector<Shape>> ReadFile(const std::string& path,
                                            const ShapeKind<Shape>& kind) {
  const absl::StatusOr<Rows> rows = ReadRows(path, kind.columns, kind.check);
  if (!rows.ok()) return rows.status();
  std::vector<Shape> shapes;
  shapes.reserve(rows->size());
  for (size_t i = 0; i < rows->size(); ++i) {
    shapes.push_back(kind.make(rows->row(i)));
  }
  return shapes;
}

template <typename Shape>
absl::StatusOr<std::vector<Shape>> ReadTyped(const Arguments& arguments,
                                             std::string_view option,
                                             const ShapeKind<Shape>& kind) {
  std::vector<Shape> shapes;
  for (const std::string& text : arguments.Values(option)) {
    const absl::StatusOr<std::vector<double>> row =
        ParseRow(text, kind.columns, kind.check);
    if (!row.ok()) {
      return UsageError(Cat(option, ": ", std::string(row.status().message())));
    }
    shapes.push_back(kind.make(*row));
  }
  return shapes;
}

absl::StatusOr<std::vector<HalfSpaceSet>> ReadSets(const Arguments& arguments) {
  std::vector<HalfSpaceSet> sets;
  for (const std::string& path : arguments.Values("--half-spaces")) {
    absl::StatusOr<HalfSpaceSet> set = ReadFile(path, kHalfSpace);
    if (!set.ok()) return set.status();
    sets.push_back(*std::move(set));
  }
  return sets;
}

absl::StatusOr<Shapes> ReadShapes(const Arguments& arguments) {
  constexpr std::string_view kWays[] = {"--sphere", "--spheres", "--box",
                                        "--boxes", "--half-spaces"};
  const auto given =
      std::count_if(std::begin(kWays), std::end(kWays),
                    [&](std::string_view way) { return arguments.Has(way); });
  if (given != 1) {
    return UsageError(
        Cat(given == 0 ? "no query given" : "several queries given",
            "; give one of --sphere, --spheres, --box, --boxes, "
            "--half-spaces"));
  }
  if (arguments.Has("--spheres")) {
    return ReadFile(arguments.Value("--spheres"), kSphere);
  }
  if (arguments.Has("--boxes")) {
    return ReadFile(arguments.Value("--boxes"), kBox);
  }
  if (arguments.Has("--sphere")) {
    return ReadTyped(arguments, "--sphere", kSphere);
  }
  if (arguments.Has("--box")) return ReadTyped(arguments, "--box", kBox);
  return ReadSets(arguments);
}

// 32-bit ids, or 64-bit ids for chunked trees.
template <typename Id>
using Ids = std::span<const Id>;

// Chunked trees have other options.
template <typename AnyTree>
auto IdsIn(const AnyTree& tree, const Regions& regions,
           const QueryBatch& batch) {
  if constexpr (std::is_convertible_v<const AnyTree&, TreeAtPose>) {
    return AllOverlaps(tree, regions, RunOptionsOf(batch.options));
  } else {
    return Compute(kAllOverlaps, tree, regions, batch.options);
  }
}

// Returns the results for a batch of shapes of any kind.
template <typename AnyTree>
auto CollectIds(const AnyTree& tree, const std::vector<HalfSpaceSet>& all,
                const QueryBatch& batch) {
  const std::span<const HalfSpaceSet> sets = batch.Of(all);
  const std::vector<HalfSpaces> views(sets.begin(), sets.end());
  return IdsIn(tree, Regions(views), batch);
}
template <typename AnyTree, typename Shape>
auto CollectIds(const AnyTree& tree, const std::vector<Shape>& all,
                const QueryBatch& batch) {
  return IdsIn(tree, Regions(batch.Of(all)), batch);
}

template <typename Id>
Schema<Ids<Id>> RangeSchema() {
  Schema<Id> id;
  id.Add({"", "triangle", " {}"}, [](Id triangle) { return triangle; });
  Schema<Ids<Id>> schema;
  schema
      .AddText([](Ids<Id> ids) {
        return Cat(Counted(ids.size(), "triangle"), ids.empty() ? "" : ":");
      })
      .AddList({.json = "", .rows = true}, id, [](Ids<Id> ids) { return ids; })
      .AddText([](Ids<Id>) { return "\n"; });
  return schema;
}

class RangeQuery : public OneMeshQuery {
 public:
  RangeQuery(Poses pose, Shapes shapes)
      : OneMeshQuery(std::move(pose)), shapes_(std::move(shapes)) {}

 private:
  absl::StatusOr<Answered> RunOn(TreeAtPose tree,
                                 const QueryContext& context) override {
    return RunOnAny<uint32_t>(tree, context);
  }
  absl::StatusOr<Answered> RunOn(const ChunkedTarget& tree,
                                 const QueryContext& context) override {
    return RunOnAny<uint64_t>(tree, context);
  }
  template <typename Id, typename AnyTree>
  absl::StatusOr<Answered> RunOnAny(const AnyTree& tree,
                                    const QueryContext& context) const;

  const Shapes shapes_;
};

template <typename Id, typename AnyTree>
absl::StatusOr<Answered> RangeQuery::RunOnAny(
    const AnyTree& tree, const QueryContext& context) const {
  return std::visit(
      [&](const auto& all) {
        return AnswerBatches<Id>(
            RangeSchema<Id>(), all.size(), context,
            [&](const QueryBatch& batch) {
              return CollectIds(tree, all, batch);
            },
            given_pose());
      },
      shapes_);
}

absl::StatusOr<std::unique_ptr<Query>> ReadRange(const Arguments& arguments,
                                                 const Settings&) {
  std::vector<std::string> paths = arguments.Values("--half-spaces");
  paths.insert(
      paths.end(),
      {arguments.operands()[0], arguments.Value("--spheres"),
       arguments.Value("--boxes"), PoseFileOf(arguments.Value("--pose"))});
  const absl::Status input = CheckStandardInput(paths);
  if (!input.ok()) return input;
  absl::StatusOr<Poses> pose = ReadMeshPose(arguments);
  if (!pose.ok()) return pose.status();
  absl::StatusOr<Shapes> shapes = ReadShapes(arguments);
  if (!shapes.ok()) return shapes.status();
  return std::make_unique<RangeQuery>(*std::move(pose), *std::move(shapes));
}

}  // namespace

const Command kRangeCommand = {
    .name = "range",
    .summary = "which triangles overlap a ball, a box or a convex set",
    .operands = kRangeOperands,
    .options = kRangeOptions,
    .about =
        "Prints the numbers of the triangles that overlap each ball, box or\n"
        "convex set, in ascending order; touching counts.\n",
    .examples = kRangeExamples,
    .read_query = ReadRange,
    .more_help = HelpOnRows,
};

}  // namespace orbox::cli
