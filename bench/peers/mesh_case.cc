// SPDX-License-Identifier: Apache-2.0

#include "bench/peers/mesh_case.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/support/meshes.h"

namespace orbox::peers {
namespace {

constexpr size_t kPoints = 8192;  // more than the caches hold the paths of
constexpr size_t kWithin = 100'000;

// Uniform in area.
class SurfaceSampler {
 public:
  explicit SurfaceSampler(const Mesh& mesh) : mesh_(mesh) {
    double sum = 0;
    for (size_t id = 0; id < mesh.triangle_count(); ++id) {
      const Triangle t = mesh.triangle(id);
      sum += Norm(Cross(t.b - t.a, t.c - t.a));
      area_below_.push_back(sum);
    }
  }

  Vec3 Sample(meshes::Random& random) const {
    const auto at = std::upper_bound(area_below_.begin(), area_below_.end() - 1,
                                     random.Uniform(0, area_below_.back()));
    const Triangle t = mesh_.triangle(at - area_below_.begin());
    const double root = std::sqrt(random.Uniform(0, 1));
    const double v = root * random.Uniform(0, 1);
    return t.a * (1 - root) + t.b * (root - v) + t.c * v;
  }

 private:
  const Mesh& mesh_;
  std::vector<double> area_below_;
};

}  // namespace

MeshCase::MeshCase(std::string mesh_name, Mesh the_mesh)
    : name(std::move(mesh_name)), mesh(std::move(the_mesh)) {
  const Aabb& box = mesh.bounds();
  diagonal = Norm(box.hi - box.lo);
  largest = 1.5 * MaxCoordinate(Max(Abs(box.lo), Abs(box.hi)));
  meshes::Random random(1);
  const SurfaceSampler surface(mesh);
  for (size_t i = 0; i < kPoints; ++i) {
    const Vec3 u = random.Point(-1.5, 1.5);
    const Vec3 half = box.HalfExtents();
    far.push_back(box.Center() +
                  Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
    near.push_back(surface.Sample(random) +
                   random.Direction() *
                       (0.01 * diagonal * random.Uniform(0, 1)));
  }
  // Random numbers of their own, so that rays do not change the points above.
  meshes::Random other(2);
  for (const Vec3& target : near) {
    Vec3 u = other.Point(-1.5, 1.5);
    u[other.Below(3)] = other.Below(2) == 0 ? -1.5 : 1.5;
    const Vec3 half = box.HalfExtents();
    const Vec3 from =
        box.Center() + Vec3{u.x * half.x, u.y * half.y, u.z * half.z};
    rays.push_back({from, target - from});
  }
  for (size_t i = 0; i < kWithin; ++i) {
    const Vec3 u = other.Point(-1, 1);
    const Vec3 half = box.HalfExtents();
    within.push_back(box.Center() +
                     Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
  }
}

}  // namespace orbox::peers
