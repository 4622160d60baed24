// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_clusters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "orbox/bvh/base/internal/disjoint_sets.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/pairs/internal/pose_batch.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// The three corners of the triangle of one mesh in each pair, as numbers.
// Corners with equal coordinates have equal numbers.
struct NearCorners {
  std::vector<std::array<uint32_t, 3>> of_pair;
  size_t count = 0;  // number of different corners

  template <typename IdOf>
  NearCorners(const Mesh& mesh, std::span<const PairDistance> pairs, IdOf id_of,
              const Watch& watch) {
    std::vector<uint32_t> ids;
    ids.reserve(pairs.size());
    for (const PairDistance& p : pairs) ids.push_back(id_of(p));
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::vector<Vec3> corners;
    corners.reserve(3 * ids.size());
    for (const uint32_t id : ids) {
      const Triangle t = mesh.triangle(id);
      corners.insert(corners.end(), {t.a, t.b, t.c});
    }
    const mesh_internal::Welded welded = mesh_internal::Weld(corners);
    count = welded.first.size();
    of_pair.reserve(pairs.size());
    for (const PairDistance& p : pairs) {
      watch.CheckCancelled();
      const auto cluster =
          std::lower_bound(ids.begin(), ids.end(), id_of(p)) - ids.begin();
      const auto first = welded.id.begin() + 3 * cluster;
      of_pair.push_back({first[0], first[1], first[2]});
    }
  }
};

