// SPDX-License-Identifier: Apache-2.0

// Every row of variants.h at the paper's five frequencies of overlap, from L1.
// The argument is the frequency in percent; the time is that of kTests tests,
// and `tests` their rate.
#include "orbox/overlap/boxes/variants.h"

#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "bench/overlap/boxes/sphere_box_pairs.h"

namespace orbox::bench {
namespace {

constexpr size_t kPairs = 512;  // 20 KB of AABB pairs, 39 KB of OBB pairs
constexpr size_t kTests = 1 << 16;

// `row` is a constant, so that the compiler inlines the test as a caller would.
template <const auto& rows, size_t row, typename Box>
void BM_Row(benchmark::State& state) {
  const auto pairs =
      MakePairs<Box>(kPairs, static_cast<int>(state.range(0)), /*seed=*/1);
  const auto order = RandomOrder(kPairs, kTests, /*seed=*/2);
  for (auto _ : state) {
    size_t hits = 0;
    for (uint16_t i : order) {
      hits += rows[row].overlaps(pairs[i].sphere, pairs[i].box);
    }
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTests));
}

template <const auto& rows, typename Box, size_t... row>
void Register(const std::string& family, std::index_sequence<row...>) {
  (..., [&] {
    auto* b = benchmark::RegisterBenchmark(
        (family + "/" + std::string(rows[row].name)).c_str(),
        BM_Row<rows, row, Box>);
    for (int percent : kFrequencies) b->Arg(percent);
  }());
}

const bool registered = [] {
  Register<kSphereAabbVariants, Aabbf>(
      "SphereAabb", std::make_index_sequence<std::size(kSphereAabbVariants)>());
  Register<kSphereObbVariants, Obbf>(
      "SphereObb", std::make_index_sequence<std::size(kSphereObbVariants)>());
  return true;
}();

}  // namespace
}  // namespace orbox::bench
