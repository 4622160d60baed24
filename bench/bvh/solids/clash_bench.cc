// SPDX-License-Identifier: Apache-2.0

// Kinds of clashes, thickness, volume, and whether interiors overlap, of two
// solids: flush, one through the other, round ones.
#include "orbox/bvh/solids/clash.h"

#include "benchmark/benchmark.h"
#include "orbox/bvh/solids/interior_overlap.h"
#include "orbox/bvh/solids/shared_region.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

struct SolidPair {
  const char* name;
  Tree a;
  Tree b;
};

const SolidPair& PairOf(int64_t i) {
  using solids::Box;
  static const SolidPair pairs[] = {
      {"flush faces", trees::Make(Box({{0, 0, 0}, {4, 0.3, 3}})),
       trees::Make(Box({{1, 0.3, 1}, {5, 1, 2}}))},
      {"flush in a corner",
       trees::Make(meshes::Joined(Box({{0, 0, 0}, {4, 0.3, 3}}),
                                  Box({{0, 0.3, 0}, {0.3, 4, 3}}))),
       trees::Make(Box({{0.3, 0.3, 0}, {2, 2, 2}}))},
      {"a pipe in a wall", trees::Make(Box({{0, 0, 0}, {4, 0.3, 3}})),
       trees::Make(solids::Prism(32, 0.05, {1, -1, 1}, {0.2, 2, 0.1}))},
      {"balls", trees::Make(meshes::Icosphere(3, {0, 0, 0}, 1)),
       trees::Make(meshes::Icosphere(3, {1.5, 0.1, 0.2}, 1))},
  };
  return pairs[i];
}

template <typename Call>
void Run(benchmark::State& state, Call call) {
  const SolidPair& pair = PairOf(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(call(pair.a, pair.b));
  state.SetLabel(pair.name);
}

void BM_Kind(benchmark::State& state) {
  Run(state, [](const Tree& a, const Tree& b) {
    return ClashOf(a, b, {.tolerance = 0.001}).kind;
  });
}
BENCHMARK(BM_Kind)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void BM_Thickness(benchmark::State& state) {
  Run(state, [](const Tree& a, const Tree& b) {
    return ThicknessOfShared(a, b, {.relative = 0.01}).thickness;
  });
}
BENCHMARK(BM_Thickness)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void BM_Volume(benchmark::State& state) {
  Run(state, [](const Tree& a, const Tree& b) {
    return VolumeOfShared(a, b, {.relative = 0.05});
  });
}
BENCHMARK(BM_Volume)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

void BM_InteriorOverlap(benchmark::State& state) {
  Run(state,
      [](const Tree& a, const Tree& b) { return AnyInteriorOverlap(a, b); });
}
BENCHMARK(BM_InteriorOverlap)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace orbox
