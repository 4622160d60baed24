// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/chunked_sweep_hit.h"

#include <algorithm>
#include <cmath>

#include "orbox/bvh/chunked/internal/chunk_answers.h"
#include "orbox/bvh/chunked/internal/chunk_gaps.h"
#include "orbox/bvh/chunked/internal/chunk_loop.h"
#include "orbox/bvh/query/sweep_hit.h"

namespace orbox {

// For chunk_loop.h: the middle of the path.
inline Vec3 PlaceOfQuery(const SweptSphere& ball, double) {
  return ball.from * 0.5 + ball.to * 0.5;
}

namespace {

// The box of all that the ball sweeps over, rounded outward.
Aabb BoxOfSweep(const SweptSphere& ball) {
  Aabb box{Min(ball.from, ball.to), Max(ball.from, ball.to)};
  for (size_t i = 0; i < 3; ++i) {
    box.lo[i] = std::nextafter(box.lo[i] - ball.radius, -kInfinity);
    box.hi[i] = std::nextafter(box.hi[i] + ball.radius, kInfinity);
  }
  return box;
}

bool DoBoxesMeet(const Aabb& a, const Aabb& b) {
  for (size_t i = 0; i < 3; ++i) {
    if (a.lo[i] > b.hi[i] || b.lo[i] > a.hi[i]) return false;
  }
  return true;
}

bool IsSooner(const GlobalSweepHit& x, const GlobalSweepHit& y) {
  return x.latest != y.latest ? x.latest < y.latest : x.triangle < y.triangle;
}

GlobalSweepHit SweepHitIn(const Chunk& chunk, const SweepHit& hit) {
  return {chunk.ids[hit.triangle], hit.earliest, hit.latest, hit.point};
}

// A question of chunk_questions.h: what a ball hits.
struct SweepChunkQuestion {
  using Query = SweptSphere;
  struct Answer {
    uint64_t count = 0;
    std::vector<GlobalSweepHit> hits;  // for kFirst, one or none; for kAll
  };
  enum class Mode { kAny, kCount, kFirst, kAll };

  Mode mode = Mode::kAll;
  double max_distance = kInfinity;

  bool Shrinks() const { return false; }
  double Bound(const Answer&) const { return kInfinity; }
  auto GapFrom(const SweptSphere& ball) const {
    const bool is_valid = IsValid(ball);
    const Aabb swept = is_valid ? BoxOfSweep(ball) : Aabb{};
    return GapOfTest([swept, is_valid](const Aabb& box) {
      return is_valid && DoBoxesMeet(swept, box);
    });
  }
  double Reach(const SweptSphere&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer& answer) const {
    return mode == Mode::kAny && answer.count != 0;
  }

