// SPDX-License-Identifier: Apache-2.0

// Points, ranges and rays against a scene of a thousand bodies of 10,000
// triangles, unmoved or turned; and frames of overlapping pairs.
#include "orbox/bvh/scene/scene.h"

#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_region_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

constexpr int kSide = 10;

// On a lattice of the given step; a knot's diagonal is about 4.
Scene MakeScene(bool turned, double step) {
  const Tree tree =
      Build(GenerateMesh({.shape = "torus_knot", .triangles = 10'000}).value())
          .value();
  meshes::Random random(1);
  Scene scene;
  for (int i = 0; i < kSide * kSide * kSide; ++i) {
    const Vec3 at = Vec3{static_cast<double>(i % kSide),
                         static_cast<double>(i / kSide % kSide),
                         static_cast<double>(i / kSide / kSide)} *
                    step;
    const double angle = random.Uniform(-3, 3);
    const Vec3 axis = random.Direction();
    (void)scene
        .Add(tree,
             turned ? Pose::Rotation(axis, angle, at) : Pose::Translation(at))
        .value();
  }
  scene.Update();
  return scene;
}

constexpr double kStep = 6;

template <typename Call>
void Run(benchmark::State& state, Call call) {
  const Scene scene = MakeScene(state.range(0) != 0, kStep);
  meshes::Random random(2);
  for (auto _ : state) {
    const Vec3 p = random.Point(0, kStep * (kSide - 1));
    const Vec3 direction = random.Direction();
    benchmark::DoNotOptimize(call(scene, p, direction));
  }
  state.SetLabel(state.range(0) != 0 ? "turned" : "shifted");
}

void BM_ClosestPoint(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Vec3& p, const Vec3&) {
    return ClosestPoint(scene, p);
  });
}
BENCHMARK(BM_ClosestPoint)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_TrianglesInABall(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Vec3& p, const Vec3&) {
    return AllOverlappingTriangles(scene, Sphere{p, 1}).size();
  });
}
BENCHMARK(BM_TrianglesInABall)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_TrianglesInABox(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Vec3& p, const Vec3&) {
    return AllOverlappingTriangles(scene, Aabb{p, p + Vec3{2, 2, 2}}).size();
  });
}
BENCHMARK(BM_TrianglesInABox)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_BodiesInABox(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Vec3& p, const Vec3&) {
    return AllOverlaps(scene, Aabb{p, p + Vec3{2, 2, 2}}).size();
  });
}
BENCHMARK(BM_BodiesInABox)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_ClosestHit(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Vec3& p, const Vec3& direction) {
    return ClosestHit(scene, Ray{p, direction});
  });
}
BENCHMARK(BM_ClosestHit)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_AnyHit(benchmark::State& state) {
  Run(state, [](const Scene& scene, const Vec3& p, const Vec3& direction) {
    return AnyHit(scene, Ray{p, direction});
  });
}
BENCHMARK(BM_AnyHit)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

// All pairs of bodies, a step of tenths apart.
void BM_OverlappingBodies(benchmark::State& state) {
  const Scene scene =
      MakeScene(true, 0.1 * static_cast<double>(state.range(0)));
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
