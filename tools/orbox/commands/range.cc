// SPDX-License-Identifier: Apache-2.0

// orbox range: finds the triangles that overlap a ball, a box or a convex set.

#include <algorithm>
#include <cstdint>
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
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

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

constexpr std::string_view kRangeVariants[] = {"--sphere 0,0,0,1"};

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

constexpr QueryArgument<Sphere> kSphere = {"--sphere", "--spheres", "x,y,z,r",
                                           CheckSphere, MakeSphere};
constexpr QueryArgument<Aabb> kBox = {
    "--box", "--boxes", "lox,loy,loz,hix,hiy,hiz", CheckBox, MakeBox};
constexpr QueryArgument<HalfSpace> kHalfSpace = {
    "", "--half-spaces", "nx,ny,nz,d", AnyNumbers, MakeHalfSpace};

absl::StatusOr<std::vector<HalfSpaceSet>> ReadSets(const Arguments& arguments) {
  std::vector<HalfSpaceSet> sets;
  for (const std::string& path : arguments.Values("--half-spaces")) {
    absl::StatusOr<HalfSpaceSet> set = ReadQueries(path, kHalfSpace);
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
    return ReadQueries(arguments.Value("--spheres"), kSphere);
  }
  if (arguments.Has("--boxes")) {
    return ReadQueries(arguments.Value("--boxes"), kBox);
  }
  if (arguments.Has("--sphere")) return ReadTypedQueries(arguments, kSphere);
  if (arguments.Has("--box")) return ReadTypedQueries(arguments, kBox);
  return ReadSets(arguments);
}

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

struct RangeRow {
  using Found = uint64_t;  // a triangle
  using Ids = std::span<const Found>;
  static constexpr std::span<const Option> kOptions = kRangeOptions;

  Shapes shapes;

  static absl::StatusOr<RangeRow> Read(const Arguments& arguments) {
    absl::StatusOr<Shapes> shapes = ReadShapes(arguments);
    if (!shapes.ok()) return shapes.status();
    return RangeRow{*std::move(shapes)};
  }

  size_t size() const {
    return std::visit([](const auto& all) { return all.size(); }, shapes);
  }

  Schema<Ids> Results(const PosedTree* /*tree*/) const {
    Schema<Found> id;
    id.Add({"", "triangle", " {}", "triangle"},
           [](Found triangle) { return triangle; });
    Schema<Ids> schema;
    schema
        .AddText([](Ids ids) {
          return Cat(Counted(ids.size(), "triangle"), ids.empty() ? "" : ":");
        })
        .AddList({.json = "", .rows = true}, id, [](Ids ids) { return ids; })
        .AddText([](Ids) { return "\n"; });
    return schema;
  }

  template <typename AnyTree>
  absl::StatusOr<BatchSearch<Found>> On(const AnyTree& tree,
                                        const Settings&) const {
    return [this, &tree](const QueryBatch& batch) {
      return std::visit(
          [&](const auto& all) {
            return ListsOf<Found>(CollectIds(tree, all, batch),
                                  [](auto id) { return Found{id}; });
          },
          shapes);
    };
  }
};

}  // namespace

const Command kRangeCommand = OneMeshCommand<RangeRow>({
    .name = "range",
    .summary = "which triangles overlap a ball, a box or a convex set",
    .about =
        "Prints the numbers of the triangles that overlap each ball, box or\n"
        "convex set, in ascending order; touching counts.\n",
    .examples = kRangeExamples,
    .variants = kRangeVariants,
    .in_memory = kMeshPoseOptions,
});

}  // namespace orbox::cli