  void Ask(const Chunk& chunk, std::span<const SweptSphere> balls,
           std::span<const uint32_t> which, std::span<Answer> answers,
           TraversalStatistics* statistics) const {
    for (const uint32_t i : which) {
      AskOne(chunk, balls[i], statistics, &answers[i]);
    }
  }
  void AskOne(const Chunk& chunk, const SweptSphere& ball,
              TraversalStatistics* statistics, Answer* answer) const {
    QueryOptions options{.max_distance = max_distance,
                         .statistics = statistics};
    switch (mode) {
      case Mode::kAny:
        answer->count |= orbox::AnyHit(chunk.tree, ball, options) ? 1 : 0;
        break;
      case Mode::kCount:
        answer->count += orbox::CountHits(chunk.tree, ball, options);
        break;
      case Mode::kFirst: {
        if (!answer->hits.empty()) {
          options.max_distance = std::min(max_distance, answer->hits[0].latest);
        }
        const std::optional<SweepHit> hit =
            orbox::ClosestHit(chunk.tree, ball, options);
        if (hit) TakeFirst(SweepHitIn(chunk, *hit), answer);
        break;
      }
      case Mode::kAll:
        orbox::VisitHits(
            chunk.tree, ball,
            [&](const SweepHit& hit) {
              answer->hits.push_back(SweepHitIn(chunk, hit));
              return Visit::kContinue;
            },
            options);
    }
  }
  static void TakeFirst(const GlobalSweepHit& hit, Answer* answer) {
    if (answer->hits.empty()) {
      answer->hits.push_back(hit);
      return;
    }
    GlobalSweepHit& first = answer->hits[0];
    const double earliest = std::min(first.earliest, hit.earliest);
    if (IsSooner(hit, first)) first = hit;
    first.earliest = earliest;
  }
  void Finish(const SweptSphere&, Answer* answer) const {
    std::sort(answer->hits.begin(), answer->hits.end(), IsSooner);
  }
};

using SweepMode = SweepChunkQuestion::Mode;
using Sweeps = SweepChunkQuestion::Answer;

Answered<Sweeps> AskSweeps(const ChunkedTree& tree,
                           std::span<const SweptSphere> balls, SweepMode mode,
                           const QueryOptions& options) {
  return AskChunks(
      tree,
      SweepChunkQuestion{.mode = mode, .max_distance = options.max_distance},
      balls, options);
}

std::optional<GlobalSweepHit> FirstSweepOf(const Sweeps& sweeps) {
  if (sweeps.hits.empty()) return std::nullopt;
  return sweeps.hits[0];
}

const std::vector<GlobalSweepHit>& AllSweepsOf(const Sweeps& sweeps) {
  return sweeps.hits;
}

}  // namespace

absl::StatusOr<bool> AnyHit(const ChunkedTree& tree, const SweptSphere& ball,
                            const QueryOptions& options) {
  return OneOf<bool>(AskSweeps(tree, {&ball, 1}, SweepMode::kAny, options),
                     IsAnyOf<Sweeps>);
}

absl::StatusOr<uint64_t> CountHits(const ChunkedTree& tree,
                                   const SweptSphere& ball,
                                   const QueryOptions& options) {
  return OneOf<uint64_t>(
      AskSweeps(tree, {&ball, 1}, SweepMode::kCount, options), CountOf<Sweeps>);
}

absl::StatusOr<std::optional<GlobalSweepHit>> ClosestHit(
    const ChunkedTree& tree, const SweptSphere& ball,
    const QueryOptions& options) {
  return OneOf<std::optional<GlobalSweepHit>>(
      AskSweeps(tree, {&ball, 1}, SweepMode::kFirst, options), FirstSweepOf);
}

absl::StatusOr<std::vector<GlobalSweepHit>> AllHits(
    const ChunkedTree& tree, const SweptSphere& ball,
    const QueryOptions& options) {
  return OneOf<std::vector<GlobalSweepHit>>(
      AskSweeps(tree, {&ball, 1}, SweepMode::kAll, options), AllSweepsOf);
}

absl::Status VisitHits(const ChunkedTree& tree, const SweptSphere& ball,
                       GlobalSweepHitVisitor visitor,
                       const QueryOptions& options) {
  return VisitChunks(tree, SweepChunkQuestion{}, std::span(&ball, 1), options,
                     [&](const Chunk& chunk, size_t) {
                       Visit next = Visit::kContinue;
                       VisitHits(
                           chunk.tree, ball,
                           [&](const SweepHit& hit) {
                             return next = visitor(SweepHitIn(chunk, hit));
                           },
                           options);
                       return next;
                     });
}

absl::StatusOr<std::vector<uint8_t>> AnyHit(const ChunkedTree& tree,
                                            std::span<const SweptSphere> balls,
                                            const QueryOptions& options) {
  return EachOf<uint8_t>(AskSweeps(tree, balls, SweepMode::kAny, options),
                         IsAnyOf<Sweeps>);
}

absl::StatusOr<std::vector<uint64_t>> CountHits(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options) {
  return EachOf<uint64_t>(AskSweeps(tree, balls, SweepMode::kCount, options),
                          CountOf<Sweeps>);
}

absl::StatusOr<std::vector<std::optional<GlobalSweepHit>>> ClosestHit(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options) {
  return EachOf<std::optional<GlobalSweepHit>>(
      AskSweeps(tree, balls, SweepMode::kFirst, options), FirstSweepOf);
}

absl::StatusOr<Lists<GlobalSweepHit>> AllHits(
    const ChunkedTree& tree, std::span<const SweptSphere> balls,
    const QueryOptions& options) {
  return ListsOf<GlobalSweepHit>(
      AskSweeps(tree, balls, SweepMode::kAll, options), AllSweepsOf);
}

}  // namespace orbox
