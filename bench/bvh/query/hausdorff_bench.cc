// SPDX-License-Identifier: Apache-2.0

// A mesh against itself, moved a little, and against a coarser one; and the
// field of distances, triangle by triangle.
#include "orbox/bvh/query/deviation/hausdorff.h"

#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/generate.h"

namespace orbox {
namespace {

Tree Knot(size_t triangles) {
  GenerateOptions options;
  options.shape = "torus_knot";
  options.triangles = triangles;
  return Build(GenerateMesh(options).value()).value();
}

double Size(const Tree& tree) {
  return Norm(tree.mesh().bounds().hi - tree.mesh().bounds().lo);
}

void Label(benchmark::State& state, const HausdorffResult& h) {
  state.counters["lower"] = h.lower;
  state.counters["upper"] = h.upper;
}

// Ranges: the tolerance and the way moved, in millionths of the diagonal.
void BM_Moved(benchmark::State& state) {
  const Tree tree = Knot(20'000);
  const double unit = 1e-6 * Size(tree);
  const Pose pose = Pose::Translation(
      Vec3{0.48, 0.6, 0.64} * (static_cast<double>(state.range(1)) * unit));
  const PosedTree moved = PosedTree::Create(tree, pose).value();
  const HausdorffLimits limits{.tolerance =
                                   static_cast<double>(state.range(0)) * unit};
  HausdorffResult h;
  for (auto _ : state) h = HausdorffDistance(moved, tree, limits).value();
  Label(state, h);
}
BENCHMARK(BM_Moved)
    ->ArgsProduct({{1000, 100}, {1000, 50'000}})
    ->Unit(benchmark::kMillisecond);

void BM_CoarserToFiner(benchmark::State& state) {
  const Tree fine = Knot(20'000);
  const Tree coarse = Knot(static_cast<size_t>(state.range(0)));
  HausdorffResult h;
  for (auto _ : state) h = HausdorffDistance(coarse, fine).value();
  Label(state, h);
}
BENCHMARK(BM_CoarserToFiner)
    ->Arg(500)
    ->Arg(5000)
    ->Unit(benchmark::kMillisecond);

// Arg: threads.
void BM_Field(benchmark::State& state) {
  const Tree fine = Knot(20'000);
  const Tree coarse = Knot(2'000);
  const RunOptions options{.threads = static_cast<int>(state.range(0))};
  for (auto _ : state) {
    benchmark::DoNotOptimize(DeviationField(coarse, fine, {}, options).value());
  }
}
BENCHMARK(BM_Field)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Arg: threads.
void BM_Symmetric(benchmark::State& state) {
  const Tree fine = Knot(100'000);
  const Tree coarse = Knot(5'000);
  const HausdorffLimits limits{.tolerance = 1e-4 * Size(fine)};
  const RunOptions options{.threads = static_cast<int>(state.range(0))};
  for (auto _ : state) {
    benchmark::DoNotOptimize(SymmetricHausdorffDistance(coarse, fine).value());
  }
}
BENCHMARK(BM_Symmetric)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace orbox