// Joins pairs that have a corner of each mesh in common.
DisjointSets SetsOf(const PosedTree& a, const PosedTree& b,
                    std::span<const PairDistance> pairs, const Watch& watch) {
  const NearCorners of_a(
      a.tree().mesh(), pairs,
      [](const PairDistance& p) { return p.triangles.a; }, watch);
  const NearCorners of_b(
      b.tree().mesh(), pairs,
      [](const PairDistance& p) { return p.triangles.b; }, watch);
  // Start of the pairs at each corner of a, sorted by corner.
  std::vector<size_t> begin(of_a.count + 1, 0);
  for (const auto& corners : of_a.of_pair) {
    for (const uint32_t corner : corners) ++begin[corner + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<uint32_t> at_corner(begin.back());
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    for (const uint32_t corner : of_a.of_pair[i]) at_corner[next[corner]++] = i;
  }
  // The last pair at each corner of b, for the current corner of a. Entries
  // with `at` below `begin` are from earlier corners of a.
  struct Seen {
    size_t at = 0;  // one more than an index of at_corner
    uint32_t pair = 0;
  };
  std::vector<Seen> last(of_b.count);
  DisjointSets sets(pairs.size());
  for (size_t corner = 0; corner < of_a.count; ++corner) {
    for (size_t i = begin[corner]; i < begin[corner + 1]; ++i) {
      watch.CheckCancelled();
      const uint32_t pair = at_corner[i];
      for (const uint32_t other : of_b.of_pair[pair]) {
        Seen& seen = last[other];
        if (seen.at > begin[corner]) sets.Join(pair, seen.pair);
        seen = {i + 1, pair};
      }
    }
  }
  return sets;
}

double AreaOfTriangle(const Triangle& t) {
  return Norm(Cross(t.b - t.a, t.c - t.a)) / 2;
}

// Intersection of two boxes that overlap, except for rounding.
Aabb CommonTo(const Aabb& a, const Aabb& b) {
  const Vec3 lo = Max(a.lo, b.lo);
  return {lo, Max(lo, Min(a.hi, b.hi))};
}

// Makes a cluster from its pairs, which are ascending by (a, b).
class ClusterMaker {
 public:
  ClusterMaker(const PosedTree& a, const PosedTree& b, double distance,
               const Watch& watch)
      : a_(a), b_(b), distance_(distance), watch_(watch) {}

  NearCluster Make(std::span<const PairDistance> pairs) {
    NearCluster cluster{.pair_count = pairs.size()};
    const PairDistance* nearest = pairs.data();
    ids_of_b_.clear();
    for (const PairDistance& pair : pairs) {
      watch_.CheckCancelled();
      if (pair.distance < nearest->distance) nearest = &pair;
      const bool is_first = &pair == pairs.data();
      if (is_first || (&pair)[-1].triangles.a != pair.triangles.a) {
        triangle_ = a_.triangle(pair.triangles.a);
        cluster.area_a += AreaOfTriangle(triangle_);
      }
      ids_of_b_.push_back(pair.triangles.b);
      const Aabb box_a = BoundsOf(triangle_);
      const Aabb box_b = BoundsOf(b_.triangle(pair.triangles.b));
      const Aabb near = Union(CommonTo(Grown(box_a, distance_), box_b),
                              CommonTo(box_a, Grown(box_b, distance_)));
      cluster.box = is_first ? near : Union(cluster.box, near);
    }
    std::sort(ids_of_b_.begin(), ids_of_b_.end());
    ids_of_b_.erase(std::unique(ids_of_b_.begin(), ids_of_b_.end()),
                    ids_of_b_.end());
    for (const uint32_t id : ids_of_b_)
      cluster.area_b += AreaOfTriangle(b_.triangle(id));
    const TrianglePairDistance d = Distance(a_.triangle(nearest->triangles.a),
                                            b_.triangle(nearest->triangles.b));
    cluster.closest = {nearest->triangles, d.distance, d.on_first, d.on_second};
    return cluster;
  }

 private:
  const PosedTree& a_;
  const PosedTree& b_;
  const double distance_;
  const Watch& watch_;
  Triangle triangle_;
  std::vector<uint32_t> ids_of_b_;
};

std::vector<NearCluster> MakeClusters(const PosedTree& a, const PosedTree& b,
                                      std::span<const PairDistance> pairs,
                                      double distance, const Watch& watch) {
  if (pairs.empty()) return {};
  DisjointSets sets = SetsOf(a, b, pairs, watch);
  // Start of the pairs of each set. The pairs are sorted by set, and ascend
  // within a set.
  std::vector<size_t> begin(pairs.size() + 1, 0);
  std::vector<uint32_t> set(pairs.size());
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    set[i] = sets.Find(i);
    ++begin[set[i] + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<PairDistance> sorted(pairs.size());
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  for (size_t i = 0; i < pairs.size(); ++i) sorted[next[set[i]]++] = pairs[i];

  ClusterMaker maker(a, b, distance, watch);
  std::vector<NearCluster> clusters;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (begin[i] == begin[i + 1]) continue;
    clusters.push_back(maker.Make(
        std::span(sorted).subspan(begin[i], begin[i + 1] - begin[i])));
  }
  std::sort(clusters.begin(), clusters.end(),
            [](const NearCluster& p, const NearCluster& q) {
              return std::tie(p.closest.distance, p.closest.triangles) <
                     std::tie(q.closest.distance, q.closest.triangles);
            });
  return clusters;
}

std::vector<NearCluster> FindClustersWithin(const PosedTree& a,
                                            const PosedTree& b, double distance,
                                            const Execution& run) {
  return MakeClusters(a, b, WithinSearch(distance, run).All({a, b}),
                      LimitOf(distance, run), run);
}

}  // namespace

std::vector<NearCluster> ClustersOf(const PosedTree& a, const PosedTree& b,
                                    std::span<const PairDistance> pairs,
                                    double distance) {
  return MakeClusters(a, b, pairs, distance, Watch());
}

std::vector<NearCluster> AllClustersWithin(const PosedTree& a,
                                           const PosedTree& b,
                                           double distance) {
  return FindClustersWithin(a, b, distance, Execution(RunOptions()));
}

absl::StatusOr<std::vector<NearCluster>> AllClustersWithin(
    const PosedTree& a, const PosedTree& b, double distance,
    const RunOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  return WithRunOptions(options, [&](const Execution& run) {
    return FindClustersWithin(a, b, distance, run);
  });
}

absl::StatusOr<Lists<NearCluster>> AllClustersWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const RunOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  return PoseBatch(a, poses, b, Execution(options))
      .CollectEach<NearCluster>(
          [&](const PosedTree& posed, const Execution& run) {
            return FindClustersWithin(posed, b, distance, run);
          });
}

}  // namespace orbox
