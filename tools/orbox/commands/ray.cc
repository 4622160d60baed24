// SPDX-License-Identifier: Apache-2.0

// orbox ray: finds the hits of rays.

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
#include "tools/orbox/commands/query.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kRayOperands[] = {"MESH"};

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

enum class WantedHits { kFirst, kAny, kAll, kCrossings };

struct RayParameters {
  std::vector<Ray> rays;
  WantedHits wanted = WantedHits::kFirst;
  bool normals = false;
};

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
  if (arguments.Has("--ray") == arguments.Has("--rays")) {
    return UsageError("give one of --ray and --rays");
  }
  const bool skips_by_row =
      arguments.Has("--skip") && arguments.Value("--skip") == "rows";
  if (skips_by_row && !arguments.Has("--rays")) {
    return UsageError("--skip rows goes with --rays");
  }
  std::vector<Ray> rays;
  if (arguments.Has("--rays")) {
    const absl::StatusOr<Rows> rows =
        ReadRows(arguments.Value("--rays"),
                 skips_by_row ? kSkippingColumns : kRayColumns, CheckRay);
    if (!rows.ok()) return rows.status();
    rays.reserve(rows->size());
    for (size_t i = 0; i < rows->size(); ++i)
      rays.push_back(RayOf(rows->row(i)));
  }
  for (const std::string& text : arguments.Values("--ray")) {
    const absl::StatusOr<std::vector<double>> row =
        ParseRow(text, kRayColumns, CheckRay);
    if (!row.ok()) {
      return UsageError(Cat("--ray: ", std::string(row.status().message())));
    }
    rays.push_back(RayOf(*row));
  }
  const absl::StatusOr<std::optional<double>> min_t =
      arguments.Real("--min-t", 0);
  if (!min_t.ok()) return min_t.status();
  const absl::StatusOr<std::optional<double>> max_t =
      arguments.Real("--max-t", 0);
  if (!max_t.ok()) return max_t.status();
  for (Ray& ray : rays) {
    ray.min_t = min_t->value_or(ray.min_t);
    ray.max_t = max_t->value_or(ray.max_t);
  }
  if (arguments.Has("--skip") && !skips_by_row) {
    const absl::StatusOr<std::optional<uint64_t>> skip =
        arguments.Count("--skip", 0, uint64_t{1} << 53);
    if (!skip.ok()) return skip.status();
    for (Ray& ray : rays) ray.skip = **skip;
  }
  return rays;
}

absl::StatusOr<RayParameters> ReadRayParameters(const Arguments& arguments) {
  RayParameters parameters;
  const bool any = arguments.Has("--any");
  const bool all = arguments.Has("--all");
  const bool crossings = arguments.Has("--crossings");
  if (any + all + crossings > 1) {
    return UsageError("give one of --any, --all and --crossings");
  }
  if (any) parameters.wanted = WantedHits::kAny;
  if (all) parameters.wanted = WantedHits::kAll;
  if (crossings) parameters.wanted = WantedHits::kCrossings;
  parameters.normals = arguments.Has("--normals");
  if (parameters.normals && (any || crossings)) {
    return UsageError("--normals goes with the first hit and with --all");
  }
  // Reads the file last, so that the command line is checked first.
  absl::StatusOr<std::vector<Ray>> rays = ReadRays(arguments);
  if (!rays.ok()) return rays.status();
  parameters.rays = std::move(*rays);
  return parameters;
}

// Schema of hits: RayHit, or GlobalRayHit for chunked trees. If any hit
// suffices, it is represented by an empty hit.
template <typename Hit>
using Hits = std::span<const Hit>;

// Converts results with at most one value per query to lists.
template <typename Hit, typename Answers, typename HitOf>
absl::StatusOr<Lists<Hit>> ListsOfOne(const Answers& answers, HitOf hit_of) {
  if (!answers.ok()) return answers.status();
  Lists<Hit> lists;
  for (const auto& answer : *answers) {
    if (answer) lists.values.push_back(hit_of(answer));
    lists.offsets.push_back(lists.values.size());
  }
  return lists;
}

template <typename Hit, typename AnyTree>
absl::StatusOr<Lists<Hit>> HitsOf(const AnyTree& tree, WantedHits wanted,
                                  std::span<const Ray> rays,
                                  const QueryOptions& cores) {
  const auto options = OptionsFor(tree, cores);
  switch (wanted) {
    case WantedHits::kAll:
      return Compute(kAllHits, tree, rays, options);
    case WantedHits::kAny:
      return ListsOfOne<Hit>(Compute(kAnyHit, tree, rays, options),
                             [](uint8_t) { return Hit{}; });
    case WantedHits::kFirst:
    case WantedHits::kCrossings:  // a query of its own
      break;
  }
  return ListsOfOne<Hit>(Compute(kClosestHit, tree, rays, options),
                         [](const std::optional<Hit>& hit) { return *hit; });
}

