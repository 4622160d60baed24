// SPDX-License-Identifier: Apache-2.0

// The questions that one mesh is asked, as chunks answer them: which chunks
// concern a query, what one answers, how answers are joined. For one machine
// (chunk_loop.h) and for ranks. Private.
//
//   NearestChunkQuestion question{.max_distance = 2};
//   std::vector<NearestChunkQuestion::Answer> answers(points.size());
//   if (question.Gap(p, row.box) <= question.Bound(answer)) ...
//   question.Ask(chunk, points, which, answers, statistics);
//   question.Merge(from_elsewhere, &answer);
//
// A Question has
//   Query, Answer               default: nothing found so far
//   double Bound(answer)        nothing farther is of use; never rises
//   double Gap(query, box)      what is in the box is no nearer; infinity where
//                               it does not concern the query. Certified.
//   double Reach(query, row)    the answer is no farther, as far as the row's
//                               vertex tells; infinity if it tells nothing
//   void Ask(chunk, queries, which, answers, statistics)
//                               joins the chunk's answers to queries[i] for all
//                               i of `which` to answers[i]. Ask each chunk once
//                               a query
//   void Merge(from, &answer)   joins what other chunks have answered: in any
//                               order, with the same result
//   bool IsDone(answer)         no chunk can change it any more
// Which order: chunks by Gap for questions whose bound shrinks (kShrinks), so
// that a first round asks the nearest chunk alone; otherwise in any.
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_QUESTIONS_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_QUESTIONS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/chunked/global_ids.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// ClosestPoint: k == 1; KNearest: any k > 0.
struct NearestChunkQuestion {
  using Query = Vec3;
  using Answer = std::vector<GlobalSurfacePoint>;  // nearest first, at most k
  static constexpr bool kShrinks = true;

  size_t k = 1;
  double max_distance = kInfinity;
  // Of all chunks: from far away, floats do not tell triangles apart.
  Aabb bounds;

  double Bound(const Answer& answer) const;
  double Gap(const Vec3& p, const Aabb& box) const;
  double Reach(const Vec3& p, const ChunkRow& row) const;
  bool IsDone(const Answer&) const { return false; }
  void Ask(const Chunk& chunk, std::span<const Vec3> points,
           std::span<const uint32_t> which, std::span<Answer> answers,
           TraversalStatistics* statistics) const;
  void Merge(Answer from, Answer* answer) const;
};

// The triangles that overlap a region: any, how many, or which.
struct OverlapChunkQuestion {
  using Query = Region;
  struct Answer {
    uint64_t count = 0;
    std::vector<uint64_t> ids;  // ascending, for kAll
  };
  static constexpr bool kShrinks = false;
  enum class Mode { kAny, kCount, kAll };

  Mode mode = Mode::kAll;

  double Bound(const Answer&) const { return 0; }
  double Gap(const Region& region, const Aabb& box) const;
  double Reach(const Region&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer& answer) const {
    return mode == Mode::kAny && answer.count != 0;
  }
  void Ask(const Chunk& chunk, std::span<const Region> regions,
           std::span<const uint32_t> which, std::span<Answer> answers,
           TraversalStatistics* statistics) const;
  void Merge(Answer from, Answer* answer) const;
};

// A hit, and the triangle: hits of one rounded t are ordered exactly.
struct ChunkHit {
  GlobalRayHit hit;
  Triangle triangle;
};

// What a ray hits: anything, how much, what first, what all.
struct HitChunkQuestion {
  using Query = Ray;
  struct Answer {
    Ray ray;  // set by Ask
    uint64_t count = 0;
    std::vector<ChunkHit> hits;  // in order: at most one for kFirst
  };
  static constexpr bool kShrinks = true;
  enum class Mode { kAny, kCount, kFirst, kAll };

  Mode mode = Mode::kFirst;
  double max_distance = kInfinity;

  double Bound(const Answer& answer) const;
  double Gap(const Ray& ray, const Aabb& box) const;
  double Reach(const Ray&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer& answer) const {
    return mode == Mode::kAny && answer.count != 0;
  }
  void Ask(const Chunk& chunk, std::span<const Ray> rays,
           std::span<const uint32_t> which, std::span<Answer> answers,
           TraversalStatistics* statistics) const;
  void Merge(Answer from, Answer* answer) const;
};

// Whether points are inside a closed mesh.
struct InsideChunkQuestion {
  using Query = Vec3;
  struct Answer {
    int64_t winding = 0;
    bool is_on_surface = false;
    bool is_inside() const { return !is_on_surface && winding % 2 != 0; }
  };
  static constexpr bool kShrinks = false;

  Aabb bounds;  // of all chunks

  double Bound(const Answer&) const { return 0; }
  double Gap(const Vec3& p, const Aabb& box) const;
  double Reach(const Vec3&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer& answer) const { return answer.is_on_surface; }
  void Ask(const Chunk& chunk, std::span<const Vec3> points,
           std::span<const uint32_t> which, std::span<Answer> answers,
           TraversalStatistics* statistics) const;
  void Merge(Answer from, Answer* answer) const;
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_QUESTIONS_H_
