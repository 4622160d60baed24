// SPDX-License-Identifier: Apache-2.0

// Self-intersections of a closed surface, whose neighbours all touch, and of a
// soup; by the kind of volume.
#include "orbox/bvh/query/pairs/self_overlap.h"

#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/generate.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

Tree MakeTree(const Mesh& mesh, int64_t volumes) {
  BuildOptions options;
  options.volumes = static_cast<Volumes>(volumes);
  return Build(mesh, options).value();
}

void Run(benchmark::State& state, const Mesh& mesh) {
  static const char* const kNames[] = {"mixed", "sphere", "aabb", "obb"};
  const Tree tree = MakeTree(mesh, state.range(0));
  size_t pairs = 0;
  for (auto _ : state) pairs = AllSelfOverlaps(tree).size();
  state.counters["pairs"] = static_cast<double>(pairs);
  state.counters["triangles/s"] =
      benchmark::Counter(static_cast<double>(mesh.triangle_count()),
                         benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(kNames[state.range(0)]);
}

void BM_OfASurface(benchmark::State& state) {
  GenerateOptions options;
  options.shape = "torus_knot";
  options.triangles = 100'000;
  Run(state, GenerateMesh(options).value());
}
BENCHMARK(BM_OfASurface)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

// Every inner corner is shared by triangles of one plane.
void BM_OfAPlane(benchmark::State& state) { Run(state, meshes::Grid(100)); }
BENCHMARK(BM_OfAPlane)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

void BM_OfASoup(benchmark::State& state) {
  Run(state, meshes::Soup(20'000, 0.05));
}
BENCHMARK(BM_OfASoup)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orbox
