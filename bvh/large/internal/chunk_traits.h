// SPDX-License-Identifier: Apache-2.0

// Traits of the queries of one mesh, for the chunks of a mesh: the chunks that
// concern a query, the answer of one chunk, and the merging of answers. For one
// machine (chunk_loop.h) and for ranks. Private; defined in
// nearest_traits.cc, region_traits.cc and hit_traits.cc.
//
//   ClosestChunkTraits traits{.max_distance = 2};
//   std::vector<ClosestChunkTraits::Answer> answers(points.size());
//   const auto gap_to = traits.GapFrom(p);
//   if (gap_to(row.box) <= traits.Bound(answers[i])) ...
//   traits.Run(chunk, points, which, answers, watch);
//   traits.Merge(points[i], from_elsewhere, &answers[i]);
//   traits.Finish(points[i], &answers[i]);
//
// Traits, such as ClosestChunkTraits, have
//   Query, Answer               an Answer{} is that of no chunk
//   bool Shrinks()              true if Bound shrinks with answers: then a
//                               first round visits only the nearest chunk
//   bool kConcernsFew           true if it shrinks, but few chunks concern a
//                               query from the start; then Reach is not called
//   double Bound(answer)        nothing farther matters; never rises
//   GapFrom(query)(box)         lower bound of the distance of anything in the
//                               box; infinity if the box does not concern the
//                               query. Certified; also for eight boxes
//                               (chunk_gaps.h). The query has to outlive the
//                               object that GapFrom returns.
//   double Reach(query, row)    upper bound of the answer, by the row's vertex;
//                               infinity if the vertex gives none
//   bool IsDone(answer)         true if no chunk can change the answer
//   void Run(chunk, queries, which, answers, watch)
//                               merges the chunk's answers to queries[i], for
//                               all i of `which`, into answers[i]; each chunk
//                               once per query
//   void Merge(query, from, &answer)
//                               merges the answer of other chunks
//   void Finish(query, &answer) puts lists in order, after all chunks
// Those that find lists also have
//   void VisitFound(chunk, query, visitor, watch)
//                               calls visitor(found) until it returns kStop
// Chunks may be visited and merged in any order, with equal results. The
// answers are those of one tree over all triangles.
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_TRAITS_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_TRAITS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/internal/chunk_gaps.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The ids found by one of many queries: part of a list that queries share,
// until more ids are added. Allocating a list per query would take longer than
// finding its ids in a chunk.
//
//   auto found = std::make_shared<std::vector<uint64_t>>();
//   ...
//   IdList ids(found, begin, end);
//   ids.Append(more);
//   use(ids.view());
class IdList {
 public:
  using Shared = std::shared_ptr<std::vector<uint64_t>>;

  IdList() = default;
  // The ids of `all` from `begin` to `end`. Requires that `all` does not change
  // any more.
  IdList(Shared all, size_t begin, size_t end)
      : all_(std::move(all)), begin_(begin), size_(end - begin) {}
  explicit IdList(std::vector<uint64_t> ids) : size_(ids.size()) {
    all_ = std::make_shared<std::vector<uint64_t>>(std::move(ids));
  }

  std::span<const uint64_t> view() const {
    if (all_ == nullptr) return {};
    return std::span<const uint64_t>(*all_).subspan(begin_, size_);
  }
  bool empty() const { return size_ == 0; }

  void Append(std::span<const uint64_t> more) {
    std::vector<uint64_t> ids = Take();
    ids.insert(ids.end(), more.begin(), more.end());
    *this = IdList(std::move(ids));
  }
  // Moves the ids out; leaves an empty list.
  std::vector<uint64_t> Take() {
    std::vector<uint64_t> ids;
    if (all_ != nullptr && size_ == all_->size() && all_.use_count() == 1) {
      ids = std::move(*all_);
    } else {
      ids.assign(view().begin(), view().end());
    }
    *this = IdList();
    return ids;
  }

 private:
  Shared all_;
  size_t begin_ = 0;
  size_t size_ = 0;
};

// The closest point of the mesh.
struct ORBOX_EXPORT ClosestChunkTraits {
  using Query = Vec3;
  using Answer = std::optional<GlobalSurfacePoint>;

  double max_distance = kInfinity;
  // Around all chunks. For points far away, floats do not separate triangles.
  TreeSpace space;
  // See NearestBatch; points from far away are an exception.
  bool is_rough = false;

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return true; }
  double Bound(const Answer& answer) const;
  GapFromPoint GapFrom(const Vec3& p) const { return GapFromPoint(p); }
  double Reach(const Vec3& p, const ChunkRow& row) const;
  bool IsDone(const Answer&) const { return false; }
  void Run(const Chunk& chunk, std::span<const Vec3> points,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Vec3&, const Answer& from, Answer* answer) const;
  void Finish(const Vec3&, Answer*) const {}
};

