// SPDX-License-Identifier: Apache-2.0

// Rays and swept balls on a generated mesh, by the kind of volume.
#include <vector>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

const Mesh& Knot() {
  static const Mesh knot = KnotMesh(100'000);
  return knot;
}

// From 1.5 times the box to points of the surface.
const std::vector<Ray>& Rays() {
  static const std::vector<Ray> rays = [] {
    meshes::Random random(1);
    const Aabb& b = Knot().bounds();
    const Vec3 half = b.HalfExtents() * 1.5;
    std::vector<Ray> made;
    for (int i = 0; i < 4096; ++i) {
      Vec3 u = random.Point(-1, 1);
      u[random.Below(3)] = random.Below(2) == 0 ? -1 : 1;
      const Vec3 from =
          b.Center() + Vec3{u.x * half.x, u.y * half.y, u.z * half.z};
      const Triangle t = Knot().triangle(random.Below(Knot().triangle_count()));
      made.push_back({from, (t.a + t.b + t.c) * (1.0 / 3) - from});
    }
    return made;
  }();
  return rays;
}

template <typename Query>
void RunOverRays(benchmark::State& state, Query query) {
  static const char* const names[] = {"mixed", "sphere", "aabb", "obb"};
  const Tree& tree = KnotTreeOf(state.range(0));
  const std::vector<Ray>& rays = Rays();
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(query(tree, rays[i++ % rays.size()]));
  }
  state.SetLabel(names[state.range(0)]);
}

void BM_ClosestHit(benchmark::State& state) {
  RunOverRays(state, [](const Tree& tree, const Ray& ray) {
    return ClosestHit(tree, ray);
  });
}
BENCHMARK(BM_ClosestHit)->DenseRange(0, 3);

void BM_AnyHit(benchmark::State& state) {
  RunOverRays(state, [](const Tree& tree, const Ray& ray) {
    return AnyHit(tree, ray);
  });
}
BENCHMARK(BM_AnyHit)->DenseRange(0, 3);

void BM_AllHits(benchmark::State& state) {
  RunOverRays(state, [](const Tree& tree, const Ray& ray) {
    return AllHits(tree, ray);
  });
}
BENCHMARK(BM_AllHits)->DenseRange(0, 3);

// Balls of 0.1 and 1 % of the size.
void BM_SweptSphere(benchmark::State& state) {
  const Aabb& b = Knot().bounds();
  const double radius =
      Norm(b.hi - b.lo) * 0.001 * static_cast<double>(state.range(1));
  RunOverRays(state, [radius](const Tree& tree, const Ray& ray) {
    return ClosestHit(
        tree, SweptSphere{ray.origin, ray.origin + ray.direction, radius});
  });
}
BENCHMARK(BM_SweptSphere)->ArgsProduct({{0, 1, 2, 3}, {1, 10}});

}  // namespace
}  // namespace orbox
