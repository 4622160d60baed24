// SPDX-License-Identifier: Apache-2.0

// A thousand poses of a knot next to another one: queried one by one, and as a
// batch on one core and on two.
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"

#include <vector>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

const Tree& Knot() {
  static const Tree knot = KnotTree(20'000);
  return knot;
}

// A way past the other knot in small steps; shuffled, so that the batch has to
// find it.
std::vector<Pose> Poses() {
  meshes::Random random(1);
  const double size = Norm(Knot().mesh().bounds().HalfExtents());
  std::vector<Pose> poses;
  for (int i = 0; i < 1000; ++i) {
    const double t = i * 1e-3;
    poses.push_back(
        Pose::Rotation({0, 0.6, 0.8}, t, Vec3{1.2, t, 0.3 * t} * size));
  }
  for (size_t i = poses.size(); i > 1; --i) {
    std::swap(poses[i - 1], poses[random.Below(i)]);
  }
  return poses;
}

void BM_DistanceOneByOne(benchmark::State& state) {
  const auto poses = Poses();
  for (auto _ : state) {
    for (const Pose& pose : poses) {
      benchmark::DoNotOptimize(
          *ClosestPair(PosedTree::Create(Knot(), pose).value(), Knot()));
    }
  }
}
BENCHMARK(BM_DistanceOneByOne)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_DistanceAtPoses(benchmark::State& state) {
  const auto poses = Poses();
  const int threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        ClosestPair(Knot(), poses, Knot(), {}, {.threads = threads}).value());
  }
}
BENCHMARK(BM_DistanceAtPoses)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_OverlapAtPoses(benchmark::State& state) {
  const auto poses = Poses();
  const int threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        AnyOverlap(Knot(), poses, Knot(), {.threads = threads}).value());
  }
}
BENCHMARK(BM_OverlapAtPoses)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace orbox
