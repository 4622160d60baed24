// SPDX-License-Identifier: Apache-2.0

// Circle against rectangle, by nine zones and by folding, in float, from L1.
#include "orbox/overlap/boxes/circle_rect.h"

#include <benchmark/benchmark.h>

#include <vector>

#include "bench/overlap/boxes/sphere_box_pairs.h"

namespace orbox::bench {
namespace {

constexpr size_t kPairs = 1024;  // 28 KB
constexpr size_t kTests = 1 << 16;

struct Pair {
  BasicCircle<float> circle;
  BasicRect<float> rect;
};

// About half of them overlap.
std::vector<Pair> MakeCirclesAndRects() {
  Uniform uniform(/*seed=*/7);
  std::vector<Pair> pairs(kPairs);
  for (Pair& p : pairs) {
    const Vec3f c = uniform.Point();
    const Vec3f r = uniform.Point();
    const Vec3f h = uniform.Point() * 0.5f;
    p.circle = {{c.x, c.y}, 0.5f * uniform()};
    p.rect = {{r.x - h.x, r.y - h.y}, {r.x + h.x, r.y + h.y}};
  }
  return pairs;
}

using Test = bool (*)(const BasicCircle<float>&, const BasicRect<float>&);

template <Test test>
void BM_CircleRect(benchmark::State& state) {
  const auto pairs = MakeCirclesAndRects();
  const auto order = RandomOrder(kPairs, kTests, /*seed=*/8);
  for (auto _ : state) {
    size_t hits = 0;
    for (uint16_t i : order) hits += test(pairs[i].circle, pairs[i].rect);
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTests));
}

BENCHMARK(BM_CircleRect<OverlapsNineZones>)->Name("NineZones");
BENCHMARK(BM_CircleRect<OverlapsFolded>)->Name("Folded");

}  // namespace
}  // namespace orbox::bench
