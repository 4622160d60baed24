// SPDX-License-Identifier: Apache-2.0

// Batches compared with the same queries one by one, on one core and on all:
// the gain by the order of the queries, and by more cores. Times are for one
// query.
#include <cstdint>
#include <span>
#include <vector>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

const Tree& Knot() {
  static const Tree knot = KnotTree(100'000);
  return knot;
}

double Size() {
  const Aabb& b = Knot().mesh().bounds();
  return Norm(b.hi - b.lo);
}

// In 1.5 times the box, or within 1 % of the size from the surface.
const std::vector<Vec3>& Points(bool near) {
  static const auto make = [](bool close) {
    const Mesh& mesh = Knot().mesh();
    meshes::Random random(1);
    std::vector<Vec3> points;
    for (int i = 0; i < 100'000; ++i) {
      if (close) {
        const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
        points.push_back(t.a + random.Direction() *
                                   (0.01 * Size() * random.Uniform(0, 1)));
      } else {
        const Vec3 half = mesh.bounds().HalfExtents() * 1.5;
        const Vec3 u = random.Point(-1, 1);
        points.push_back(mesh.bounds().Center() +
                         Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
      }
    }
    return points;
  };
  static const std::vector<Vec3> far_points = make(false);
  static const std::vector<Vec3> near_points = make(true);
  return near ? near_points : far_points;
}

std::vector<Sphere> Balls() {
  std::vector<Sphere> balls;
  for (const Vec3& p : Points(true)) balls.push_back({p, 0.01 * Size()});
  return balls;
}

void SetTimePerQuery(benchmark::State& state, size_t queries) {
  state.counters["query"] =
      benchmark::Counter(static_cast<double>(queries),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

// Arguments: near or far; one by one (-1), or the threads of a batch.
void BM_ClosestPoint(benchmark::State& state) {
  const std::vector<Vec3>& points = Points(state.range(0) != 0);
  const auto threads = static_cast<int>(state.range(1));
  for (auto _ : state) {
    if (threads < 0) {
      for (const Vec3& p : points) {
        benchmark::DoNotOptimize(ClosestPoint(Knot(), p));
      }
    } else {
      benchmark::DoNotOptimize(
          ClosestPoint(Knot(), points, {.threads = threads}));
    }
  }
  SetTimePerQuery(state, points.size());
}
BENCHMARK(BM_ClosestPoint)
    ->ArgNames({"near", "threads"})
    ->ArgsProduct({{0, 1}, {-1, 1, 0}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void BM_TenNearest(benchmark::State& state) {
  const std::vector<Vec3>& points = Points(true);
  const auto threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    if (threads < 0) {
      for (const Vec3& p : points) {
        benchmark::DoNotOptimize(KNearest(Knot(), p, 10));
      }
    } else {
      benchmark::DoNotOptimize(
          KNearest(Knot(), points, 10, {.threads = threads}));
    }
  }
  SetTimePerQuery(state, points.size());
}
BENCHMARK(BM_TenNearest)
    ->ArgName("threads")
    ->Arg(-1)
    ->Arg(1)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_SphereRange(benchmark::State& state) {
  const std::vector<Sphere> balls = Balls();
  const auto threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    if (threads < 0) {
      for (const Sphere& ball : balls) {
        benchmark::DoNotOptimize(AllOverlaps(Knot(), ball));
      }
    } else {
      benchmark::DoNotOptimize(
          AllOverlaps(Knot(), balls, {.threads = threads}));
    }
  }
  SetTimePerQuery(state, balls.size());
}
BENCHMARK(BM_SphereRange)
    ->ArgName("threads")
    ->Arg(-1)
    ->Arg(1)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace orbox
