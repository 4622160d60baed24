// SPDX-License-Identifier: Apache-2.0

// Rays: the first hit, any hit, and all hits.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "bench/peers/measure.h"
#include "bench/peers/works.h"

namespace orbox::peers {
namespace {

constexpr size_t kCompared = 1000;

// The share of rays that pass an edge or a silhouette on the other side in
// float.
constexpr double kMissed = 0.01;

// Returns true if `t` is a hit of a ray within the peer's tolerance of this
// one. Rays moved aside by the tolerance differ at grazing angles, and pass
// silhouettes on either side.
bool IsAmongNeighbours(double t, const Ray& ray, RayQuestion* ours,
                       double tolerance) {
  const double length = Norm(ray.direction);
  const Vec3 unit = ray.direction * (1 / length);
  const Vec3 other = std::abs(unit.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 aside = Normalized(Cross(unit, other));
  const Vec3 up = Cross(unit, aside);
  double low = ours->FirstHit(ray);
  double high = low;
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      const Vec3 move = (aside * i + up * j) * tolerance;
      const double u = ours->FirstHit({ray.origin + move, ray.direction});
      low = std::min(low, u);
      high = std::max(high, u);
    }
  }
  const double slack = tolerance / length;
  return t >= low - slack && t <= high + slack;
}

void RunRay(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  auto* theirs = dynamic_cast<RayQuestion*>(built.theirs);
  auto* ours = dynamic_cast<RayQuestion*>(built.ours);
  if (theirs == nullptr || ours == nullptr) return;
  const Times times = MeasureSideBySide(
      mesh.rays.size(), [&](size_t i) { theirs->FirstHit(mesh.rays[i]); },
      [&](size_t i) { ours->FirstHit(mesh.rays[i]); }, kSecondsPerRow);
  const double tolerance =
      built.peer.tolerance * std::max(mesh.diagonal, mesh.largest);
  const bool agree = AgreeThroughout(
      std::min(times.queries, kCompared), kSecondsPerRow / 4, [&](size_t i) {
        const Ray& ray = mesh.rays[i];
        return IsAmongNeighbours(theirs->FirstHit(ray), ray, ours, tolerance);
      });
  emit({"ray", mesh.name, "", built.peer.name, times, agree});
}

void RunAnyHit(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  auto* theirs = dynamic_cast<AnyHitQuestion*>(built.theirs);
  auto* ours = dynamic_cast<AnyHitQuestion*>(built.ours);
  if (theirs == nullptr || ours == nullptr) return;
  const Times times = MeasureSideBySide(
      mesh.rays.size(), [&](size_t i) { theirs->AnyHit(mesh.rays[i]); },
      [&](size_t i) { ours->AnyHit(mesh.rays[i]); }, kSecondsPerRow);
  const bool agree =
      AgreeButFor(kMissed, std::min(times.queries, kCompared), [&](size_t i) {
        return theirs->AnyHit(mesh.rays[i]) == ours->AnyHit(mesh.rays[i]);
      });
  emit({"any_hit", mesh.name, "", built.peer.name, times, agree});
}

void RunAllHits(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  auto* theirs = dynamic_cast<AllHitsQuestion*>(built.theirs);
  auto* ours = dynamic_cast<AllHitsQuestion*>(built.ours);
  if (theirs == nullptr || ours == nullptr) return;
  std::vector<double> t;
  std::vector<double> u;
  const auto call = [&](AllHitsQuestion* question, size_t i,
                        std::vector<double>* out) {
    out->clear();
    question->AllHits(mesh.rays[i], out);
  };
  const Times times = MeasureSideBySide(
      mesh.rays.size(), [&](size_t i) { call(theirs, i, &t); },
      [&](size_t i) { call(ours, i, &u); }, kSecondsPerRow);
  const bool agree =
      AgreeButFor(kMissed, std::min(times.queries, kCompared), [&](size_t i) {
        call(theirs, i, &t);
        call(ours, i, &u);
        return t.size() == u.size();
      });
  emit({"all_hits", mesh.name, "", built.peer.name, times, agree});
}

// All rays at once, in one batch on one thread, compared with the peer's own
// batch or its queries one after another.
void RunRayBatch(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  auto* one = dynamic_cast<RayQuestion*>(built.theirs);
  auto* batch = dynamic_cast<RayBatchQuestion*>(built.theirs);
  auto* ours = dynamic_cast<RayBatchQuestion*>(built.ours);
  if ((one == nullptr && batch == nullptr) || ours == nullptr) return;
  std::vector<double> t;
  std::vector<double> u;
  Times times = MeasureSideBySide(
      1,
      [&](size_t) {
        t.clear();
        if (batch != nullptr) {
          batch->FirstHits(mesh.rays, &t);
        } else {
          for (const Ray& ray : mesh.rays) t.push_back(one->FirstHit(ray));
        }
      },
      [&](size_t) {
        u.clear();
        ours->FirstHits(mesh.rays, &u);
      },
      kSecondsPerRow);
  times.queries = mesh.rays.size();
  times.peer_ns /= static_cast<double>(mesh.rays.size());
  times.orbox_ns /= static_cast<double>(mesh.rays.size());
  // Those of `ray`, which are compared there.
  auto* alone = dynamic_cast<RayQuestion*>(built.ours);
  const bool agree = AgreeButFor(
      0, std::min(mesh.rays.size(), kCompared),
      [&](size_t i) { return alone->FirstHit(mesh.rays[i]) == u[i]; });
  emit({"ray_batch", mesh.name, "", built.peer.name, times, agree});
}

constexpr MeshWork kWorks[] = {{"ray", RunRay},
                               {"any_hit", RunAnyHit},
                               {"all_hits", RunAllHits},
                               {"ray_batch", RunRayBatch}};

}  // namespace

std::span<const MeshWork> RayWorks() { return kWorks; }

}  // namespace orbox::peers
