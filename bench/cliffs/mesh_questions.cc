// SPDX-License-Identifier: Apache-2.0

#include "bench/cliffs/mesh_questions.h"

#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "orbox/bvh/bvh.h"
#include "tests/support/meshes.h"

namespace orbox::cliffs {
namespace {

constexpr size_t kNeighbours = 10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// As peers.cc says of float.
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

double AskClosest(const Tree& tree, const Probes& probes, size_t i) {
  return ClosestPoint(tree, probes.points[i])->distance;
}

double AskClosestPeer(peers::OneMesh& mesh, const Probes& probes, size_t i) {
  return As<peers::ClosestQuestion>(mesh).Closest(probes.points[i]);
}

double AskClosestBatch(const Tree& tree, const Probes& probes, size_t) {
  const auto found = ClosestPoint(tree, probes.points, {.threads = 1});
  double sum = 0;
  for (const auto& hit : *found) sum += hit->distance;
  return sum;
}

double AskClosestPeerOneByOne(peers::OneMesh& mesh, const Probes& probes,
                              size_t) {
  double sum = 0;
  for (size_t i = 0; i < probes.points.size(); ++i) {
    sum += AskClosestPeer(mesh, probes, i);
  }
  return sum;
}

double AskKNearest(const Tree& tree, const Probes& probes, size_t i) {
  return KNearest(tree, probes.points[i], kNeighbours).back().distance;
}

double AskKNearestPeer(peers::OneMesh& mesh, const Probes& probes, size_t i) {
  std::vector<double> distances;
  As<peers::KNearestQuestion>(mesh).KNearest(probes.points[i], kNeighbours,
                                             &distances);
  return distances.back();
}

double AskBall(const Tree& tree, const Probes& probes, size_t i) {
  return static_cast<double>(AllOverlaps(tree, probes.balls[i]).size());
}

double AskBallPeer(peers::OneMesh& mesh, const Probes& probes, size_t i) {
  peers::Ids ids;
  As<peers::SphereQuestion>(mesh).InSphere(probes.balls[i], &ids);
  return static_cast<double>(ids.size());
}

double AskBallAny(const Tree& tree, const Probes& probes, size_t i) {
  return AnyOverlap(tree, probes.balls[i]) ? 1 : 0;
}

double AskBox(const Tree& tree, const Probes& probes, size_t i) {
  return static_cast<double>(AllOverlaps(tree, probes.boxes[i]).size());
}

// Four sides of a box that is open along z.
double AskHalfSpaces(const Tree& tree, const Probes& probes, size_t i) {
  const Aabb& box = probes.boxes[i];
  const HalfSpace sides[] = {{{1, 0, 0}, box.hi.x},
                             {{-1, 0, 0}, -box.lo.x},
                             {{0, 1, 0}, box.hi.y},
                             {{0, -1, 0}, -box.lo.y}};
  return static_cast<double>(CountOverlaps(tree, HalfSpaces(sides)));
}

double AskClosestHit(const Tree& tree, const Probes& probes, size_t i) {
  const std::optional<RayHit> hit = ClosestHit(tree, probes.rays[i]);
  return hit ? hit->t : kInfinity;
}

double AskClosestHitPeer(peers::OneMesh& mesh, const Probes& probes, size_t i) {
  return As<peers::RayQuestion>(mesh).FirstHit(probes.rays[i]);
}

double AskAnyHit(const Tree& tree, const Probes& probes, size_t i) {
  return AnyHit(tree, probes.rays[i]) ? 1 : 0;
}

double AskAllHits(const Tree& tree, const Probes& probes, size_t i) {
  return static_cast<double>(AllHits(tree, probes.rays[i]).size());
}

double AskSelfOverlap(const Tree& tree, const Probes&, size_t) {
  return static_cast<double>(CountSelfOverlaps(tree));
}

// Whatever the time of a mesh as a whole is: results are added to its size.
double AskBuild(const Tree& tree, const Probes&, size_t) {
  return static_cast<double>(
      Build(tree.mesh(), {.threads = 1})->mesh().triangle_count());
}

constexpr MeshQuestion kQuestions[] = {
    {"closest", false, Points, false, AskClosest, AskClosestPeer,
     Has<peers::ClosestQuestion>},
    {"closest_batch", false, One, true, AskClosestBatch, AskClosestPeerOneByOne,
     Has<peers::ClosestQuestion>},
    {"k_nearest", false, Points, false, AskKNearest, AskKNearestPeer,
     Has<peers::KNearestQuestion>},
    {"ball", true, Balls, false, AskBall, AskBallPeer,
     Has<peers::SphereQuestion>},
    {"ball_any", false, Balls, false, AskBallAny, nullptr, nullptr},
    {"box", true, Boxes, false, AskBox, nullptr, nullptr},
    {"half_spaces", true, Boxes, false, AskHalfSpaces, nullptr, nullptr},
    {"closest_hit", false, Rays, false, AskClosestHit, AskClosestHitPeer,
     Has<peers::RayQuestion>},
    {"any_hit", false, Rays, false, AskAnyHit, nullptr, nullptr},
    {"all_hits", true, Rays, false, AskAllHits, nullptr, nullptr},
    {"self_overlap", true, One, false, AskSelfOverlap, nullptr, nullptr},
    {"build", false, One, false, AskBuild, nullptr, nullptr}};

Tree TreeOf(const Mesh& mesh) { return Build(mesh, {.threads = 1}).value(); }

Tree OtherTreeOf(const Mesh& mesh) {
  return Build(mesh, {.volumes = Volumes::kAabb,
                      .quality = Quality::kFast,
                      .threads = 1})
      .value();
}

// The side that asks `tree`, and keeps it and the probes alive.
Side SideOf(const MeshQuestion& question, Tree tree,
            std::shared_ptr<const AskedMesh> asked) {
  const size_t count = question.count(asked->probes);
  const size_t per_call = question.is_batch ? asked->probes.points.size() : 1;
  return {count,
          [ask = question.ask, tree = std::move(tree), asked](size_t i) {
            return ask(tree, asked->probes, i);
          },
          per_call};
}

void AppendEmbree(const MeshQuestion& question,
                  const std::shared_ptr<const AskedMesh>& asked,
                  std::vector<Reference>* references) {
  if (question.ask_peer == nullptr) return;
  for (const peers::Peer& peer : peers::Peers()) {
    if (peer.name != "embree") continue;
    std::shared_ptr<peers::OneMesh> built = peer.over_mesh(asked->mesh);
    if (!question.can_ask(*built)) continue;
    const size_t count = question.count(asked->probes);
    const size_t per_call = question.is_batch ? asked->probes.points.size() : 1;
    Reference reference{.name = std::string(peer.name), .side = {}};
    reference.side = {count,
                      [ask = question.ask_peer, built, asked](size_t i) {
                        return ask(*built, asked->probes, i);
                      },
                      per_call};
    // Of counts, floats may lose or gain some.
    reference.tolerance =
        question.counts_results ? -1 : kFloatTolerance * asked->size;
    references->push_back(std::move(reference));
  }
}

}  // namespace

std::span<const MeshQuestion> MeshQuestions() { return kQuestions; }

Trial MeshTrial(const MeshQuestion& question, AskedMesh degenerate,
                AskedMesh general) {
  const auto hard = std::make_shared<const AskedMesh>(std::move(degenerate));
  const auto easy = std::make_shared<const AskedMesh>(std::move(general));
  Trial trial;
  trial.n = hard->mesh.triangle_count();
  trial.counts_results = question.counts_results;
  trial.orbox = SideOf(question, TreeOf(hard->mesh), hard);
  trial.otherwise = SideOf(question, OtherTreeOf(hard->mesh), hard);
  trial.references.push_back(
      {.name = "general", .side = SideOf(question, TreeOf(easy->mesh), easy)});
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
