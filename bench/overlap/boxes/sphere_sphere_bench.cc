// SPDX-License-Identifier: Apache-2.0

// Sphere against sphere, exactly and conservatively; spheres around triangles.
#include "orbox/overlap/boxes/sphere_sphere.h"

#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/overlap/triangles/triangle_spheres.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

constexpr size_t kCount = 4096;

// A quarter to a third of the pairs overlap.
std::vector<Sphere> Spheres() {
  meshes::Random random(1);
  std::vector<Sphere> spheres;
  for (size_t i = 0; i < kCount; ++i) {
    spheres.push_back({random.Point(-1, 1), random.Uniform(0, 0.8)});
  }
  return spheres;
}

template <typename Test>
void RunPairs(benchmark::State& state, Test test) {
  const std::vector<Sphere> spheres = Spheres();
  for (auto _ : state) {
    size_t overlapping = 0;
    for (size_t i = 0; i + 1 < kCount; ++i) {
      overlapping += test(spheres[i], spheres[i + 1]) ? 1 : 0;
    }
    benchmark::DoNotOptimize(overlapping);
  }
  state.SetItemsProcessed(state.iterations() * (kCount - 1));
}

void BM_Exact(benchmark::State& state) {
  RunPairs(state,
           [](const Sphere& s, const Sphere& t) { return Overlaps(s, t); });
}
BENCHMARK(BM_Exact);

void BM_Conservative(benchmark::State& state) {
  RunPairs(state,
           [](const Sphere& s, const Sphere& t) { return MayOverlap(s, t); });
}
BENCHMARK(BM_Conservative);

template <typename Fit>
void RunTriangles(benchmark::State& state, Fit fit) {
  const Mesh mesh = meshes::Soup(kCount, 0.1);
  for (auto _ : state) {
    for (uint32_t i = 0; i < kCount; ++i) {
      benchmark::DoNotOptimize(fit(mesh.triangle(i)));
    }
  }
  state.SetItemsProcessed(state.iterations() * kCount);
}

void BM_CentroidSphere(benchmark::State& state) {
  RunTriangles(state, CentroidSphere);
}
BENCHMARK(BM_CentroidSphere);

void BM_SmallestSphere(benchmark::State& state) {
  RunTriangles(state, SmallestSphere);
}
BENCHMARK(BM_SmallestSphere);

}  // namespace
}  // namespace orbox
