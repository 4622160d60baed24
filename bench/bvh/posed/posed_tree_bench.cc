// SPDX-License-Identifier: Apache-2.0

// One query of a mesh at a pose that stretches one direction: by PosedTree, by
// a tree built of the moved mesh, and by a tree refitted to it. The arguments
// are the way, and the stretch in tenths.
#include "orbox/bvh/posed/posed_tree.h"

#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"

namespace orbox {
namespace {

enum How { kPosed, kBuilt, kRefitted, kBuiltBefore };

const Tree& Knot() {
  static const Tree knot = [] {
    GenerateOptions options;
    options.shape = "torus_knot";
    options.triangles = 50'000;
    return Build(GenerateMesh(options).value()).value();
  }();
  return knot;
}

// A mesh as large as the knot, at a distance of `gap` times it.
Pose Stretching(double stretch, double gap) {
  Pose pose = Pose::Rotation({0, 0.6, 0.8}, 1);
  for (Vec3& row : pose.rows) row.x *= stretch;
  const Aabb& box = Knot().mesh().bounds();
  pose.translation.z = gap * Norm(box.hi - box.lo);
  return pose;
}

PosedTree Make(int64_t how, const Pose& pose) {
  if (how == kPosed) return PosedTree::Create(Knot(), pose).value();
  std::vector<Vec3> vertices;
  for (const Vec3& v : Knot().mesh().vertices()) {
    vertices.push_back(pose.Apply(v));
  }
  const Mesh moved =
      Mesh::Create(std::move(vertices), {Knot().mesh().triangles().begin(),
                                         Knot().mesh().triangles().end()})
          .value();
  if (how == kRefitted) return Refit(Knot(), moved, {.threads = 1}).value();
  return Build(moved, {.quality = Quality::kFast, .threads = 1}).value();
}

template <typename Call>
void Run(benchmark::State& state, double gap, Call call) {
  static const char* const kNames[] = {"posed", "built", "refitted",
                                       "built before"};
  const int64_t how = state.range(0);
  const Pose pose = Stretching(0.1 * static_cast<double>(state.range(1)), gap);
  const PosedTree before = Make(how, pose);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        call(how == kBuiltBefore ? before : Make(how, pose)));
  }
  state.SetLabel(kNames[how]);
}

void BM_Overlap(benchmark::State& state) {
  Run(state, 0.1, [](const PosedTree& t) { return AnyOverlap(t, Knot()); });
}
void BM_OverlappingPairs(benchmark::State& state) {
  Run(state, 0.1,
      [](const PosedTree& t) { return AllOverlaps(t, Knot()).size(); });
}
void BM_DistanceFar(benchmark::State& state) {
  Run(state, 1.5,
      [](const PosedTree& t) { return ClosestPair(t, Knot())->distance; });
}
void BM_DistanceToFar(benchmark::State& state) {
  Run(state, 1.5,
      [](const PosedTree& t) { return ClosestPair(Knot(), t)->distance; });
}

void Arguments(benchmark::internal::Benchmark* bench) {
  bench
      ->ArgsProduct(
          {{kPosed, kBuilt, kRefitted, kBuiltBefore}, {11, 20, 40, 75, 160}})
      ->Unit(benchmark::kMicrosecond);
}
BENCHMARK(BM_Overlap)->Apply(Arguments);
BENCHMARK(BM_OverlappingPairs)->Apply(Arguments);
BENCHMARK(BM_DistanceFar)->Apply(Arguments);
BENCHMARK(BM_DistanceToFar)->Apply(Arguments);

}  // namespace
}  // namespace orbox
