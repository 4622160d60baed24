// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/sweep_traits.h"

#include <algorithm>
#include <optional>

#include "orbox/bvh/query/rays/internal/ray_search.h"

namespace orbox {
namespace {

bool IsSooner(const GlobalSweepHit& x, const GlobalSweepHit& y) {
  return x.latest != y.latest ? x.latest < y.latest : x.triangle < y.triangle;
}

GlobalSweepHit InChunk(const Chunk& chunk, const SweepHit& hit) {
  return {chunk.ids[hit.triangle], hit.earliest, hit.latest, hit.point};
}

}  // namespace

void SweepChunkTraits::Run(const Chunk& chunk,
                           std::span<const SweptSphere> balls,
                           std::span<const uint32_t> which,
                           std::span<Answer> answers,
                           const Watch& watch) const {
  for (const uint32_t i : which) {
    Merge(balls[i], RunOne(chunk, balls[i], watch), &answers[i]);
  }
}

SweepChunkTraits::Answer SweepChunkTraits::RunOne(const Chunk& chunk,
                                                  const SweptSphere& ball,
                                                  const Watch& watch) const {
  const HitSearch<SweptSphere> search(watch, max_distance);
  Answer answer;
  switch (mode) {
    case Mode::kAny:
      answer.count = search.Any(chunk.tree, ball) ? 1 : 0;
      break;
    case Mode::kCount:
      answer.count = search.Count(chunk.tree, ball);
      break;
    case Mode::kFirst: {
      const std::optional<SweepHit> hit = search.First(chunk.tree, ball);
      if (hit) answer.hits.push_back(InChunk(chunk, *hit));
      break;
    }
    case Mode::kAll:
      VisitFound(
          chunk, ball,
          [&](const GlobalSweepHit& hit) {
            answer.hits.push_back(hit);
            return Visit::kContinue;
          },
          watch);
  }
  return answer;
}

void SweepChunkTraits::VisitFound(
    const Chunk& chunk, const SweptSphere& ball,
    absl::FunctionRef<Visit(const GlobalSweepHit&)> visitor,
    const Watch& watch) const {
  FeedHits(
      chunk.tree, ball, max_distance,
      [&](const SweepHit& hit) { return visitor(InChunk(chunk, hit)); }, watch);
}

void SweepChunkTraits::Merge(const SweptSphere&, const Answer& from,
                             Answer* answer) const {
  answer->count = mode == Mode::kAny ? answer->count | from.count
                                     : answer->count + from.count;
  if (mode != Mode::kFirst || from.hits.empty() || answer->hits.empty()) {
    answer->hits.insert(answer->hits.end(), from.hits.begin(), from.hits.end());
    return;
  }
  const GlobalSweepHit& hit = from.hits[0];
  GlobalSweepHit& first = answer->hits[0];
  // Before this time, no triangle is touched.
  const double earliest = std::min(first.earliest, hit.earliest);
  if (IsSooner(hit, first)) first = hit;
  first.earliest = earliest;
}

void SweepChunkTraits::Finish(const SweptSphere&, Answer* answer) const {
  std::sort(answer->hits.begin(), answer->hits.end(), IsSooner);
}

}  // namespace orbox
