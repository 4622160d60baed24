// SPDX-License-Identifier: Apache-2.0

// orbox ray: finds the hits of rays.

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/rays/ray_crossings.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/rows.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/batch_loop.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/normals.h"
#include "tools/orbox/commands/one_mesh_query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kRayColumns = "ox,oy,oz,dx,dy,dz";

constexpr std::string_view kSkippingColumns = "ox,oy,oz,dx,dy,dz,skip";

constexpr Option kRayOptions[] = {
    {"--ray", kRayColumns, "a ray, its origin and direction; may be repeated",
     true},
    {"--rays", "FILE", "rays, one a row: ox,oy,oz,dx,dy,dz"},
    {"--max-t", "T",
     "only hits up to origin + T * direction (default: all the way)"},
    {"--min-t", "T", "only hits from origin + T * direction on (default: 0)"},
    {"--skip", "N",
     "leave out triangle N, such as the one on which the rays start; 'rows' "
     "takes N from the seventh column of --rays, -1 for none"},
    {"--all", "", "all hits, in their order along the ray"},
    {"--crossings", "",
     "all crossings of the surface: the hits at one point are one crossing, "
     "which is entering, leaving or grazing"},
    {"--any", "", "print only if there is a hit"},
    kNormalsOption,
    kMeshPoseOption,
    kMeshFlattenOption,
};

constexpr std::string_view kRayExamples[] = {
    "orbox ray part.stl --ray 0,0,10,0,0,-1",
    "orbox ray part.stl --rays views.csv --any --max-t 1 --format csv",
    "orbox ray part.stl --rays - --all --format json < rays.csv",
    "orbox ray part.stl --ray 0,0,10,0,0,-1 --crossings",
    "orbox ray arm.stl --ray 0,0,10,0,0,-1 --pose @pose.csv",
};

constexpr std::string_view kRayVariants[] = {
    "--ray 0,0,0,0,0,1",
    "| --normals | --all | --all --normals | --any | --crossings"};

constexpr std::string_view kRayInMemory[] = {"--normals", "--crossings",
                                             "--pose"};

enum class WantedHits { kFirst, kAny, kAll, kCrossings };

