#include "orbox/bvh/query/hausdorff.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/farthest_search.h"
#include "orbox/bvh/query/mesh_distance.h"

namespace orbox {
namespace {

absl::Status CheckOptions(const HausdorffOptions& options) {
  if ((!options.tolerance.has_value() || *options.tolerance >= 0) &&
      options.relative_tolerance >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "a tolerance of the Hausdorff distance is negative or NaN; give 0 or "
      "more");
}

// The tree of the posed mesh, where it stands.
absl::StatusOr<Tree> TreeInPlace(const PosedTree& t) {
  if (!t.is_moved()) return t.tree();
  const Mesh& mesh = t.tree().mesh();
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3& v : mesh.vertices()) vertices.push_back(t.pose().Apply(v));
  const absl::StatusOr<Mesh> moved = Mesh::Create(
      std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()});
  if (!moved.ok()) return moved.status();
  BuildOptions options;
  options.volumes = t.tree().volumes();
  return Build(*moved, options);
}

// Without squares that might overflow.
double DiagonalOf(const Aabb& box) {
  const Vec3 half = box.HalfExtents();
  const double largest = MaxCoordinate(half);
  if (largest == 0) return 0;
  return 2 * largest *
         Norm(Vec3{half.x / largest, half.y / largest, half.z / largest});
}

FarthestGoal GoalOf(const HausdorffOptions& options, const Mesh& b) {
  FarthestGoal goal;
  goal.tolerance = options.tolerance.has_value()
                       ? *options.tolerance
                       : 0.001 * DiagonalOf(b.bounds());
  goal.relative_tolerance = options.relative_tolerance;
  goal.max_parts = options.max_parts;
  return goal;
}

// A mesh's corners and how far each is, found when first asked for.
class CornerSamples {
 public:
  CornerSamples(const PosedTree& mesh, const DistanceSampler& sampler)
      : mesh_(mesh),
        sampler_(sampler),
        samples_(mesh.tree().mesh().vertex_count(), kNoSample) {}

  FarthestSearch::Corners Of(uint32_t id) {
    const TriangleIndices& t = mesh_.tree().mesh().triangles()[id];
    return {At(t[0]), At(t[1]), At(t[2])};
  }

 private:
  const DistanceSample& At(uint32_t vertex) {
    DistanceSample& sample = samples_[vertex];
    if (sample.distance == kNoSample.distance) {
      const Vec3& v = mesh_.tree().mesh().vertices()[vertex];
      sample = sampler_.At(mesh_.is_moved() ? mesh_.pose().Apply(v) : v, last_);
      // Neighbours in the file are neighbours in space, mostly.
      last_ = sample;
    }
    return sample;
  }

  const PosedTree& mesh_;
  const DistanceSampler& sampler_;
  std::vector<DistanceSample> samples_;
  DistanceSample last_ = kNoSample;
};

void Witness(FarthestSearch& search, uint32_t id,
             const FarthestSearch::Corners& corners) {
  for (const DistanceSample& corner : corners) search.Witness(id, corner);
}

HausdorffResult Search(const PosedTree& a, const Tree& b,
                       const HausdorffOptions& options,
                       TraversalStatistics* statistics) {
  const DistanceSampler sampler(b, statistics);
  CornerSamples corners(a, sampler);
  FarthestSearch search(sampler, GoalOf(options, b.mesh()));
  const auto count = static_cast<uint32_t>(a.tree().mesh().triangle_count());
  for (uint32_t i = 0; i < count; ++i) Witness(search, i, corners.Of(i));
  for (uint32_t i = 0; i < count; ++i) search.Add(i, corners.Of(i));
  return search.Run();
}

// Of a triangle whose corners are at most so far.
absl::StatusOr<double> NearestOf(const Triangle& t, double at_most,
                                 const Tree& b,
                                 TraversalStatistics* statistics) {
  const absl::StatusOr<Mesh> mesh = Mesh::Create({t.a, t.b, t.c}, {{0, 1, 2}});
  if (!mesh.ok()) return mesh.status();
  const absl::StatusOr<Tree> tree = Build(*mesh);
  if (!tree.ok()) return tree.status();
  return MeshDistanceWithin(*tree, b, at_most, statistics)->distance;
}

}  // namespace

absl::StatusOr<HausdorffResult> HausdorffDistance(
    const PosedTree& a, const PosedTree& b, const HausdorffOptions& options,
    TraversalStatistics* statistics) {
  if (absl::Status s = CheckOptions(options); !s.ok()) return s;
  const absl::StatusOr<Tree> target = TreeInPlace(b);
  if (!target.ok()) return target.status();
  return Search(a, *target, options, statistics);
}

absl::StatusOr<SymmetricHausdorffResult> SymmetricHausdorffDistance(
    const PosedTree& a, const PosedTree& b, const HausdorffOptions& options,
    TraversalStatistics* statistics) {
  const absl::StatusOr<HausdorffResult> a_to_b =
      HausdorffDistance(a, b, options, statistics);
  if (!a_to_b.ok()) return a_to_b.status();
  const absl::StatusOr<HausdorffResult> b_to_a =
      HausdorffDistance(b, a, options, statistics);
  if (!b_to_a.ok()) return b_to_a.status();
  return SymmetricHausdorffResult{*a_to_b, *b_to_a};
}

absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
    const PosedTree& a, const PosedTree& b, const HausdorffOptions& options,
    TraversalStatistics* statistics) {
  if (absl::Status s = CheckOptions(options); !s.ok()) return s;
  const absl::StatusOr<Tree> target = TreeInPlace(b);
  if (!target.ok()) return target.status();
  const DistanceSampler sampler(*target, statistics);
  const FarthestGoal goal = GoalOf(options, target->mesh());
  CornerSamples samples(a, sampler);
  std::vector<TriangleDeviation> field;
  field.reserve(a.tree().mesh().triangle_count());
  for (uint32_t i = 0; i < a.tree().mesh().triangle_count(); ++i) {
    const FarthestSearch::Corners corners = samples.Of(i);
    FarthestSearch search(sampler, goal);
    Witness(search, i, corners);
    search.Add(i, corners);
    const HausdorffResult farthest = search.Run();
    const double at_most = std::min(
        {corners[0].distance, corners[1].distance, corners[2].distance});
    const absl::StatusOr<double> nearest =
        NearestOf(a.triangle(i), at_most, *target, statistics);
    if (!nearest.ok()) return nearest.status();
    field.push_back({*nearest, farthest.lower, farthest.upper});
  }
  return field;
}

}  // namespace orbox