// Distance of a point from the mesh, and the triangle at that distance.
struct NearTriangle {
  uint64_t triangle = 0;
  double distance = 0;
  DistanceSample::Known known = DistanceSample::Known::kExactly;
  Triangle corners;
};

// Distance of a point that is known to be at most `limit`. All queries of a
// batch need one precision (DistanceQuery::known).
struct ORBOX_EXPORT DistanceChunkTraits {
  using Query = DistanceQuery;
  using Answer = std::optional<NearTriangle>;

  TreeSpace space;  // see ClosestChunkTraits

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return true; }
  double Bound(const Answer& answer) const;
  GapFromPoint GapFrom(const Query& query) const {
    return GapFromPoint(query.point);
  }
  double Reach(const Query& query, const ChunkRow& row) const;
  bool IsDone(const Answer&) const { return false; }
  void Run(const Chunk& chunk, std::span<const Query> queries,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Query&, const Answer& from, Answer* answer) const;
  void Finish(const Query&, Answer*) const {}
};

// The k nearest triangles.
struct ORBOX_EXPORT NearestChunkTraits {
  using Query = Vec3;
  using Answer = std::vector<GlobalSurfacePoint>;  // nearest first, at most k

  size_t k = 1;
  double max_distance = kInfinity;

  static constexpr bool kConcernsFew = false;
  bool Shrinks() const { return true; }
  double Bound(const Answer& answer) const;
  GapFromPoint GapFrom(const Vec3& p) const { return GapFromPoint(p); }
  double Reach(const Vec3&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer&) const { return false; }
  void Run(const Chunk& chunk, std::span<const Vec3> points,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Vec3&, Answer from, Answer* answer) const;
  void Finish(const Vec3&, Answer*) const {}
};

// The triangles that overlap a region: any, their number, or all.
struct ORBOX_EXPORT OverlapChunkTraits {
  using Query = Region;
  struct Answer {
    uint64_t count = 0;
    // For kAll: several lists one after another, each ascending. One list once
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
  void Run(const Chunk& chunk, std::span<const Region> regions,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  // Calls `visitor` with the chunk's ids until it returns kStop.
  void VisitFound(const Chunk& chunk, const Region& region,
                  absl::FunctionRef<Visit(const GlobalId&)> visitor,
                  const Watch& watch) const;
  void Merge(const Region&, Answer from, Answer* answer) const;
  void Finish(const Region&, Answer* answer) const;

 private:
  void RunAll(const Chunk& chunk, std::span<const Region> regions,
              std::span<const uint32_t> which, std::span<Answer> answers,
              const Watch& watch) const;
};

// A hit, and the triangle: hits with equal rounded t are ordered exactly.
struct ChunkHit : GlobalRayHit {
  Triangle corners;
};

// The first hit of a ray.
struct ORBOX_EXPORT FirstHitChunkTraits {
  using Query = Ray;
  using Answer = std::optional<ChunkHit>;

  double max_distance = kInfinity;

  static constexpr bool kConcernsFew = true;
  bool Shrinks() const { return true; }
  double Bound(const Answer& answer) const;
  RayEntry GapFrom(const Ray& ray) const { return RayEntry(ray); }
  double Reach(const Ray&, const ChunkRow&) const { return kInfinity; }
  bool IsDone(const Answer&) const { return false; }
  void Run(const Chunk& chunk, std::span<const Ray> rays,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Ray& ray, const Answer& from, Answer* answer) const;
  void Finish(const Ray&, Answer*) const {}
};

// The hits of a ray: any, their number, or all.
struct ORBOX_EXPORT HitChunkTraits {
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
  void Run(const Chunk& chunk, std::span<const Ray> rays,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  // Calls `visitor` with the chunk's hits until it returns kStop.
  void VisitFound(const Chunk& chunk, const Ray& ray,
                  absl::FunctionRef<Visit(const ChunkHit&)> visitor,
                  const Watch& watch) const;
  void Merge(const Ray&, const Answer& from, Answer* answer) const;
  void Finish(const Ray& ray, Answer* answer) const;
};

// The winding numbers of points, which decide the points inside a closed mesh.
struct ORBOX_EXPORT InsideChunkTraits {
  using Query = Vec3;
  struct Answer {
    int64_t winding = 0;
    bool is_on_surface = false;
    // Inside by any rule.
    bool is_inside() const { return !is_on_surface && winding % 2 != 0; }
    // Inside by winding number if the faces of the mesh agree, and not by
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
  void Run(const Chunk& chunk, std::span<const Vec3> points,
           std::span<const uint32_t> which, std::span<Answer> answers,
           const Watch& watch) const;
  void Merge(const Vec3&, const Answer& from, Answer* answer) const;
  void Finish(const Vec3&, Answer*) const {}
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_TRAITS_H_
