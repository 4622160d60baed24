// SPDX-License-Identifier: Apache-2.0

// Cost of continuous collision of deforming meshes: a cloth that falls on a
// ball, and one that ripples, with itself.
#include <cmath>
#include <cstddef>
#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/motion/deforming_contact.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

template <typename Map>
std::vector<Vec3> Mapped(const Mesh& mesh, Map map) {
  std::vector<Vec3> mapped;
  for (const Vec3& v : mesh.vertices()) mapped.push_back(map(v));
  return mapped;
}

// The unit square, rippled, at a height.
Mesh Cloth(int n, double height) {
  const Mesh grid = meshes::Grid(n);
  return *Mesh::Create(Mapped(grid,
                              [=](const Vec3& v) {
                                return Vec3{v.x, v.y,
                                            height + 0.02 * std::sin(40 * v.x) *
                                                         std::cos(30 * v.y)};
                              }),
                       {grid.triangles().begin(), grid.triangles().end()});
}

// Moves down by a fraction of the way to the ball. There is no contact below 1.
DeformingMesh Falling(int n, double share) {
  const Mesh cloth = Cloth(n, 1);
  return *DeformingMesh::Create(*Build(cloth),
                                Mapped(cloth, [=](const Vec3& v) {
                                  return Vec3{v.x, v.y, v.z - 0.48 * share};
                                }));
}

DeformingMesh Ball() {
  const Mesh ball = meshes::Icosphere(5, {0.513, 0.487, 0}, 0.5);
  return *DeformingMesh::Create(*Build(ball), ball.vertices());
}

void Create(benchmark::State& state) {
  const Mesh cloth = Cloth(static_cast<int>(state.range(0)), 1);
  const Tree tree = *Build(cloth);
  for (auto _ : state) {
    benchmark::DoNotOptimize(DeformingMesh::Create(tree, cloth.vertices()));
  }
  state.counters["triangles"] = static_cast<double>(cloth.triangle_count());
}

void OntoABall(benchmark::State& state) {
  const DeformingMesh cloth = Falling(static_cast<int>(state.range(0)),
                                      static_cast<double>(state.range(1)) / 10);
  const DeformingMesh ball = Ball();
  for (auto _ : state) benchmark::DoNotOptimize(FirstContact(cloth, ball));
  state.counters["contact"] = FirstContact(cloth, ball).has_value() ? 1 : 0;
}

void WithItself(benchmark::State& state) {
  const Mesh cloth = Cloth(static_cast<int>(state.range(0)), 1);
  meshes::Random random(1);
  // Corners stray by a fifth of an edge.
  const double stray = 0.2 / static_cast<double>(state.range(0));
  const DeformingMesh moving =
      *DeformingMesh::Create(*Build(cloth), Mapped(cloth, [&](const Vec3& v) {
        return v + Vec3{0.1, 0, -0.2} + random.Point(-stray, stray);
      }));
  for (auto _ : state) benchmark::DoNotOptimize(FirstSelfContact(moving));
  state.counters["contact"] = FirstSelfContact(moving).has_value() ? 1 : 0;
  state.counters["ns_a_triangle"] =
      benchmark::Counter(static_cast<double>(cloth.triangle_count()) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

BENCHMARK(Create)->Arg(50)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(OntoABall)
    ->ArgsProduct({{50, 200}, {5, 9, 15, 50}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(WithItself)->Arg(50)->Arg(200)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orbox
