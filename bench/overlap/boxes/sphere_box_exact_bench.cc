// SPDX-License-Identifier: Apache-2.0

// The exact decisions in double, on ordinary pairs at the paper's frequencies
// (the filter decides) and on tangent ones (exact arithmetic has to).
#include "orbox/overlap/boxes/sphere_box_exact.h"

#include <benchmark/benchmark.h>

#include <utility>
#include <vector>

#include "bench/overlap/boxes/sphere_box_pairs.h"

namespace orbox::bench {
namespace {

constexpr size_t kPairs = 128;  // 28 KB of OBB pairs in double
constexpr size_t kTests = 1 << 14;

template <typename Box, typename FloatBox>
void BM_Ordinary(benchmark::State& state) {
  std::vector<std::pair<Sphere, Box>> pairs;
  for (const auto& p : MakePairs<FloatBox>(
           kPairs, static_cast<int>(state.range(0)), /*seed=*/5)) {
    pairs.emplace_back(ToDouble(p.sphere), ToDouble(p.box));
  }
  const auto order = RandomOrder(kPairs, kTests, /*seed=*/6);
  for (auto _ : state) {
    size_t hits = 0;
    for (uint16_t i : order) hits += Overlaps(pairs[i].first, pairs[i].second);
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTests));
}

// A corner at the distance 7 of a Pythagorean box: only exact arithmetic knows.
template <typename Box>
void BM_Tangent(benchmark::State& state) {
  Box box;
  if constexpr (std::is_same_v<Box, Aabb>) {
    box = {{-1, -1, -1}, {1, 1, 1}};
  } else {
    box.half_extents = {1, 1, 1};
  }
  Sphere sphere{{3, 4, 7}, 7};
  for (auto _ : state) {
    benchmark::DoNotOptimize(sphere);
    benchmark::DoNotOptimize(Overlaps(sphere, box));
  }
}

BENCHMARK(BM_Ordinary<Aabb, Aabbf>)->Arg(5)->Arg(25)->Arg(50)->Arg(75)->Arg(95);
BENCHMARK(BM_Ordinary<Obb, Obbf>)->Arg(5)->Arg(25)->Arg(50)->Arg(75)->Arg(95);
BENCHMARK(BM_Tangent<Aabb>);
BENCHMARK(BM_Tangent<Obb>);

}  // namespace
}  // namespace orbox::bench
