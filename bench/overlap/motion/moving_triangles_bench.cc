// SPDX-License-Identifier: Apache-2.0

// Cost of the first contact of two moving triangles: far apart, passing by, and
// meeting, where double decides; and on lattices, where roots coincide with the
// ends of features and exact arithmetic decides.
#include <cmath>
#include <cstddef>
#include <vector>

#include "benchmark/benchmark.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

struct MovingPair {
  MovingTriangle s;
  MovingTriangle t;
};

// The second triangle starts about `apart` away; the first moves about `way` in
// any direction or, if `way` is 0, through the second one. Their corners stray
// a bit from that.
std::vector<MovingPair> Pairs(TriangleKind kind, double way, double apart) {
  TriangleCases cases(kind, 1);
  std::vector<MovingPair> pairs;
  while (pairs.size() < 1000) {
    const TriangleCase from = cases.Next();
    MovingPair p{{from.first, from.first}, {from.second, from.second}};
    const Vec3 start = cases.Gaussian() * apart;
    const auto rounded = [kind](const Vec3& v) {
      return kind == TriangleKind::kLattice
                 ? Vec3{std::round(v.x), std::round(v.y), std::round(v.z)}
                 : v;
    };
    const Vec3 step =
        rounded(way != 0 ? cases.Gaussian() * way
                         : (p.t.from.a + start - p.s.from.a) * 1.5);
    for (size_t i = 0; i < 3; ++i) {
      p.t.from[i] += rounded(start);
      p.t.to[i] = p.t.from[i] + rounded(cases.Gaussian() * 0.2);
      p.s.to[i] = p.s.from[i] + step + rounded(cases.Gaussian() * 0.2);
    }
    pairs.push_back(p);
  }
  return pairs;
}

void FirstContactOfTwo(benchmark::State& state, TriangleKind kind, double way,
                       double apart) {
  const std::vector<MovingPair> pairs = Pairs(kind, way, apart);
  ArithmeticCounts counts;
  int contacts = 0;
  for (const MovingPair& p : pairs) {
    contacts += FirstContact(p.s, p.t, {}, &counts).has_value() ? 1 : 0;
  }
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(FirstContact(pairs[i].s, pairs[i].t));
    i = i + 1 == pairs.size() ? 0 : i + 1;
  }
  state.counters["contacts"] = contacts / 1000.0;
  state.counters["exact"] = static_cast<double>(counts.by_exact) / 1000.0;
}

BENCHMARK_CAPTURE(FirstContactOfTwo, apart, TriangleKind::kRandom, 1, 30);
BENCHMARK_CAPTURE(FirstContactOfTwo, passing, TriangleKind::kRandom, 3, 6);
BENCHMARK_CAPTURE(FirstContactOfTwo, near, TriangleKind::kRandom, 1, 3);
BENCHMARK_CAPTURE(FirstContactOfTwo, parallel, TriangleKind::kParallel, 1, 3);
BENCHMARK_CAPTURE(FirstContactOfTwo, meeting, TriangleKind::kRandom, 0, 3);
BENCHMARK_CAPTURE(FirstContactOfTwo, lattice, TriangleKind::kLattice, 3, 6);
BENCHMARK_CAPTURE(FirstContactOfTwo, lattice_meeting, TriangleKind::kLattice, 0,
                  3);

}  // namespace
}  // namespace orbox
