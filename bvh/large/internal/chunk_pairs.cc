// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunk_pairs.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/posed_box.h"
#include "orbox/bvh/traverse/internal/self_pairs.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/triangles/contact_kind.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

const TrianglePair& IdsOf(const TrianglePair& pair) { return pair; }
const TrianglePair& IdsOf(const PairDistance& pair) { return pair.triangles; }

// Passes pairs on with their global ids. For two chunks of one mesh, it passes
// only pairs that are not neighbours in that mesh.
template <typename Local, typename Global>
class GlobalPairSink final : public Sink<Local> {
 public:
  using Visitor = absl::FunctionRef<Visit(const Global&)>;

  GlobalPairSink(const PosedChunk& a, const PosedChunk& b,
                 ChunkPairs::Kind kind, Visitor visitor)
      : a_(a),
        b_(b),
        kind_(kind),
        rule_(a.tree.tree().mesh(), SharedCorners::kByPosition),
        visitor_(visitor) {}

  Step Add(std::span<const Local> pairs) override {
    for (const Local& pair : pairs) {
      if (kind_ == ChunkPairs::Kind::kCross && !IsPair(pair)) continue;
      if (visitor_(Named(pair)) == Visit::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }

 private:
  Global Named(const Local& pair) const {
    const TrianglePair& local = IdsOf(pair);
    GlobalPair ids{a_.ids[local.a], b_.ids[local.b]};
    const bool is_swapped = kind_ != ChunkPairs::Kind::kTwo && ids.a > ids.b;
    if (is_swapped) std::swap(ids.a, ids.b);
    if constexpr (std::is_same_v<Global, GlobalPair>) {
      return ids;
    } else if constexpr (std::is_same_v<Global, GlobalPairDistance>) {
      return {ids, pair.distance};
    } else if constexpr (std::is_same_v<Global, GlobalSelfContact>) {
      return {ids, *KindOfContact(a_.tree.triangle(local.a),
                                  b_.tree.triangle(local.b))};
    } else {
      Triangle s = a_.tree.triangle(local.a);
      Triangle t = b_.tree.triangle(local.b);
      if (is_swapped) std::swap(s, t);
      const TrianglePairDistance d = Distance(s, t);
      return {ids, pair.distance, d.on_first, d.on_second};
    }
  }

  // Corners are compared by position, which takes no ids.
  bool IsPair(const TrianglePair& pair) const {
    return rule_.Overlap(pair, a_.tree.triangle(pair.a),
                         b_.tree.triangle(pair.b), nullptr);
  }
  bool IsPair(const PairDistance& pair) const {
    return !rule_.AreNeighbours(pair.triangles,
                                a_.tree.triangle(pair.triangles.a),
                                b_.tree.triangle(pair.triangles.b));
  }

  const PosedChunk& a_;
  const PosedChunk& b_;
  const ChunkPairs::Kind kind_;
  const SelfPairs rule_;
  const Visitor visitor_;
};

// Calls find(scope) for the two chunks, or for one with itself.
template <typename Find>
void InScope(const PosedChunk& a, const PosedChunk& b, ChunkPairs::Kind kind,
             Find find) {
  if (kind != ChunkPairs::Kind::kSelf) return find(PairScope{a.tree, b.tree});
  const SelfPairs pairs(a.tree.tree().mesh(), SharedCorners::kByPosition);
  find(PairScope::OfSelf(a.tree, pairs));
}

template <typename Pair>
auto Into(std::vector<Pair>* pairs) {
  return [pairs](const Pair& pair) {
    pairs->push_back(pair);
    return Visit::kContinue;
  };
}

}  // namespace

template <typename Global>
void ChunkPairs::VisitTouching(absl::FunctionRef<Visit(const Global&)> visitor,
                               const QueryOptions& options) const {
  const Execution run(options);
  run.RequireValid();
  GlobalPairSink<TrianglePair, Global> sink(a_, b_, kind_, visitor);
  InScope(a_, b_, kind_,
          [&](const PairScope& scope) { FindOverlaps(scope, sink, run); });
}

void ChunkPairs::VisitOverlaps(GlobalPairVisitor visitor,
                               const QueryOptions& options) const {
  VisitTouching<GlobalPair>(visitor, options);
}

void ChunkPairs::VisitContacts(GlobalContactVisitor visitor,
                               const QueryOptions& options) const {
  VisitTouching<GlobalSelfContact>(visitor, options);
}

template <typename Global>
void ChunkPairs::VisitNear(double distance,
                           absl::FunctionRef<Visit(const Global&)> visitor,
                           const QueryOptions& options) const {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  run.RequireValid();
  GlobalPairSink<PairDistance, Global> sink(a_, b_, kind_, visitor);
  InScope(a_, b_, kind_,
          [&](const PairScope& scope) { FindWithin(scope, limit, sink, run); });
}

void ChunkPairs::VisitWithin(double distance, GlobalPairDistanceVisitor visitor,
                             const QueryOptions& options) const {
  VisitNear<GlobalPairDistance>(distance, visitor, options);
}

void ChunkPairs::VisitWitnesses(double distance, GlobalWitnessVisitor visitor,
                                const QueryOptions& options) const {
  VisitNear<GlobalWitness>(distance, visitor, options);
}

std::vector<GlobalPair> ChunkPairs::Overlaps(
    const QueryOptions& options) const {
  std::vector<GlobalPair> pairs;
  VisitOverlaps(Into(&pairs), options);
  SortWatched(pairs.begin(), pairs.end(), std::less(), Execution(options));
  return pairs;
}

std::vector<GlobalPairDistance> ChunkPairs::Within(
    double distance, const QueryOptions& options) const {
  std::vector<GlobalPairDistance> pairs;
  VisitWithin(distance, Into(&pairs), options);
  SortWatched(pairs.begin(), pairs.end(), std::less(), Execution(options));
  return pairs;
}

bool ChunkPairs::AnyOverlap(const QueryOptions& options) const {
  if (kind_ == Kind::kTwo)
    return OverlapSearch(options).Any({a_.tree, b_.tree});
  bool is_any = false;
  VisitOverlaps(
      [&](const GlobalPair&) {
        is_any = true;
        return Visit::kStop;
      },
      options);
  return is_any;
}

bool ChunkPairs::AnyWithin(double distance, const QueryOptions& options) const {
  if (kind_ == Kind::kTwo) {
    return WithinSearch(distance, options).Any({a_.tree, b_.tree});
  }
  bool is_any = false;
  VisitWithin(
      distance,
      [&](const GlobalPairDistance&) {
        is_any = true;
        return Visit::kStop;
      },
      options);
  return is_any;
}

std::optional<GlobalWitness> ChunkPairs::Closest(
    const QueryOptions& options) const {
  const auto w =
      FindClosestPair(a_.tree, b_.tree, {.max_distance = options.max_distance},
                      Execution(options));
  if (!w.has_value()) return std::nullopt;
  return GlobalWitness{{a_.ids[w->triangles.a], b_.ids[w->triangles.b]},
                       w->distance,
                       w->on_a,
                       w->on_b};
}

namespace {

// Keeps the lowest pair at one distance. Ids ascend in both chunks, so the
// lowest local pair is also the lowest global pair.
class LowestPairSink final : public Sink<PairDistance> {
 public:
  explicit LowestPairSink(double distance) : distance_(distance) {}