// `tree` is null for chunked trees, whose hits have no normals.
template <typename Hit>
Schema<Hits<Hit>> SchemaOf(const RayParameters& parameters,
                           const TreeAtPose* tree) {
  const WantedHits wanted = parameters.wanted;
  Schema<Hits<Hit>> schema;
  if (wanted == WantedHits::kAny) {
    return schema.Add({""}, [](Hits<Hit> hits) { return !hits.empty(); })
        .Add({std::nullopt, "hit"},
             [](Hits<Hit> hits) { return !hits.empty(); })
        .AddText([](Hits<Hit> hits) {
          return hits.empty() ? "no hit\n" : "a hit\n";
        });
  }
  Schema<Hit> hit;
  hit.Add({"triangle", "triangle", "triangle {}"},
          [](const Hit& h) { return h.triangle; })
      .Add({"t", "t", " at t = {}"}, [](const Hit& h) { return h.t; })
      .Add({"point", "x,y,z", ", at {}"}, [](const Hit& h) { return h.point; });
  if constexpr (std::is_same_v<Hit, RayHit>) {
    if (parameters.normals) {
      AddNormals(
          *tree,
          [](const RayHit& h) {
            return SurfacePlace{h.triangle, h.barycentric};
          },
          &hit);
    }
  }
  hit.AddText([](const Hit&) { return "\n"; });
  return schema.AddList(
      {.json = "",
       .rows = true,
       .lines = true,
       .text_if_empty = "no hit\n",
       .form = wanted == WantedHits::kAll ? ListForm::kArray
                                          : ListForm::kFirstOrNull},
      hit, [](Hits<Hit> hits) { return hits; });
}

// A crossing and the lowest triangle at its point.
struct TriangleCrossing {
  RayCrossing crossing;
  uint32_t triangle;
};

absl::StatusOr<Lists<TriangleCrossing>> AllCrossings(
    TreeAtPose tree, const RayParameters& parameters, const QueryBatch& batch) {
  const auto hits =
      AllHits(tree, batch.Of(parameters.rays), RunOptionsOf(batch.options));
  if (!hits.ok()) return hits.status();
  Lists<TriangleCrossing> lists;
  for (size_t i = 0; i < hits->size(); ++i) {
    const std::span<const RayHit> list = (*hits)[i];
    for (const RayCrossing& c :
         CrossingsOf(tree, batch.Of(parameters.rays)[i], list)) {
      lists.values.push_back({c, list[c.first].triangle});
    }
    lists.offsets.push_back(lists.values.size());
  }
  return lists;
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

Schema<std::span<const TriangleCrossing>> CrossingSchema() {
  using Crossing = TriangleCrossing;
  Schema<Crossing> crossing;
  crossing
      .Add({"kind", "kind", "{}"},
           [](const Crossing& c) { return NameOf(c.crossing.kind); })
      .Add({"t", "t", " at t = {}"},
           [](const Crossing& c) { return c.crossing.t; })
      .Add({"triangle", "triangle", ", triangle {}"},
           [](const Crossing& c) { return uint64_t{c.triangle}; })
      .Add({"hits", "hits"},
           [](const Crossing& c) { return uint64_t{c.crossing.count}; })
      .Add({"winding", "winding"},
           [](const Crossing& c) { return double(c.crossing.winding); })
      .Add({"point", "x,y,z", ", at {}\n"},
           [](const Crossing& c) { return c.crossing.point; });
  Schema<std::span<const Crossing>> schema;
  schema.AddList(
      {.json = "", .rows = true, .lines = true, .text_if_empty = "no hit\n"},
      crossing, [](std::span<const Crossing> list) { return list; });
  return schema;
}

class RaysCommand : public OneMeshQuery {
 public:
  RaysCommand(Poses pose, RayParameters parameters)
      : OneMeshQuery(std::move(pose)), parameters_(std::move(parameters)) {}

 private:
  absl::StatusOr<Answered> RunOn(TreeAtPose tree,
                                 const QueryContext& context) override {
    if (parameters_.wanted == WantedHits::kCrossings) {
      return AnswerBatches<TriangleCrossing>(
          CrossingSchema(), parameters_.rays.size(), context,
          [&](const QueryBatch& batch) {
            return AllCrossings(tree, parameters_, batch);
          },
          given_pose());
    }
    return RunOnAny<RayHit>(tree, &tree, context);
  }
  absl::StatusOr<Answered> RunOn(const ChunkedTarget& tree,
                                 const QueryContext& context) override {
    if (parameters_.normals || parameters_.wanted == WantedHits::kCrossings) {
      return UsageError(
          "--normals and --crossings do not support chunked trees; give a mesh "
          "or a tree file");
    }
    return RunOnAny<GlobalRayHit>(tree, nullptr, context);
  }
  template <typename Hit, typename AnyTree>
  absl::StatusOr<Answered> RunOnAny(const AnyTree& tree,
                                    const TreeAtPose* in_memory,
                                    const QueryContext& context) const;

  const RayParameters parameters_;
};

template <typename Hit, typename AnyTree>
absl::StatusOr<Answered> RaysCommand::RunOnAny(
    const AnyTree& tree, const TreeAtPose* in_memory,
    const QueryContext& context) const {
  return AnswerBatches<Hit>(
      SchemaOf<Hit>(parameters_, in_memory), parameters_.rays.size(), context,
      [&](const QueryBatch& batch) {
        return HitsOf<Hit>(tree, parameters_.wanted, batch.Of(parameters_.rays),
                           batch.options);
      },
      given_pose());
}

absl::StatusOr<std::unique_ptr<Query>> ReadRay(const Arguments& arguments,
                                               const Settings&) {
  const absl::Status input =
      CheckStandardInput({arguments.operands()[0], arguments.Value("--rays"),
                          PoseFileOf(arguments.Value("--pose"))});
  if (!input.ok()) return input;
  absl::StatusOr<Poses> pose = ReadMeshPose(arguments);
  if (!pose.ok()) return pose.status();
  absl::StatusOr<RayParameters> parameters = ReadRayParameters(arguments);
  if (!parameters.ok()) return parameters.status();
  return std::make_unique<RaysCommand>(*std::move(pose),
                                       *std::move(parameters));
}

}  // namespace

const Command kRayCommand = {
    .name = "ray",
    .summary = "what rays or segments hit: first, all, or anything",
    .operands = kRayOperands,
    .options = kRayOptions,
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
    .read_query = ReadRay,
    .more_help = HelpOnRows,
};

}  // namespace orbox::cli
