// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/rays/sweep_hit.h"

#include <algorithm>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/internal/in_model.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/bvh/query/regions/internal/feed_region.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

using SweepSearch = HitSearch<SweptSphere>;

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

  Step step() const { return step_; }

 private:
  Step Add(std::span<const uint32_t> ids) override {
    for (const uint32_t id : ids) {
      const std::optional<SweepHit> hit = HitOf(tree_, ball_, id, max_t_);
      if (hit && visitor_(*hit) == Visit::kStop) return step_ = Step::kStop;
    }
    return Step::kContinue;
  }

  const TreeAtPose tree_;
  const SweptSphere& ball_;
  const double max_t_;
  SweepHitVisitor visitor_;
  Step step_ = Step::kContinue;
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

// The position of a ball, for the order of a batch, is the middle of its path.
auto PositionsOf(std::span<const SweptSphere> balls) {
  return [balls](size_t i) { return balls[i].from * 0.5 + balls[i].to * 0.5; };
}

}  // namespace

bool AnyHit(TreeAtPose tree, const SweptSphere& ball) {
  Require(CheckQuery(ball));
  return SweepSearch(Watch()).Any(tree, ball);
}

size_t CountHits(TreeAtPose tree, const SweptSphere& ball) {
  Require(CheckQuery(ball));
  return SweepSearch(Watch()).Count(tree, ball);
}

std::optional<SweepHit> ClosestHit(TreeAtPose tree, const SweptSphere& ball) {
  Require(CheckQuery(ball));
  return SweepSearch(Watch()).First(tree, ball);
}

std::vector<SweepHit> AllHits(TreeAtPose tree, const SweptSphere& ball) {
  Require(CheckQuery(ball));
  return SweepSearch(Watch()).All(tree, ball);
}

void VisitHits(TreeAtPose tree, const SweptSphere& ball,
               SweepHitVisitor visitor) {
  Require(CheckQuery(ball));
  FeedHits(tree, ball, kInfinity, visitor, Watch());
}

absl::StatusOr<bool> AnyHit(TreeAtPose tree, const SweptSphere& ball,
                            const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ball), [&](const Execution& run) {
    return SweepSearch(run).Any(tree, ball);
  });
}

absl::StatusOr<size_t> CountHits(TreeAtPose tree, const SweptSphere& ball,
                                 const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ball), [&](const Execution& run) {
    return SweepSearch(run).Count(tree, ball);
  });
}

absl::StatusOr<std::optional<SweepHit>> ClosestHit(TreeAtPose tree,
                                                   const SweptSphere& ball,
                                                   const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ball), [&](const Execution& run) {
    return SweepSearch(run).First(tree, ball);
  });
}

absl::StatusOr<std::vector<SweepHit>> AllHits(TreeAtPose tree,
                                              const SweptSphere& ball,
                                              const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ball), [&](const Execution& run) {
    return SweepSearch(run).All(tree, ball);
  });
}

absl::Status VisitHits(TreeAtPose tree, const SweptSphere& ball,
                       SweepHitVisitor visitor, const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(ball), [&](const Execution& run) {
    FeedHits(tree, ball, kInfinity, visitor, run);
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(TreeAtPose tree,
                                            std::span<const SweptSphere> balls,
                                            const RunOptions& options) {
  return RunEachOf<uint8_t>(
      tree, balls, PositionsOf(balls), options,
      [](TreeAtPose posed, const SweptSphere& ball, const Execution& run) {
        return SweepSearch(run).Any(posed, ball);
      });
}

absl::StatusOr<std::vector<size_t>> CountHits(
    TreeAtPose tree, std::span<const SweptSphere> balls,
    const RunOptions& options) {
  return RunEachOf<size_t>(
      tree, balls, PositionsOf(balls), options,
      [](TreeAtPose posed, const SweptSphere& ball, const Execution& run) {
        return SweepSearch(run).Count(posed, ball);
      });
}

absl::StatusOr<std::vector<std::optional<SweepHit>>> ClosestHit(
    TreeAtPose tree, std::span<const SweptSphere> balls,
    const RunOptions& options) {
  return RunEachOf<std::optional<SweepHit>>(
      tree, balls, PositionsOf(balls), options,
      [](TreeAtPose posed, const SweptSphere& ball, const Execution& run) {
        return SweepSearch(run).First(posed, ball);
      });
}

absl::StatusOr<Lists<SweepHit>> AllHits(TreeAtPose tree,
                                        std::span<const SweptSphere> balls,
                                        const RunOptions& options) {
  return CollectEachOf<SweepHit>(
      tree, balls, PositionsOf(balls), options,
      [](TreeAtPose posed, const SweptSphere& ball, const Execution& run) {
        return SweepSearch(run).All(posed, ball);
      });
}

void FeedHits(TreeAtPose tree, const SweptSphere& ball, double max_t,
              IdSink& sink, const Watch& watch) {
  if (ball.from == ball.to) {
    FeedRegion(tree, Sphere{ball.from, ball.radius}, sink, watch);
  } else {
    FeedMovingHits(WithoutStretch(tree), ball, std::min(max_t, 1.0), sink,
                   watch);
  }
}

Step FeedHits(TreeAtPose tree, const SweptSphere& ball, double max_t,
              SweepHitVisitor visitor, const Watch& watch) {
  SweepHitSink sink(tree, ball, std::min(max_t, 1.0), visitor);
  FeedHits(tree, ball, max_t, sink, watch);
  return sink.step();
}

std::optional<SweepHit> FirstHit(TreeAtPose tree, const SweptSphere& ball,
                                 double max_t, const Watch& watch) {
  if (ball.from != ball.to) {
    return FirstMovingHit(WithoutStretch(tree), ball, std::min(max_t, 1.0),
                          watch);
  }
  LowestIdSink sink;
  FeedHits(tree, ball, max_t, sink, watch);
  if (!sink.lowest()) return std::nullopt;
  return HitOf(tree, ball, *sink.lowest(), 1);
}

void SortHits(TreeAtPose /*tree*/, const SweptSphere& /*ball*/,
              std::vector<SweepHit>* hits) {
  std::sort(hits->begin(), hits->end(),
            [](const SweepHit& x, const SweepHit& y) {
              return x.latest != y.latest ? x.latest < y.latest
                                          : x.triangle < y.triangle;
            });
}

}  // namespace orbox
