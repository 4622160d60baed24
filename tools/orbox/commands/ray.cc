// SPDX-License-Identifier: Apache-2.0

// orbox ray: finds the hits of rays.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "tools/orbox/arguments/rows.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/batch_loop.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/one_mesh_query.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kRayOperands[] = {"MESH"};

constexpr std::string_view kRayColumns = "ox,oy,oz,dx,dy,dz";

constexpr Option kRayOptions[] = {
    {"--ray", kRayColumns, "a ray, its origin and direction; may be repeated",
     true},
    {"--rays", "FILE", "rays, one a row: ox,oy,oz,dx,dy,dz"},
    {"--max-t", "T",
     "only hits up to origin + T * direction (default: all the way)"},
    {"--all", "", "all hits, in their order along the ray"},
    {"--any", "", "only whether there is a hit"},
    kMeshPoseOption,
    kMeshFlattenOption,
};

constexpr std::string_view kRayExamples[] = {
    "orbox ray part.stl --ray 0,0,10,0,0,-1",
    "orbox ray part.stl --rays views.csv --any --max-t 1 --format csv",
    "orbox ray part.stl --rays - --all --format json < rays.csv",
    "orbox ray arm.stl --ray 0,0,10,0,0,-1 --pose @pose.csv",
};

enum class WantedHits { kFirst, kAny, kAll };

struct RayParameters {
  std::vector<Ray> rays;
  double max_t = std::numeric_limits<double>::infinity();
  WantedHits wanted = WantedHits::kFirst;
};

Ray RayOf(std::span<const double> row) {
  return {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
}

absl::Status CheckRay(std::span<const double> row) {
  if (RayOf(row).direction != Vec3{}) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the direction is 0,0,0; give one that leads somewhere");
}

absl::StatusOr<std::vector<Ray>> ReadRays(const Arguments& arguments) {
  if (arguments.Has("--ray") == arguments.Has("--rays")) {
    return UsageError("give one of --ray and --rays");
  }
  std::vector<Ray> rays;
  if (arguments.Has("--rays")) {
    const absl::StatusOr<Rows> rows =
        ReadRows(arguments.Value("--rays"), kRayColumns, CheckRay);
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
  return rays;
}

absl::StatusOr<RayParameters> ReadRayParameters(const Arguments& arguments) {
  RayParameters parameters;
  if (arguments.Has("--any") && arguments.Has("--all")) {
    return UsageError("give one of --any and --all");
  }
  if (arguments.Has("--any")) parameters.wanted = WantedHits::kAny;
  if (arguments.Has("--all")) parameters.wanted = WantedHits::kAll;
  const absl::StatusOr<std::optional<double>> max_t =
      arguments.Real("--max-t", 0);
  if (!max_t.ok()) return max_t.status();
  parameters.max_t = max_t->value_or(parameters.max_t);
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
absl::StatusOr<Lists<Hit>> HitsOf(const AnyTree& tree,
                                  const RayParameters& parameters,
                                  const QueryBatch& batch) {
  const std::span<const Ray> rays = batch.Of(parameters.rays);
  QueryOptions options = batch.options;
  options.max_distance = parameters.max_t;
  switch (parameters.wanted) {
    case WantedHits::kAll:
      return Compute(kAllHits, tree, rays, options);
    case WantedHits::kAny:
      return ListsOfOne<Hit>(Compute(kAnyHit, tree, rays, options),
                             [](uint8_t) { return Hit{}; });
    case WantedHits::kFirst:
      break;
  }
  return ListsOfOne<Hit>(Compute(kClosestHit, tree, rays, options),
                         [](const std::optional<Hit>& hit) { return *hit; });
}

template <typename Hit>
Schema<Hits<Hit>> SchemaOf(WantedHits wanted) {
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
      .Add({"point", "x,y,z", ", at {}\n"},
           [](const Hit& h) { return h.point; });
  return schema.AddList(
      {.json = "",
       .rows = true,
       .lines = true,
       .text_if_empty = "no hit\n",
       .form = wanted == WantedHits::kAll ? ListForm::kArray
                                          : ListForm::kFirstOrNull},
      hit, [](Hits<Hit> hits) { return hits; });
}

class RaysCommand : public OneMeshQuery {
 public:
  RaysCommand(Poses pose, RayParameters parameters)
      : OneMeshQuery(std::move(pose)), parameters_(std::move(parameters)) {}

 private:
  absl::StatusOr<Answered> RunOn(TreeAtPose tree,
                                 const QueryContext& context) override {
    return RunOnAny<RayHit>(tree, context);
  }
  absl::StatusOr<Answered> RunOn(const ChunkedTarget& tree,
                                 const QueryContext& context) override {
    return RunOnAny<GlobalRayHit>(tree, context);
  }
  template <typename Hit, typename AnyTree>
  absl::StatusOr<Answered> RunOnAny(const AnyTree& tree,
                                    const QueryContext& context) const;

  const RayParameters parameters_;
};

template <typename Hit, typename AnyTree>
absl::StatusOr<Answered> RaysCommand::RunOnAny(
    const AnyTree& tree, const QueryContext& context) const {
  return AnswerBatches<Hit>(
      SchemaOf<Hit>(parameters_.wanted), parameters_.rays.size(), context,
      [&](const QueryBatch& batch) {
        return HitsOf<Hit>(tree, parameters_, batch);
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
        "Prints for each ray the triangle that it hits first, with the t of\n"
        "the hit, which is at origin + t * direction, and its place; at equal\n"
        "t the lower number comes first. Touching is hitting. With --max-t 1,\n"
        "rays are segments.\n",
    .examples = kRayExamples,
    .read_query = ReadRay,
    .more_help = HelpOnRows,
};

}  // namespace orbox::cli
