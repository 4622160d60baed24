// SPDX-License-Identifier: Apache-2.0

// Long queries, cancelled at their first report: the time until they end, and
// the longest time without a report. The limits are 50 and 100 ms (DESIGN.md,
// 1.11).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "bench/support/knot.h"
#include "benchmark/benchmark.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point then) {
  return std::chrono::duration<double, std::milli>(Clock::now() - then).count();
}

// call(options) runs one long query, in a batch.
template <typename Call>
void Measure(benchmark::State& state, const Call& call) {
  double last_to_end = 0;
  double longest_pause = 0;
  for (auto _ : state) {
    std::atomic<bool> cancelled = false;
    Clock::time_point then;
    RunOptions options{.cancelled = &cancelled};
    options.progress = [&](double) {
      cancelled = true;
      then = Clock::now();
    };
    benchmark::DoNotOptimize(call(options));
    last_to_end = std::max(last_to_end, MillisecondsSince(then));
    then = Clock::now();
    options = {};
    options.progress = [&](double) {
      longest_pause = std::max(longest_pause, MillisecondsSince(then));
      then = Clock::now();
    };
    benchmark::DoNotOptimize(call(options));
  }
  state.counters["end_ms"] = last_to_end;
  state.counters["pause_ms"] = longest_pause;
}

void BM_CenterOfABall(benchmark::State& state) {
  const Tree ball = trees::Make(meshes::Icosphere(8));
  const std::vector<Vec3> points = {{0, 0, 0}};
  Measure(state, [&](const RunOptions& options) {
    return ClosestPoint(ball, points, options).ok();
  });
}
BENCHMARK(BM_CenterOfABall)->Unit(benchmark::kMillisecond)->Iterations(3);

void BM_PairsWithin(benchmark::State& state) {
  const Tree knot = KnotTree(100'000);
  const std::vector<Pose> poses(1);
  const double near = Norm(knot.mesh().bounds().HalfExtents()) / 64;
  Measure(state, [&](const RunOptions& options) {
    return AllWithin(knot, poses, knot, near, options).ok();
  });
}
BENCHMARK(BM_PairsWithin)->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace orbox
