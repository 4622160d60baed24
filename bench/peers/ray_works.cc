// SPDX-License-Identifier: Apache-2.0

// What does a ray hit first?
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "bench/peers/measure.h"
#include "bench/peers/works.h"

namespace orbox::peers {
namespace {

constexpr size_t kCompared = 1000;

// Whether `t` is among what rays hit that the peer's numbers hardly tell from
// this one: moved aside by its tolerance, they differ at grazing angles, and
// pass silhouettes on either side.
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

constexpr MeshWork kWorks[] = {{"ray", RunRay}};

}  // namespace

std::span<const MeshWork> RayWorks() { return kWorks; }

}  // namespace orbox::peers
