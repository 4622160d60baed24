// All pairs of two meshes, and of one with itself: the plain query, and in
// parts on one core and on two.
#include "orbox/bvh/query/parallel_pairs.h"

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
  BatchOptions options{.threads = static_cast<int>(state.range(0))};
  // One thread alone would not cut the work up.
  options.progress = [](double) {};
  size_t pairs = 0;
  for (auto _ : state) {
    pairs = options.threads == 0 ? plain().size()
                                 : parallel(options).value().size();
  }
  state.counters["pairs"] = static_cast<double>(pairs);
}

void BM_OverlappingPairs(benchmark::State& state) {
  Run(
      state, [] { return OverlappingPairs(Turned(), Knot()); },
      [](const BatchOptions& options) {
        return ParallelOverlappingPairs(Turned(), Knot(), options);
      });
}

void BM_PairsWithin(benchmark::State& state) {
  const double distance = 0.005 * Norm(Knot().mesh().bounds().HalfExtents());
  Run(
      state, [&] { return PairsWithin(Turned(), Knot(), distance); },
      [&](const BatchOptions& options) {
        return ParallelPairsWithin(Turned(), Knot(), distance, options);
      });
}

void BM_SelfIntersections(benchmark::State& state) {
  Run(
      state, [] { return SelfIntersections(Knot()); },
      [](const BatchOptions& options) {
        return ParallelSelfIntersections(Knot(), SharedCorners::kByPosition,
                                         options);
      });
}

void BM_SelfIntersectionsOfASoup(benchmark::State& state) {
  static const Tree soup = Build(meshes::Soup(20'000, 0.05)).value();
  Run(
      state, [] { return SelfIntersections(soup); },
      [](const BatchOptions& options) {
        return ParallelSelfIntersections(soup, SharedCorners::kByPosition,
                                         options);
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
