// SPDX-License-Identifier: Apache-2.0

// All pairs of two meshes, and of one with itself: the plain query, and in
// tasks on one core and on two.
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

const Tree& Knot() {
  static const Tree knot = KnotTree(100'000);
  return knot;
}

// Turned within itself.
const PosedTree& Turned() {
  static const PosedTree turned =
      PosedTree::Create(Knot(), Pose::Rotation({0, 0.6, 0.8}, 0.2)).value();
  return turned;
}

// The argument: threads; 0 is the plain query.
template <typename Plain, typename Parallel>
void Run(benchmark::State& state, Plain plain, Parallel parallel) {
  RunOptions options{.threads = static_cast<int>(state.range(0))};
  // One thread alone would not cut the work up.
  options.progress = [](double) {};
  size_t pairs = 0;
  for (auto _ : state) {
    pairs = options.threads == 0 ? plain().size() : parallel(options).size();
  }
  state.counters["pairs"] = static_cast<double>(pairs);
}

void BM_OverlappingPairs(benchmark::State& state) {
  Run(
      state, [] { return AllOverlaps(Turned(), Knot()); },
      [](const RunOptions& options) {
        return AllOverlaps(Turned(), Knot(), options).value();
      });
}

void BM_PairsWithin(benchmark::State& state) {
  const double distance = 0.005 * Norm(Knot().mesh().bounds().HalfExtents());
  Run(
      state, [&] { return AllWithin(Turned(), Knot(), distance); },
      [&](const RunOptions& options) {
        return AllWithin(Turned(), Knot(), distance, options).value();
      });
}

void BM_SelfIntersections(benchmark::State& state) {
  Run(
      state, [] { return AllSelfOverlaps(Knot()); },
      [](const RunOptions& options) {
        return AllSelfOverlaps(Knot(), {}, options).value();
      });
}

void BM_SelfIntersectionsOfASoup(benchmark::State& state) {
  static const Tree soup = Build(meshes::Soup(20'000, 0.05)).value();
  Run(
      state, [] { return AllSelfOverlaps(soup); },
      [](const RunOptions& options) {
        return AllSelfOverlaps(soup, {}, options).value();
      });
}

void Threads(benchmark::internal::Benchmark* bench) {
  bench->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK(BM_OverlappingPairs)->Apply(Threads);
BENCHMARK(BM_PairsWithin)->Apply(Threads);
BENCHMARK(BM_SelfIntersections)->Apply(Threads);
BENCHMARK(BM_SelfIntersectionsOfASoup)->Apply(Threads);

}  // namespace
}  // namespace orbox