  Step Add(std::span<const PairDistance> pairs) override {
    for (const PairDistance& pair : pairs) {
      if (pair.distance != distance_) continue;
      if (!lowest_ || pair.triangles < *lowest_) lowest_ = pair.triangles;
    }
    return Step::kContinue;
  }
  const std::optional<TrianglePair>& lowest() const { return lowest_; }

 private:
  const double distance_;
  std::optional<TrianglePair> lowest_;
};

}  // namespace

std::optional<GlobalWitness> ChunkPairs::LowestAt(
    double distance, const QueryOptions& options) const {
  LowestPairSink sink(distance);
  // Some pairs beyond the distance round to it.
  FindWithin({a_.tree, b_.tree},
             std::min(AboveRounded(distance), options.max_distance), sink,
             Execution(options));
  if (!sink.lowest()) return std::nullopt;
  const TrianglePair pair = *sink.lowest();
  const TrianglePairDistance d =
      Distance(a_.tree.triangle(pair.a), b_.tree.triangle(pair.b));
  return GlobalWitness{
      {a_.ids[pair.a], b_.ids[pair.b]}, d.distance, d.on_first, d.on_second};
}

bool WantsLowest(const PosedChunkedTree& a, const PosedChunkedTree& b,
                 double distance) {
  const auto box_a = PosedBox(a.tree().bounds(), a.pose());
  const auto box_b = PosedBox(b.tree().bounds(), b.pose());
  const double gap = box_a && box_b ? AxisGap(*box_a, *box_b) : 0;
  if (distance <= gap) return false;
  // Twice the limit of one tree, because boxes are larger than meshes.
  constexpr double kFar = 128;
  return distance < kFar * (Norm(a.bounds().HalfExtents()) +
                            Norm(b.bounds().HalfExtents()));
}

double FirstBound(const PosedChunkedTree& a, const PosedChunkedTree& b) {
  const ChunkLevels levels({b.boxes().begin(), b.boxes().end()});
  std::vector<Vec3> corners;
  for (const ChunkRow& row : b.tree().table()) {
    corners.push_back(b.pose().Apply(row.vertex));
  }
  double least = kInfinity;
  for (size_t i = 0; i < a.boxes().size(); ++i) {
    const Vec3 corner = a.pose().Apply(a.tree().table()[i].vertex);
    levels.Visit(
        [&](const Aabb& box) {
          return GapOf({corner, corner}, box) < least;
        },
        [&](size_t j) {
          // More than the rounding errors of d.
          const double d = SafeNorm(corner - corners[j]);
          least = std::min(least, d * (1 + 0x1p-48) + 0x1p-1000);
        });
  }
  return least;
}

}  // namespace orbox
