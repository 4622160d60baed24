#include "orbox/bvh/scene/scene_pairs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/scene/internal/box_gap.h"

namespace orbox {
namespace {

// A query of two meshes takes from a microsecond to a second: few to a piece.
constexpr size_t kPairGrain = 4;
// Finding a body's neighbours takes some microseconds.
constexpr size_t kBodyGrain = 64;

// Calls ask(a, b, statistics) for each pair, on all threads, and returns its
// results, pair by pair.
template <typename Result, typename Ask>
std::vector<Result> AskEach(const Scene& scene, std::span<const BodyPair> pairs,
                            const SceneOptions& options,
                            TraversalStatistics* statistics, Ask ask) {
  std::vector<Result> results(pairs.size());
  std::mutex mutex;  // of *statistics
  ParallelFor(
      pairs.size(), kPairGrain, options.threads, [&](size_t begin, size_t end) {
        TraversalStatistics own;
        TraversalStatistics* const counts =
            statistics != nullptr ? &own : nullptr;
        for (size_t i = begin; i < end; ++i) {
          results[i] =
              ask(scene.body(pairs[i].a), scene.body(pairs[i].b), counts);
        }
        if (statistics == nullptr) return;
        const std::lock_guard lock(mutex);
        *statistics += own;
      });
  return results;
}

// The nonempty lists, one after another.
template <typename Pair>
BodyPairLists<Pair> Collected(std::span<const BodyPair> bodies,
                              std::vector<std::vector<Pair>> lists) {
  BodyPairLists<Pair> all;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists[i].empty()) continue;
    std::vector<Pair>& values = all.pairs.values;
    values.insert(values.end(), lists[i].begin(), lists[i].end());
    all.pairs.offsets.push_back(values.size());
    all.bodies.push_back(bodies[i]);
    lists[i] = {};  // one copy at a time
  }
  return all;
}

}  // namespace

std::vector<BodyPair> BoundsWithin(const Scene& scene, double distance,
                                   const SceneOptions& options) {
  if (!(distance >= 0)) return {};
  const std::span<const BodyPair> meeting = scene.pairs_of_bounds();
  if (distance == 0) return {meeting.begin(), meeting.end()};
  const std::span<const BodyId> bodies = scene.bodies();
  std::vector<std::vector<BodyPair>> found(bodies.size());
  ParallelFor(bodies.size(), kBodyGrain, options.threads,
              [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) {
                  const BodyId a = bodies[i];
                  const Aabb& box = scene.bounds(a);
                  scene.broad_phase().FindBodies(
                      Grown(box, distance), [&](BodyId b) {
                        if (a >= b) return;
                        if (GapOf(box, scene.bounds(b)) > distance) return;
                        found[i].push_back({a, b});
                      });
                  std::sort(found[i].begin(), found[i].end());
                }
              });
  std::vector<BodyPair> pairs;
  for (const std::vector<BodyPair>& of_one : found) {
    pairs.insert(pairs.end(), of_one.begin(), of_one.end());
  }
  return pairs;
}

std::vector<BodyPair> ClashingBodies(const Scene& scene,
                                     const SceneOptions& options,
                                     TraversalStatistics* statistics) {
  const std::span<const BodyPair> candidates = scene.pairs_of_bounds();
  const auto meets = AskEach<uint8_t>(
      scene, candidates, options, statistics,
      [](const PosedTree& a, const PosedTree& b, TraversalStatistics* s) {
        return AnyOverlap(a, b, {.statistics = s}) ? 1 : 0;
      });
  std::vector<BodyPair> pairs;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (meets[i] != 0) pairs.push_back(candidates[i]);
  }
  return pairs;
}

std::vector<BodyGap> BodiesWithin(const Scene& scene, double distance,
                                  const SceneOptions& options,
                                  TraversalStatistics* statistics) {
  const auto candidates = BoundsWithin(scene, distance, options);
  const auto gaps = AskEach<std::optional<Witness>>(
      scene, candidates, options, statistics,
      [&](const PosedTree& a, const PosedTree& b, TraversalStatistics* s) {
        return ClosestPair(a, b, {.max_distance = distance, .statistics = s});
      });
  std::vector<BodyGap> within;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (gaps[i]) within.push_back({candidates[i], *gaps[i]});
  }
  return within;
}

BodyPairLists<TrianglePair> ClashingTriangles(const Scene& scene,
                                              const SceneOptions& options,
                                              TraversalStatistics* statistics) {
  const std::span<const BodyPair> candidates = scene.pairs_of_bounds();
  return Collected<TrianglePair>(
      candidates,
      AskEach<std::vector<TrianglePair>>(
          scene, candidates, options, statistics,
          [](const PosedTree& a, const PosedTree& b, TraversalStatistics* s) {
            return AllOverlaps(a, b, {.statistics = s});
          }));
}

BodyPairLists<PairDistance> TrianglesWithin(const Scene& scene, double distance,
                                            const SceneOptions& options,
                                            TraversalStatistics* statistics) {
  const auto candidates = BoundsWithin(scene, distance, options);
  return Collected<PairDistance>(
      candidates,
      AskEach<std::vector<PairDistance>>(
          scene, candidates, options, statistics,
          [&](const PosedTree& a, const PosedTree& b, TraversalStatistics* s) {
            return AllWithin(a, b, distance, {.statistics = s});
          }));
}

}  // namespace orbox
