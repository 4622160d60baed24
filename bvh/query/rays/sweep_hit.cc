// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/rays/sweep_hit.h"

#include <algorithm>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/internal/in_model.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/bvh/query/rays/internal/visited.h"
#include "orbox/bvh/query/regions/internal/feed_region.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

double LastT(const QueryOptions& options) {
  return std::min(options.max_distance, 1.0);
}

// Returns the time and point of contact with a triangle that the ball touches.
std::optional<SweepHit> HitOf(TreeAtPose tree, const SweptSphere& ball,
                              uint32_t id, double max_t) {
  const Triangle triangle = tree.triangle(id);
  if (ball.from == ball.to) {
    return SweepHit{.triangle = id,
                    .point = Distance(ball.from, triangle).closest};
  }
  const std::optional<SweepContact> contact =
      FirstContact(ball, triangle, max_t);
  if (!contact) return std::nullopt;
  return SweepHit{id, contact->earliest, contact->latest, contact->point};
}

class SweepHitSink final : public IdSink {
 public:
  SweepHitSink(TreeAtPose tree, const SweptSphere& ball, double max_t,
               SweepHitVisitor visitor)
      : tree_(tree), ball_(ball), max_t_(max_t), visitor_(visitor) {}

 private:
  Step Add(std::span<const uint32_t> ids) override {
    for (const uint32_t id : ids) {
      const std::optional<SweepHit> hit = HitOf(tree_, ball_, id, max_t_);
      if (hit && visitor_(*hit) == Visit::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }

  const TreeAtPose tree_;
  const SweptSphere& ball_;
  const double max_t_;
  SweepHitVisitor visitor_;
};

// Keeps the lowest id.
class LowestIdSink final : public IdSink {
 public:
  std::optional<uint32_t> lowest() const { return lowest_; }

 private:
  Step Add(std::span<const uint32_t> ids) override {
    const uint32_t id = *std::min_element(ids.begin(), ids.end());
    lowest_ = std::min(lowest_.value_or(id), id);
    return Step::kContinue;
  }

  std::optional<uint32_t> lowest_;
};

void RequireValid(const SweptSphere& ball, const Execution& run) {
  run.RequireValid();
  Require(CheckQuery(ball));
}

void Feed(TreeAtPose tree, const SweptSphere& ball, IdSink& sink,
          const QueryOptions& options) {
  const Execution run(options);
  RequireValid(ball, run);
  if (ball.from == ball.to) {
    FeedRegion(tree, Sphere{ball.from, ball.radius}, sink, run);
  } else {
    FeedHits(WithoutStretch(tree), ball, LastT(options), sink, run);
  }
}

bool IsEarlier(const SweepHit& x, const SweepHit& y) {
  return x.latest != y.latest ? x.latest < y.latest : x.triangle < y.triangle;
}

// The position of a ball, for the order of a batch, is the middle of its path.
auto PositionsOf(std::span<const SweptSphere> balls) {
  return [balls](size_t i) { return balls[i].from * 0.5 + balls[i].to * 0.5; };
}

}  // namespace

bool AnyHit(TreeAtPose tree, const SweptSphere& ball,
            const QueryOptions& options) {
  AnySink<uint32_t> sink;
  Feed(tree, ball, sink, options);
  return sink.is_any();
}

size_t CountHits(TreeAtPose tree, const SweptSphere& ball,
                 const QueryOptions& options) {
  CountingSink<uint32_t> sink;
  Feed(tree, ball, sink, options);
  return sink.count();
}

std::optional<SweepHit> ClosestHit(TreeAtPose tree, const SweptSphere& ball,
                                   const QueryOptions& options) {
  const Execution run(options);
  RequireValid(ball, run);
  if (ball.from != ball.to) {
    return FirstHit(WithoutStretch(tree), ball, LastT(options), run);
  }
  LowestIdSink sink;
  Feed(tree, ball, sink, options);
  if (!sink.lowest()) return std::nullopt;
  return HitOf(tree, ball, *sink.lowest(), 1);
}

void VisitHits(TreeAtPose tree, const SweptSphere& ball,
               SweepHitVisitor visitor, const QueryOptions& options) {
  SweepHitSink sink(tree, ball, LastT(options), visitor);
  Feed(tree, ball, sink, options);
}

std::vector<SweepHit> AllHits(TreeAtPose tree, const SweptSphere& ball,
                              const QueryOptions& options) {
  auto hits = AllVisited<SweepHit>(
      [&](auto visitor) { VisitHits(tree, ball, visitor, options); });
  std::sort(hits.begin(), hits.end(), IsEarlier);
  return hits;
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(TreeAtPose tree,
                                            std::span<const SweptSphere> balls,
                                            const QueryOptions& options) {
  return RunEachOf<uint8_t>(
      tree, balls, PositionsOf(balls), options,
      [](const auto&... args) { return AnyHit(args...); });
}

absl::StatusOr<std::vector<size_t>> CountHits(
    TreeAtPose tree, std::span<const SweptSphere> balls,
    const QueryOptions& options) {
  return RunEachOf<size_t>(
      tree, balls, PositionsOf(balls), options,
      [](const auto&... args) { return CountHits(args...); });
}

absl::StatusOr<std::vector<std::optional<SweepHit>>> ClosestHit(
    TreeAtPose tree, std::span<const SweptSphere> balls,
    const QueryOptions& options) {
  return RunEachOf<std::optional<SweepHit>>(
      tree, balls, PositionsOf(balls), options,
      [](const auto&... args) { return ClosestHit(args...); });
}

absl::StatusOr<Lists<SweepHit>> AllHits(TreeAtPose tree,
                                        std::span<const SweptSphere> balls,
                                        const QueryOptions& options) {
  return CollectEachOf<SweepHit>(
      tree, balls, PositionsOf(balls), options,
      [](const auto&... args) { return AllHits(args...); });
}

}  // namespace orbox
