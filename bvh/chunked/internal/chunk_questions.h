// SPDX-License-Identifier: Apache-2.0

// The questions that one mesh is asked, as chunks answer them: which chunks
// concern a query, what one answers, how answers are joined. For one machine
// (chunk_loop.h) and for ranks. Private; defined in nearest_questions.cc,
// region_question.cc and hit_questions.cc.
//
//   ClosestChunkQuestion question{.max_distance = 2};
//   std::vector<ClosestChunkQuestion::Answer> answers(points.size());
//   const auto gap_to = question.GapFrom(p);
//   if (gap_to(row.box) <= question.Bound(answers[i])) ...
//   question.Ask(chunk, points, which, answers, watch);
//   question.Merge(points[i], from_elsewhere, &answers[i]);
//   question.Finish(points[i], &answers[i]);
//
// A Question has
//   Query, Answer               an Answer{} is that of no chunk
//   bool Shrinks()              whether Bound gets less with answers: then a
//                               first round asks the nearest chunk alone
//   bool kConcernsFew           whether it shrinks, but few chunks concern it
//                               from the first; then Reach is not asked for
//   double Bound(answer)        nothing farther is of use; never rises
//   GapFrom(query)(box)         what is in the box is no nearer; infinity where
//                               it does not concern the query. Certified; also
//                               of eight boxes (chunk_gaps.h). The query has to
//                               outlive what GapFrom returns.
//   double Reach(query, row)    the answer is no farther, as far as the row's
//                               vertex tells; infinity if it tells nothing
//   bool IsDone(answer)         no chunk can change it any more
//   void Ask(chunk, queries, which, answers, watch)
//                               joins the chunk's answers to queries[i], for
//                               all i of `which`, to answers[i]; each chunk
//                               once a query
//   void Merge(query, from, &answer)
//                               joins what other chunks have answered
//   void Finish(query, &answer) puts lists in order, after all chunks
// Chunks may be asked and merged in any order, with the same result. The
// answers are those of one tree over all triangles.
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
#include "orbox/bvh/chunked/internal/chunk_gaps.h"
#include "orbox/bvh/chunked/internal/id_list.h"
#include "orbox/bvh/query/internal/farthest_search.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The closest point of the mesh.
struct ORBOX_EXPORT ClosestChunkQuestion {
  using Query = Vec3;
  using Answer = std::optional<GlobalSurfacePoint>;

  double max_distance = kInfinity;
  // Around all chunks: from far away, floats do not tell triangles apart.
  TreeSpace space;
  // As NearestQuestion has it, but for points from far away.
  bool is_rough = false;

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return true; }
  double Bound(const Answer& answer) const;
  GapFromPoint GapFrom(const Vec3& p) const { return GapFromPoint(p); }
  double Reach(const Vec3& p, const ChunkRow& row) const;
  bool IsDone(const Answer&) const { return false; }
  void Ask(const Chunk& chunk, std::span<const Vec3> points,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Vec3&, const Answer& from, Answer* answer) const;
  void Finish(const Vec3&, Answer*) const {}
};

// How far a point is from the mesh, and from which triangle.
struct NearTriangle {
  uint64_t triangle = 0;
  double distance = 0;
  DistanceSample::Known known = DistanceSample::Known::kExactly;
  Triangle corners;
};

// The same for somebody who knows that it is no farther than `limit`. All
// queries have to be known alike.
struct ORBOX_EXPORT DistanceChunkQuestion {
  using Query = DistanceQuestion;
  using Answer = std::optional<NearTriangle>;

  TreeSpace space;  // as above

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return true; }
  double Bound(const Answer& answer) const;
  GapFromPoint GapFrom(const Query& query) const {
    return GapFromPoint(query.point);
  }
  double Reach(const Query& query, const ChunkRow& row) const;
  bool IsDone(const Answer&) const { return false; }
  void Ask(const Chunk& chunk, std::span<const Query> queries,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Query&, const Answer& from, Answer* answer) const;
  void Finish(const Query&, Answer*) const {}
};

// The k nearest triangles.
struct ORBOX_EXPORT NearestChunkQuestion {
  using Query = Vec3;
  using Answer = std::vector<GlobalSurfacePoint>;  // nearest first, at most k

