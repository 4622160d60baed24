// SPDX-License-Identifier: Apache-2.0

// The smallest distance of two knots: without a guess, with the result as the
// guess, and to within an error (in thousandths).
#include "orbox/bvh/query/pairs/closest_pair.h"

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"

namespace orbox {
namespace {

const Tree& Knot() {
  static const Tree knot = KnotTree(100'000);
  return knot;
}

PosedTree Beside() {
  const double size = Norm(Knot().mesh().bounds().HalfExtents());
  return PosedTree::Create(
             Knot(), Pose::Rotation({0, 0.6, 0.8}, 0.3, {1.5 * size, 0, 0}))
      .value();
}

void BM_Distance(benchmark::State& state) {
  const PosedTree a = Beside();
  for (auto _ : state) benchmark::DoNotOptimize(*ClosestPair(a, Knot()));
}
BENCHMARK(BM_Distance)->Unit(benchmark::kMicrosecond);

void BM_DistanceFrom(benchmark::State& state) {
  const PosedTree a = Beside();
  const TrianglePair answer = ClosestPair(a, Knot())->triangles;
  for (auto _ : state) {
    benchmark::DoNotOptimize(*ClosestPair(a, Knot(), {.guess = answer}));
  }
}
BENCHMARK(BM_DistanceFrom)->Unit(benchmark::kMicrosecond);

void BM_DistanceWithError(benchmark::State& state) {
  const PosedTree a = Beside();
  const DistanceError error{.relative =
                                static_cast<double>(state.range(0)) * 1e-3};
  for (auto _ : state) {
    benchmark::DoNotOptimize(*ClosestPairWithError(a, Knot(), error));
  }
}
BENCHMARK(BM_DistanceWithError)
    ->Arg(0)
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace orbox
