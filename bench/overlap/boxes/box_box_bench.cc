// SPDX-License-Identifier: Apache-2.0

// Box against box, at the paper's five frequencies of overlap, from L1. The
// counter `reported` is the percentage of pairs that the test reports: the
// excess over the frequency is false positives.
#include "orbox/overlap/boxes/box_box.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/overlap/boxes/sphere_box_pairs.h"

namespace orbox::bench {
namespace {

constexpr size_t kPairs = 256;  // 30 KB of OBB pairs
constexpr size_t kTests = 1 << 14;

struct BoxPair {
  Aabbf aligned;
  Obbf first;
  Obbf second;
};

Obbf RandomObb(float size, Uniform& uniform) {
  return {uniform.Point(), RandomAxes(uniform), uniform.Point() * size};
}

// Pairs of which `percent` overlap by full SAT, in random order.
std::vector<BoxPair> MakeBoxPairs(int percent) {
  Uniform uniform(/*seed=*/3);
  // About the size at which that share of random pairs meets.
  const float size = 0.2f + 0.01f * static_cast<float>(percent);
  std::vector<BoxPair> pairs(kPairs);
  size_t left = kPairs;
  size_t meeting = kPairs * static_cast<size_t>(percent) / 100;
  for (BoxPair& pair : pairs) {
    const bool wanted =
        uniform() * static_cast<float>(left) < static_cast<float>(meeting);
    do {
      pair.first = RandomObb(size, uniform);
      pair.second = RandomObb(size, uniform);
    } while (OverlapsSat(pair.first, pair.second) != wanted);
    pair.aligned = {pair.first.center - pair.first.half_extents,
                    pair.first.center + pair.first.half_extents};
    --left;
    meeting -= wanted;
  }
  return pairs;
}

template <typename Test>
void Run(benchmark::State& state, Test test) {
  const auto pairs = MakeBoxPairs(static_cast<int>(state.range(0)));
  const auto order = RandomOrder(kPairs, kTests, /*seed=*/4);
  size_t hits = 0;
  for (auto _ : state) {
    hits = 0;
    for (uint16_t i : order) hits += test(pairs[i]);
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTests));
  state.counters["reported"] =
      100.0 * static_cast<double>(hits) / static_cast<double>(kTests);
}

void BM_AabbAabb(benchmark::State& state) {
  Run(state, [](const BoxPair& p) {
    return Overlaps(p.aligned, {p.second.center - p.second.half_extents,
                                p.second.center + p.second.half_extents});
  });
}
void BM_AabbObbSat(benchmark::State& state) {
  Run(state, [](const BoxPair& p) { return OverlapsSat(p.aligned, p.second); });
}
void BM_AabbObbSatLite(benchmark::State& state) {
  Run(state,
      [](const BoxPair& p) { return OverlapsSatLite(p.aligned, p.second); });
}
void BM_ObbObbSat(benchmark::State& state) {
  Run(state, [](const BoxPair& p) { return OverlapsSat(p.first, p.second); });
}
void BM_ObbObbSatLite(benchmark::State& state) {
  Run(state,
      [](const BoxPair& p) { return OverlapsSatLite(p.first, p.second); });
}

BENCHMARK(BM_AabbAabb)->Arg(5)->Arg(25)->Arg(50)->Arg(75)->Arg(95);
BENCHMARK(BM_AabbObbSat)->Arg(5)->Arg(25)->Arg(50)->Arg(75)->Arg(95);
BENCHMARK(BM_AabbObbSatLite)->Arg(5)->Arg(25)->Arg(50)->Arg(75)->Arg(95);
BENCHMARK(BM_ObbObbSat)->Arg(5)->Arg(25)->Arg(50)->Arg(75)->Arg(95);
BENCHMARK(BM_ObbObbSatLite)->Arg(5)->Arg(25)->Arg(50)->Arg(75)->Arg(95);

}  // namespace
}  // namespace orbox::bench