  size_t k = 1;  // above 0
  double max_distance = kInfinity;

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return true; }
  double Bound(const Answer& answer) const;
  GapFromPoint GapFrom(const Vec3& p) const { return GapFromPoint(p); }
  double Reach(const Vec3&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer&) const { return false; }
  void Ask(const Chunk& chunk, std::span<const Vec3> points,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Vec3&, Answer from, Answer* answer) const;
  void Finish(const Vec3&, Answer*) const {}
};

// The triangles that overlap a region: any, how many, or which.
struct ORBOX_EXPORT OverlapChunkQuestion {
  using Query = Region;
  struct Answer {
    uint64_t count = 0;
    // For kAll: some lists one after another, each ascending; one once
    // finished.
    IdList ids;
    bool is_one_list = true;
  };
  enum class Mode { kAny, kCount, kAll };

  Mode mode = Mode::kAll;

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return false; }
  double Bound(const Answer&) const { return 0; }
  GapFromRegion GapFrom(const Region& region) const {
    return GapFromRegion(region);
  }
  double Reach(const Region&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer& answer) const {
    return mode == Mode::kAny && answer.count != 0;
  }
  void Ask(const Chunk& chunk, std::span<const Region> regions,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Region&, Answer from, Answer* answer) const;
  void Finish(const Region&, Answer* answer) const;

 private:
  void AskAll(const Chunk& chunk, std::span<const Region> regions,
              std::span<const uint32_t> which, std::span<Answer> answers,
              const QueryOptions& options) const;
};

// A hit, and the triangle: hits of one rounded t are ordered exactly.
struct ChunkHit : GlobalRayHit {
  Triangle corners;
};

// What a ray hits first.
struct ORBOX_EXPORT FirstHitChunkQuestion {
  using Query = Ray;
  using Answer = std::optional<ChunkHit>;

  double max_distance = kInfinity;

  static constexpr bool kConcernsFew = true;
  bool Shrinks() const { return true; }
  double Bound(const Answer& answer) const;
  RayEntry GapFrom(const Ray& ray) const { return RayEntry(ray); }
  double Reach(const Ray&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer&) const { return false; }
  void Ask(const Chunk& chunk, std::span<const Ray> rays,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Ray& ray, const Answer& from, Answer* answer) const;
  void Finish(const Ray&, Answer*) const {}
};

// What a ray hits: anything, how much, what all.
struct ORBOX_EXPORT HitChunkQuestion {
  using Query = Ray;
  struct Answer {
    uint64_t count = 0;
    std::vector<ChunkHit> hits;  // for kAll; in order once finished
  };
  enum class Mode { kAny, kCount, kAll };

  Mode mode = Mode::kAll;
  double max_distance = kInfinity;

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return false; }
  double Bound(const Answer&) const { return max_distance; }
  RayEntry GapFrom(const Ray& ray) const { return RayEntry(ray); }
  double Reach(const Ray&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer& answer) const {
    return mode == Mode::kAny && answer.count != 0;
  }
  void Ask(const Chunk& chunk, std::span<const Ray> rays,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Ray&, const Answer& from, Answer* answer) const;
  void Finish(const Ray& ray, Answer* answer) const;
};

// The winding numbers of points, by which they are inside a closed mesh or not.
struct ORBOX_EXPORT InsideChunkQuestion {
  using Query = Vec3;
  struct Answer {
    int64_t winding = 0;
    bool is_on_surface = false;
    // Inside, whatever the rule.
    bool is_inside() const { return !is_on_surface && winding % 2 != 0; }
    // Inside by winding number where the faces of the mesh agree; not by
    // parity.
    bool depends_on_faces() const {
      return !is_on_surface && winding != 0 && winding % 2 == 0;
    }
  };

  Aabb bounds;  // of all chunks

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return false; }
  double Bound(const Answer&) const { return 0; }
  // The gap from a ray along x that starts in the box of all chunks.
  auto GapFrom(const Vec3& p) const {
    const bool is_near = Max(p, bounds.lo) == p && Min(p, bounds.hi) == p;
    return GapOfTest([p, is_near](const Aabb& box) {
      return is_near && p.x <= box.hi.x && box.lo.y <= p.y && p.y <= box.hi.y &&
             box.lo.z <= p.z && p.z <= box.hi.z;
    });
  }
  double Reach(const Vec3&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer& answer) const { return answer.is_on_surface; }
  void Ask(const Chunk& chunk, std::span<const Vec3> points,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Vec3&, const Answer& from, Answer* answer) const;
  void Finish(const Vec3&, Answer*) const {}
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_QUESTIONS_H_
