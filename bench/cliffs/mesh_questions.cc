// SPDX-License-Identifier: Apache-2.0

#include "bench/cliffs/mesh_questions.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "orbox/orbox.h"
#include "tests/support/meshes.h"

namespace orbox::cliffs {
namespace {

constexpr size_t kNeighbours = 10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The tolerance of float in peers.cc.
constexpr double kFloatTolerance = 1e-5;

size_t Points(const Probes& probes) { return probes.points.size(); }
size_t Rays(const Probes& probes) { return probes.rays.size(); }
size_t Balls(const Probes& probes) { return probes.balls.size(); }
size_t Boxes(const Probes& probes) { return probes.boxes.size(); }
size_t One(const Probes&) { return 1; }

template <typename Question>
bool Has(peers::OneMesh& mesh) {
  return dynamic_cast<Question*>(&mesh) != nullptr;
}

template <typename Question>
Question& As(peers::OneMesh& mesh) {
  return dynamic_cast<Question&>(mesh);
}

double RunClosest(const QueriedTree& on, const Probes& probes, size_t i) {
  return ClosestPoint(on.tree, probes.points[i])->distance;
}

double RunClosestPeer(peers::OneMesh& mesh, const Probes& probes, size_t i) {
  return As<peers::ClosestQuestion>(mesh).Closest(probes.points[i]);
}

double RunClosestBatch(const QueriedTree& on, const Probes& probes, size_t) {
  const auto found = ClosestPoint(on.tree, probes.points, {.threads = 1});
  double sum = 0;
  for (const auto& hit : *found) sum += hit->distance;
  return sum;
}

double RunClosestPeerOneByOne(peers::OneMesh& mesh, const Probes& probes,
                              size_t) {
  double sum = 0;
  for (size_t i = 0; i < probes.points.size(); ++i) {
    sum += RunClosestPeer(mesh, probes, i);
  }
  return sum;
}

double RunKNearest(const QueriedTree& on, const Probes& probes, size_t i) {
  return KNearest(on.tree, probes.points[i], kNeighbours).back().distance;
}

double RunKNearestPeer(peers::OneMesh& mesh, const Probes& probes, size_t i) {
  std::vector<double> distances;
  As<peers::KNearestQuestion>(mesh).KNearest(probes.points[i], kNeighbours,
                                             &distances);
  return distances.back();
}

double RunBall(const QueriedTree& on, const Probes& probes, size_t i) {
  return static_cast<double>(AllOverlaps(on.tree, probes.balls[i]).size());
}

double RunBallPeer(peers::OneMesh& mesh, const Probes& probes, size_t i) {
  peers::Ids ids;
  As<peers::SphereQuestion>(mesh).InSphere(probes.balls[i], &ids);
  return static_cast<double>(ids.size());
}

double RunBallAny(const QueriedTree& on, const Probes& probes, size_t i) {
  return AnyOverlap(on.tree, probes.balls[i]) ? 1 : 0;
}

double RunBox(const QueriedTree& on, const Probes& probes, size_t i) {
  return static_cast<double>(AllOverlaps(on.tree, probes.boxes[i]).size());
}

// Four sides of a box that is open along z.
double RunHalfSpaces(const QueriedTree& on, const Probes& probes, size_t i) {
  const Aabb& box = probes.boxes[i];
  const HalfSpace sides[] = {{{1, 0, 0}, box.hi.x},
                             {{-1, 0, 0}, -box.lo.x},
                             {{0, 1, 0}, box.hi.y},
                             {{0, -1, 0}, -box.lo.y}};
  return static_cast<double>(CountOverlaps(on.tree, HalfSpaces(sides)));
}

double RunClosestHit(const QueriedTree& on, const Probes& probes, size_t i) {
  const std::optional<RayHit> hit = ClosestHit(on.tree, probes.rays[i]);
  return hit ? hit->t : kInfinity;
}

double RunClosestHitPeer(peers::OneMesh& mesh, const Probes& probes, size_t i) {
  return As<peers::RayQuestion>(mesh).FirstHit(probes.rays[i]);
}

double RunAnyHit(const QueriedTree& on, const Probes& probes, size_t i) {
  return AnyHit(on.tree, probes.rays[i]) ? 1 : 0;
}

double RunAllHits(const QueriedTree& on, const Probes& probes, size_t i) {
  return static_cast<double>(AllHits(on.tree, probes.rays[i]).size());
}

double RunClosestHitBatch(const QueriedTree& on, const Probes& probes, size_t) {
  const auto found = ClosestHit(on.tree, probes.rays, {.threads = 1});
  double sum = 0;
  for (const auto& hit : *found) sum += hit ? hit->t : 0;
  return sum;
}

double RunClosestHitPeerOneByOne(peers::OneMesh& mesh, const Probes& probes,
                                 size_t) {
  double sum = 0;
  for (size_t i = 0; i < probes.rays.size(); ++i) {
    const double t = RunClosestHitPeer(mesh, probes, i);
    if (t < kInfinity) sum += t;
  }
  return sum;
}

// The ball that leaves along the ray.
SweptSphere SweepOf(const Probes& probes, size_t i) {
  const Ray& ray = probes.rays[i];
  return {ray.origin, ray.origin + ray.direction * 4,
          0.1 * probes.balls[i].radius};
}

double RunSweep(const QueriedTree& on, const Probes& probes, size_t i) {
  return ClosestHit(on.tree, SweepOf(probes, i)).has_value() ? 1 : 0;
}

double RunSweepAll(const QueriedTree& on, const Probes& probes, size_t i) {
  return static_cast<double>(CountHits(on.tree, SweepOf(probes, i)));
}

double RunInside(const QueriedTree& on, const Probes& probes, size_t i) {
  return IsInside(on.tree, probes.points[i]) ? 1 : 0;
}

double RunSignedDistance(const QueriedTree& on, const Probes& probes,
                         size_t i) {
  return on.signed_distance->Distance(probes.points[i]);
}

// A number that depends on the tree, within an error: not compared.
double RunWinding(const QueriedTree& on, const Probes& probes, size_t i) {
  return std::isfinite(on.winding->At(probes.points[i])) ? 1 : 0;
}

double RunSelfOverlap(const QueriedTree& on, const Probes&, size_t) {
  return static_cast<double>(CountSelfOverlaps(on.tree));
}

double RunSelfWithin(const QueriedTree& on, const Probes&, size_t) {
  return static_cast<double>(CountSelfWithin(on.tree, 0));
}

double Size(const Tree& tree) {
  return static_cast<double>(tree.mesh().triangle_count());
}

double RunBuild(const QueriedTree& on, const Probes&, size_t) {
  return Size(Build(on.tree.mesh(), {.threads = 1}).value());
}

double RunRefit(const QueriedTree& on, const Probes&, size_t) {
  return Size(Refit(on.tree, on.tree.mesh(), {.threads = 1}).value());
}

double RunSignedCreate(const QueriedTree& on, const Probes&, size_t) {
  return Size(SignedDistanceField::Create(on.tree).value().tree());
}

constexpr MeshQuestion kQuestions[] = {
    {"closest", false, Points, false, RunClosest, RunClosestPeer,
     Has<peers::ClosestQuestion>},
    {"closest_batch", false, One, true, RunClosestBatch, RunClosestPeerOneByOne,
     Has<peers::ClosestQuestion>},
    {"k_nearest", false, Points, false, RunKNearest, RunKNearestPeer,
     Has<peers::KNearestQuestion>},
    {"ball", true, Balls, false, RunBall, RunBallPeer,
     Has<peers::SphereQuestion>},
    {"ball_any", false, Balls, false, RunBallAny, nullptr, nullptr},
    {"box", true, Boxes, false, RunBox, nullptr, nullptr},
    {"half_spaces", true, Boxes, false, RunHalfSpaces, nullptr, nullptr},
    {"closest_hit", false, Rays, false, RunClosestHit, RunClosestHitPeer,
     Has<peers::RayQuestion>},
    {"any_hit", false, Rays, false, RunAnyHit, nullptr, nullptr},
    {"all_hits", true, Rays, false, RunAllHits, nullptr, nullptr},
    {"closest_hit_batch", false, One, true, RunClosestHitBatch,
     RunClosestHitPeerOneByOne, Has<peers::RayQuestion>},
    {"sweep", false, Balls, false, RunSweep, nullptr, nullptr},
    {"sweep_all", true, Balls, false, RunSweepAll, nullptr, nullptr},
    {"inside", false, Points, false, RunInside, nullptr, nullptr, true},
    {"signed_distance", false, Points, false, RunSignedDistance, nullptr,
     nullptr, true},
    {"winding", false, Points, false, RunWinding, nullptr, nullptr, true},
    {"self_overlap", true, One, false, RunSelfOverlap, nullptr, nullptr},
    {"self_within_0", true, One, false, RunSelfWithin, nullptr, nullptr},
    {"build", false, One, false, RunBuild, nullptr, nullptr},
    {"refit", false, One, false, RunRefit, nullptr, nullptr},
    {"signed_create", false, One, false, RunSignedCreate, nullptr, nullptr,
     true}};

BuildOptions Usual() { return {.threads = 1}; }
BuildOptions Otherwise() {
  return {.volumes = Volumes::kAabb, .quality = Quality::kFast, .threads = 1};
}

// Returns true if Embree's floats can represent coordinates and their squares.
bool FloatsHold(double size) { return size > 1e-15 && size < 1e15; }

bool Applies(const MeshQuestion& question, const Mesh& mesh) {
  if (!question.is_about_sides) return true;
  const Tree tree = Build(mesh, Usual()).value();
  return SignedDistanceField::Create(tree).ok();
}

// The side that queries a tree of the mesh, and keeps it and the probes alive.
Side SideOf(const MeshQuestion& question,
            std::shared_ptr<const QueriedMesh> queried,
            const BuildOptions& options) {
  QueriedTree on{Build(queried->mesh, options).value(), nullptr, nullptr};
  if (question.is_about_sides) {
    on.signed_distance = std::make_shared<const SignedDistanceField>(
        SignedDistanceField::Create(on.tree).value());
    on.winding = std::make_shared<const WindingNumberField>(
        WindingNumberField::Of(on.tree));
  }
  const size_t count = question.count(queried->probes);
  const size_t per_call = question.is_batch ? queried->probes.points.size() : 1;
  return {count,
          [call = question.call, on = std::move(on), queried](size_t i) {
            return call(on, queried->probes, i);
          },
          per_call};
}

void AppendEmbree(const MeshQuestion& question,
                  const std::shared_ptr<const QueriedMesh>& queried,
                  std::vector<Reference>* references) {
  if (question.call_peer == nullptr || !FloatsHold(queried->size)) return;
  for (const peers::Peer& peer : peers::Peers()) {
    if (peer.name != "embree") continue;
    std::shared_ptr<peers::OneMesh> built = peer.over_mesh(queried->mesh);
    if (!question.can_call(*built)) continue;
    const size_t count = question.count(queried->probes);
    const size_t per_call =
        question.is_batch ? queried->probes.points.size() : 1;
    Reference reference{.name = std::string(peer.name), .side = {}};
    reference.side = {count,
                      [call = question.call_peer, built, queried](size_t i) {
                        return call(*built, queried->probes, i);
                      },
                      per_call};
    // Floats may lose or gain a triangle, and a ray's hit with it.
    const bool is_continuous = !question.counts_results &&
                               question.count != Rays &&
                               question.call != RunClosestHitBatch;
    reference.tolerance = is_continuous ? kFloatTolerance * queried->size : -1;
    references->push_back(std::move(reference));
  }
}

}  // namespace

std::span<const MeshQuestion> MeshQuestions() { return kQuestions; }

Trial MeshTrial(const MeshQuestion& question, QueriedMesh degenerate,
                QueriedMesh general) {
  const auto hard = std::make_shared<const QueriedMesh>(std::move(degenerate));
  const auto easy = std::make_shared<const QueriedMesh>(std::move(general));
  Trial trial;
  trial.n = hard->mesh.triangle_count();
  if (!Applies(question, hard->mesh) || !Applies(question, easy->mesh)) {
    return trial;
  }
  trial.counts_results = question.counts_results;
  trial.orbox = SideOf(question, hard, Usual());
  trial.otherwise = SideOf(question, hard, Otherwise());
  trial.references.push_back(
      {.name = "general", .side = SideOf(question, easy, Usual())});
  AppendEmbree(question, hard, &trial.references);
  return trial;
}

Probes ProbesAround(const Aabb& box, size_t count) {
  meshes::Random random(11);
  const Vec3 center = box.Center();
  const Vec3 half = box.HalfExtents();
  const double reach = MaxCoordinate(half);
  const auto within = [&](double share) {
    const Vec3 u = random.Point(-share, share);
    return center + Vec3{u.x * half.x, u.y * half.y, u.z * half.z};
  };
  Probes probes;
  for (size_t i = 0; i < count; ++i) {
    probes.points.push_back(within(1.5));
    const Vec3 from = center + random.Direction() * (2 * reach);
    probes.rays.push_back({from, within(0.7) - from});
    probes.balls.push_back({within(1), 0.05 * reach});
    const Vec3 corner = within(1);
    const Vec3 side = Vec3{1, 1, 1} * (0.05 * reach);
    probes.boxes.push_back({corner - side, corner + side});
  }
  return probes;
}

}  // namespace orbox::cliffs
