// SPDX-License-Identifier: Apache-2.0

// Traits (chunk_traits.h) of the query for the hits of balls that move along
// segments. Private.
//
//   SweepChunkTraits traits{.mode = SweepChunkTraits::Mode::kFirst};
#ifndef ORBOX_BVH_LARGE_INTERNAL_SWEEP_TRAITS_H_
#define ORBOX_BVH_LARGE_INTERNAL_SWEEP_TRAITS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/internal/chunk_gaps.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// Returns the middle of the path. For chunk_loop.h.
inline Vec3 PositionOfQuery(const SweptSphere& ball, double) {
  return ball.from * 0.5 + ball.to * 0.5;
}

struct ORBOX_EXPORT SweepChunkTraits {
  using Query = SweptSphere;
  struct Answer {
    uint64_t count = 0;
    std::vector<GlobalSweepHit> hits;  // for kFirst, one or none; for kAll
  };
  enum class Mode { kAny, kCount, kFirst, kAll };

  Mode mode = Mode::kAll;
  double max_distance = kInfinity;

  // False, because a first hit's `earliest` would depend on the chunks visited
  // before.
  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return false; }
  double Bound(const Answer&) const { return kInfinity; }
  auto GapFrom(const SweptSphere& ball) const {
    const bool is_valid = IsValid(ball);
    // Contains everything that the ball sweeps over.
    const Aabb swept =
        is_valid ? Grown({Min(ball.from, ball.to), Max(ball.from, ball.to)},
                         ball.radius)
                 : Aabb{};
    return GapOfTest([swept, is_valid](const Aabb& box) {
      return is_valid && Overlaps(swept, box);
    });
  }
  double Reach(const SweptSphere&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer& answer) const {
    return mode == Mode::kAny && answer.count != 0;
  }
  void Run(const Chunk& chunk, std::span<const SweptSphere> balls,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  // Calls `visitor` with the chunk's hits until it returns kStop.
  void VisitFound(const Chunk& chunk, const SweptSphere& ball,
                  absl::FunctionRef<Visit(const GlobalSweepHit&)> visitor,
                  const Watch& watch) const;
  void Merge(const SweptSphere&, const Answer& from, Answer* answer) const;
  void Finish(const SweptSphere&, Answer* answer) const;

 private:
  Answer RunOne(const Chunk& chunk, const SweptSphere& ball,
                const Watch& watch) const;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_SWEEP_TRAITS_H_
