// SPDX-License-Identifier: Apache-2.0

// Points, ranges and rays against a thousand bodies of 2,000 triangles: turned
// by poses, or unmoved with equal triangles. A time is that of 4,096 queries.
// Compare the two rows of a query by medians of interleaved runs:
//
//   scene_bench --benchmark_enable_random_interleaving=true
//       --benchmark_repetitions=9 --benchmark_report_aggregates_only=true
//
// And frames of overlapping pairs.
#include "orbox/bvh/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_region_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

constexpr int kSide = 10;
constexpr int kBodies = kSide * kSide * kSide;
constexpr double kStep = 6;

// On a lattice of the given step, turned at random. A knot's diagonal is about
// 4.
std::vector<Pose> MakePoses(double step) {
  meshes::Random random(1);
  std::vector<Pose> poses;
  for (int i = 0; i < kBodies; ++i) {
    const Vec3 at = Vec3{static_cast<double>(i % kSide),
                         static_cast<double>(i / kSide % kSide),
                         static_cast<double>(i / kSide / kSide)} *
                    step;
    const double angle = random.Uniform(-3, 3);
    poses.push_back(Pose::Rotation(random.Direction(), angle, at));
  }
  return poses;
}

// Bodies with a tree each: at poses, or of meshes that were moved before. A
// pose rounds vertices as Moved does, so the bodies are equal to the last bit.
Scene MakeScene(bool posed) {
  const Mesh knot = KnotMesh(2'000);
  Scene scene;
  for (const Pose& pose : MakePoses(kStep)) {
    const Mesh mesh = meshes::Moved(knot, posed ? Pose() : pose);
    (void)scene.Add(Build(mesh).value(), posed ? pose : Pose()).value();
  }
  scene.Update();
  return scene;
}

// Each is made once and kept.
const Scene& SceneOf(bool posed) {
  static const Scene unmoved = MakeScene(false);
  static const Scene turned = MakeScene(true);
  return posed ? turned : unmoved;
}

Aabb BoxAt(const Vec3& corner) { return {corner, corner + Vec3{2, 2, 2}}; }

// Both scenes get equal queries. `call` returns a number of its result, and the
// sums of both scenes are equal.
template <typename Call>
void Run(benchmark::State& state, Call call) {
  const bool posed = state.range(0) != 0;
  const Scene& scene = SceneOf(posed);
  constexpr size_t kQueries = 4096;
  std::vector<Ray> rays;
  meshes::Random random(2);
  for (size_t i = 0; i < kQueries; ++i) {
    const Vec3 p = random.Point(0, kStep * (kSide - 1));
    rays.push_back({p, random.Direction()});
  }
  double sum = 0;
  for (auto _ : state) {
    sum = 0;
    for (const Ray& ray : rays) sum += call(scene, ray);
  }
  state.counters["sum"] = sum;
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kQueries));
  state.SetLabel(posed ? "turned" : "unmoved");
}

void BM_ClosestPoint(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Ray& ray) {
    return ClosestPoint(scene, ray.origin)->surface.distance;
  });
}
BENCHMARK(BM_ClosestPoint)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void BM_TrianglesInABall(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Ray& ray) {
    return AllOverlappingTriangles(scene, Sphere{ray.origin, 1}).size();
  });
}
BENCHMARK(BM_TrianglesInABall)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void BM_TrianglesInABox(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Ray& ray) {
    return AllOverlappingTriangles(scene, BoxAt(ray.origin)).size();
  });
}
BENCHMARK(BM_TrianglesInABox)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void BM_BodiesInABox(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Ray& ray) {
    return AllOverlaps(scene, BoxAt(ray.origin)).size();
  });
}
BENCHMARK(BM_BodiesInABox)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void BM_ClosestHit(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Ray& ray) {
    const auto found = ClosestHit(scene, ray);
    return found ? found->hit.t : 0;
  });
}
BENCHMARK(BM_ClosestHit)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void BM_AnyHit(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Ray& ray) {
    return AnyHit(scene, ray) ? 1 : 0;
  });
}
BENCHMARK(BM_AnyHit)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// All pairs of bodies of one tree, of 10,000 triangles, a step of tenths apart.
void BM_OverlappingBodies(benchmark::State& state) {
  const Tree tree = KnotTree(10'000);
  Scene scene;
  for (const Pose& pose :
       MakePoses(0.1 * static_cast<double>(state.range(0)))) {
    (void)scene.Add(tree, pose).value();
  }
  scene.Update();
  size_t pairs = 0;
  for (auto _ : state) {
    pairs = AllOverlaps(scene).size();
  }
  state.counters["pairs"] = static_cast<double>(pairs);
  state.counters["candidates"] =
      static_cast<double>(scene.pairs_of_bounds().size());
}
BENCHMARK(BM_OverlappingBodies)
    ->Arg(20)
    ->Arg(25)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace orbox
