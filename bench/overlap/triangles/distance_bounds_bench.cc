// SPDX-License-Identifier: Apache-2.0

// Cost of the doubles around an exact distance, compared with the distance
// alone: if double-double decides, and if the distance is itself a double.
#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/overlap/triangles/distance_bounds.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

std::vector<TriangleCase> Pairs(TriangleKind kind) {
  TriangleCases cases(kind, 1);
  std::vector<TriangleCase> pairs;
  while (pairs.size() < 1000) pairs.push_back(cases.Next());
  return pairs;
}

template <typename Call>
void Run(benchmark::State& state, TriangleKind kind, Call call) {
  const std::vector<TriangleCase> pairs = Pairs(kind);
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(call(pairs[i]));
    i = i + 1 == pairs.size() ? 0 : i + 1;
  }
}

void Point(benchmark::State& state, TriangleKind kind) {
  Run(state, kind, [](const TriangleCase& p) {
    return Distance(p.first.a, p.second).distance;
  });
}
void PointBounds(benchmark::State& state, TriangleKind kind) {
  Run(state, kind, [](const TriangleCase& p) {
    return BoundsOfDistance(p.first.a, p.second);
  });
}
void Triangles(benchmark::State& state, TriangleKind kind) {
  Run(state, kind,
      [](const TriangleCase& p) { return DistanceBetween(p.first, p.second); });
}
void TrianglesBounds(benchmark::State& state, TriangleKind kind) {
  Run(state, kind, [](const TriangleCase& p) {
    return BoundsOfDistance(p.first, p.second);
  });
}
void TrianglesSquaredBounds(benchmark::State& state, TriangleKind kind) {
  Run(state, kind, [](const TriangleCase& p) {
    return BoundsOfSquaredDistance(p.first, p.second);
  });
}

#define ORBOX_BENCH_KINDS(name)                             \
  BENCHMARK_CAPTURE(name, random, TriangleKind::kRandom);   \
  BENCHMARK_CAPTURE(name, lattice, TriangleKind::kLattice); \
  BENCHMARK_CAPTURE(name, parallel, TriangleKind::kParallel)
ORBOX_BENCH_KINDS(Point);
ORBOX_BENCH_KINDS(PointBounds);
ORBOX_BENCH_KINDS(Triangles);
ORBOX_BENCH_KINDS(TrianglesBounds);
ORBOX_BENCH_KINDS(TrianglesSquaredBounds);

}  // namespace
}  // namespace orbox