// The seventh number, if there is one, is the triangle to skip.
Ray RayOf(std::span<const double> row) {
  Ray ray{{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
  if (row.size() > 6 && row[6] >= 0) ray.skip = static_cast<uint64_t>(row[6]);
  return ray;
}

absl::Status CheckRay(std::span<const double> row) {
  if (absl::Status s = CheckQuery(RayOf(row.first(6))); !s.ok()) return s;
  // Ids of triangles are whole doubles.
  if (row.size() > 6 && row[6] != -1 &&
      !(row[6] >= 0 && row[6] < 0x1p53 && row[6] == std::floor(row[6]))) {
    return absl::InvalidArgumentError(
        "the triangle to skip is no whole number; give -1 for none");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Ray>> ReadRays(const Arguments& arguments) {
  QueryArgument<Ray> argument = {"--ray", "--rays", kRayColumns, CheckRay,
                                 RayOf};
  if (absl::Status s = CheckOneIsGiven(arguments, argument); !s.ok()) return s;
  const bool skips_by_row = arguments.Value("--skip") == "rows";
  if (skips_by_row && !arguments.Has("--rays")) {
    return UsageError("--skip rows goes with --rays");
  }
  if (skips_by_row) argument.columns = kSkippingColumns;
  absl::StatusOr<std::vector<Ray>> rays =
      arguments.Has("--rays") ? ReadQueries(arguments.Value("--rays"), argument)
                              : ReadTypedQueries(arguments, argument);
  if (!rays.ok()) return rays.status();
  const absl::StatusOr<std::optional<double>> min_t =
      arguments.Real("--min-t", 0);
  if (!min_t.ok()) return min_t.status();
  const absl::StatusOr<std::optional<double>> max_t =
      arguments.Real("--max-t", 0);
  if (!max_t.ok()) return max_t.status();
  for (Ray& ray : *rays) {
    ray.min_t = min_t->value_or(ray.min_t);
    ray.max_t = max_t->value_or(ray.max_t);
  }
  if (arguments.Has("--skip") && !skips_by_row) {
    const absl::StatusOr<std::optional<uint64_t>> skip =
        arguments.Count("--skip", 0, uint64_t{1} << 53);
    if (!skip.ok()) return skip.status();
    for (Ray& ray : *rays) ray.skip = **skip;
  }
  return rays;
}

// A hit, or a crossing and its hit with the lowest triangle. Empty if only the
// existence of a hit is wanted.
struct FoundHit {
  GlobalRayHit hit = {};
  RayCrossing crossing = {};
};
using Hits = std::span<const FoundHit>;

struct RayRow {
  using Found = FoundHit;
  static constexpr std::span<const Option> kOptions = kRayOptions;

  std::vector<Ray> rays;
  WantedHits wanted = WantedHits::kFirst;
  bool normals = false;

  static absl::StatusOr<RayRow> Read(const Arguments& arguments);
  size_t size() const { return rays.size(); }
  Schema<Hits> Results(const PosedTree* tree) const;
  template <typename AnyTree>
  absl::StatusOr<BatchSearch<Found>> On(const AnyTree& tree,
                                        const Settings&) const;
};

absl::StatusOr<RayRow> RayRow::Read(const Arguments& arguments) {
  RayRow row;
  const bool any = arguments.Has("--any");
  const bool all = arguments.Has("--all");
  const bool crossings = arguments.Has("--crossings");
  if (any + all + crossings > 1) {
    return UsageError("give one of --any, --all and --crossings");
  }
  if (any) row.wanted = WantedHits::kAny;
  if (all) row.wanted = WantedHits::kAll;
  if (crossings) row.wanted = WantedHits::kCrossings;
  row.normals = arguments.Has("--normals");
  if (row.normals && (any || crossings)) {
    return UsageError("--normals goes with the first hit and with --all");
  }
  // Reads the file last, so that the command line is checked first.
  absl::StatusOr<std::vector<Ray>> rays = ReadRays(arguments);
  if (!rays.ok()) return rays.status();
  row.rays = *std::move(rays);
  return row;
}

// Returns the crossings of lists of hits.
absl::StatusOr<Lists<FoundHit>> Crossings(
    const PosedTree& tree, std::span<const Ray> rays,
    const absl::StatusOr<Lists<RayHit>>& hits) {
  if (!hits.ok()) return hits.status();
  Lists<FoundHit> lists;
  for (size_t i = 0; i < hits->size(); ++i) {
    const std::span<const RayHit> list = (*hits)[i];
    for (const RayCrossing& c : CrossingsOf(tree, rays[i], list)) {
      lists.values.push_back({{.triangle = list[c.first].triangle}, c});
    }
    lists.offsets.push_back(lists.values.size());
  }
  return lists;
}

template <typename AnyTree>
absl::StatusOr<BatchSearch<FoundHit>> RayRow::On(const AnyTree& tree,
                                                 const Settings&) const {
  return [this,
          &tree](const QueryBatch& batch) -> absl::StatusOr<Lists<FoundHit>> {
    const std::span<const Ray> queries = batch.Of(rays);
    const auto options = OptionsFor(tree, batch.options);
    const auto found = [](const auto& h) {
      return FoundHit{{h.triangle, h.t, h.barycentric, h.point}};
    };
    if (wanted == WantedHits::kAny) {
      return ListsOfOne<FoundHit>(Compute(kAnyHit, tree, queries, options),
                                  [](uint8_t) { return FoundHit{}; });
    }
    if (wanted == WantedHits::kFirst) {
      return ListsOfOne<FoundHit>(
          Compute(kClosestHit, tree, queries, options),
          [found](const auto& hit) { return found(*hit); });
    }
    auto hits = Compute(kAllHits, tree, queries, options);
    if constexpr (std::is_same_v<AnyTree, PosedTree>) {
      if (wanted == WantedHits::kCrossings) {
        return Crossings(tree, queries, hits);
      }
    }
    return ListsOf<FoundHit>(std::move(hits), found);
  };
}

std::string NameOf(CrossingKind kind) {
  switch (kind) {
    case CrossingKind::kEntering:
      return "entering";
    case CrossingKind::kLeaving:
      return "leaving";
    case CrossingKind::kGrazing:
      break;
  }
  return "grazing";
}

Schema<FoundHit> CrossingSchema() {
  Schema<FoundHit> schema;
  schema
      .Add({"kind", "kind", "{}", "entering|leaving|grazing"},
           [](const FoundHit& h) { return NameOf(h.crossing.kind); })
      .Add({"t", "t", " at t = {}"},
           [](const FoundHit& h) { return h.crossing.t; })
      .Add({"triangle", "triangle", ", triangle {}", "triangle"},
           [](const FoundHit& h) { return h.hit.triangle; })
      .Add({"hits", "hits"},
           [](const FoundHit& h) { return uint64_t{h.crossing.count}; })
      .Add({.json = "winding", .csv = "winding", .type = "integer"},
           [](const FoundHit& h) { return double(h.crossing.winding); })
      .Add({"point", "x,y,z", ", at {}\n"},
           [](const FoundHit& h) { return h.crossing.point; });
  return schema;
}

Schema<FoundHit> HitSchema(bool normals, const PosedTree* tree) {
  Schema<FoundHit> schema;
  schema
      .Add({"triangle", "triangle", "triangle {}", "triangle"},
           [](const FoundHit& h) { return h.hit.triangle; })
      .Add({"t", "t", " at t = {}"}, [](const FoundHit& h) { return h.hit.t; })
      .Add({"point", "x,y,z", ", at {}"},
           [](const FoundHit& h) { return h.hit.point; });
  if (normals) {
    AddNormals(
        tree,
        [](const FoundHit& h) {
          return SurfacePlace{static_cast<uint32_t>(h.hit.triangle),
                              h.hit.barycentric};
        },
        &schema);
  }
  schema.AddText([](const FoundHit&) { return "\n"; });
  return schema;
}

Schema<Hits> RayRow::Results(const PosedTree* tree) const {
  Schema<Hits> schema;
  if (wanted == WantedHits::kAny) {
    return schema.Add({""}, [](Hits hits) { return !hits.empty(); })
        .Add({std::nullopt, "hit"}, [](Hits hits) { return !hits.empty(); })
        .AddText(
            [](Hits hits) { return hits.empty() ? "no hit\n" : "a hit\n"; });
  }
  return schema.AddList(
      {.json = "",
       .rows = true,
       .lines = true,
       .text_if_empty = "no hit\n",
       .form = wanted == WantedHits::kFirst ? ListForm::kFirstOrNull
                                            : ListForm::kArray},
      wanted == WantedHits::kCrossings ? CrossingSchema()
                                       : HitSchema(normals, tree),
      [](Hits hits) { return hits; });
}

}  // namespace

const Command kRayCommand = OneMeshCommand<RayRow>({
    .name = "ray",
    .summary = "what rays or segments hit: first, all, or anything",
    .about =
        "Prints for each ray the triangle that it hits first, the t of the "
        "hit,\n"
        "and its point, origin + t * direction. Among hits at equal t, the "
        "lower\n"
        "number comes first. Touching counts as a hit. With --max-t 1, rays "
        "are\n"
        "segments. --min-t and --skip leave out the surface from which rays\n"
        "start. A triangle in the plane of a ray is left out if the ray "
        "reaches\n"
        "it before --min-t.\n",
    .examples = kRayExamples,
    .variants = kRayVariants,
    .in_memory = kRayInMemory,
});

}  // namespace orbox::cli
