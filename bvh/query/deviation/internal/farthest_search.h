// SPDX-License-Identifier: Apache-2.0

// Search for the point of some triangles that is farthest from a target: the
// branch and bound of hausdorff.h. The target is a tree or a substitute for
// one. Private.
//
//   FarthestSearch search(target, goal);
//   for (...) search.Witness(id, sample);    // all corners of all triangles
//   std::vector<double> upper;               // then the points between them
//   absl::Status s = search.Bound(count, corners_of, workers, &upper);
//   if (!s.ok()) return s;
//   for (...) search.Add(id, upper[id], corners_of(id));
//   s = search.Run({.workers = &workers});
//   if (!s.ok()) return s;
//   FarthestPoint result = search.result();
//
// A step measures the middle of a part and cuts away the points that are near
// enough to the triangle closest to the middle. The remaining pieces are parts
// again. So the number of steps for a part is about the number of target
// triangles that cover it. Parts are processed in rounds, many at a time. The
// number of rounds and their results depend neither on the number of threads
// nor on which process measures.
#ifndef ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_SEARCH_H_
#define ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_SEARCH_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/deviation/internal/cut_away.h"
#include "orbox/bvh/query/deviation/internal/farthest_goal.h"
#include "orbox/bvh/query/deviation/internal/farthest_target.h"
#include "orbox/bvh/query/points/internal/distance_sample.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns a progress function for one stage of the work. The stage covers the
// shares `from` to `to` of the whole.
inline std::function<void(double)> Between(
    double from, double to, const std::function<void(double)>& progress) {
  if (!progress) return nullptr;
  return [=](double share) { progress(from + (to - from) * share); };
}

// The threads of a search, its progress and its cancellation.
struct FarthestRun {
  const Workers* workers = nullptr;
  std::function<void(double)> progress = {};  // called in the caller's thread
  const std::atomic<bool>* cancelled = nullptr;
};

// See HausdorffResult (hausdorff.h); ids of any size.
struct FarthestPoint {
  double lower = 0;
  double upper = 0;
  uint64_t triangle_a = 0;
  Vec3 on_a;
  uint64_t triangle_b = 0;
  Vec3 on_b;
};

class ORBOX_EXPORT FarthestSearch {
 public:
  using CornersOf = absl::FunctionRef<SampledCorners(size_t i)>;

  // Refers to the target.
  FarthestSearch(FarthestTarget& target, const FarthestGoal& goal)
      : target_(target), goal_(goal) {}

  // Records a point of the triangle as the farthest, if it is farther than the
  // points so far. Requires an exact distance. `error` is an upper bound of the
  // distance between the point and the exact triangle.
  void Witness(uint64_t id, const DistanceSample& sample, double error = 0);

  // Measures a corner exactly and calls Witness with it. Call it for the corner
  // that is the farthest by the distances known so far.
  absl::Status WitnessFarthest(uint64_t id, DistanceSample* corner);

  // Returns true if the sample is farther than the farthest point so far, by
  // more than the error of its distance and a share of the tolerance. Such a
  // sample has to be measured exactly.
  bool IsPromising(const DistanceSample& sample, double error) const;

  // Largest upper bound that needs no further search.
  double GoodEnough() const { return goal_.EnoughFor(best_.lower); }

  // Sets (*upper)[i] to an upper bound of the distances of the i-th of `count`
  // triangles. Requires that the farthest of all corners was a witness. Uses
  // the cheaper bound of RoughBound if it is good enough.
  absl::Status Bound(size_t count, CornersOf corners_of, const Workers& workers,
                     std::vector<double>* upper);

  // Adds a triangle with this upper bound to the search. Call it by ascending
  // ids.
  void Add(uint64_t id, double upper, const SampledCorners& corners);
  // Adds triangles with this upper bound that are not searched.
  void AddSettled(double upper) {
    settled_upper_ = std::max(settled_upper_, upper);
  }

  // Runs the search. Returns kCancelled, or an error of the target.
  absl::Status Run(const FarthestRun& run);

  // Returns the result. Requires that triangles were added and that Run was
  // called.
  FarthestPoint result() const;

 private:
  // A piece of a triangle: a triangle whose corners are points of it, exactly
  // or within `error`.
  struct SubTriangle {
    double upper;  // of the distances of its points
    double error;
    double reach;  // largest absolute coordinate of the triangle
    uint64_t id;
    uint64_t order;  // order of creation
    SampledCorners corners;
  };
  struct Waiting {
    double upper;
    uint64_t order;  // breaks ties
    size_t at;       // index of parts_

    // True if `other` has to be searched first: the order of the queue.
    bool operator<(const Waiting& other) const {
      if (upper != other.upper) return upper < other.upper;
      return order > other.order;
    }
  };

  // A part that is to be cut.
  struct Turn {
    SubTriangle part;
    double upper;  // of the points cut away
    double error;  // of the pieces left
    size_t count;
    std::array<SampledCorners, CutAway::kMost> left;
    std::array<double, CutAway::kMost> left_upper;
  };

  // A round with fewer parts than this contains only those with the highest
  // bounds.
  static constexpr size_t kFew = 64;

  static SubTriangle SubTriangleOf(uint64_t id, const SampledCorners& corners);
  // Returns the lower of `upper` and the bound that the corners give.
  double BoundByCorners(const SampledCorners& corners, double error,
                        double upper) const;
  double DistanceFrom(const DistanceSample& corner, uint64_t id,
                      double enough) const;
  // True if the tolerance is so small, compared with coordinates up to `reach`,
  // that distances have to be exact.
  bool IsSlackTiny(double reach) const;

  void Keep(const SubTriangle& part);
  void StartRound();
  void CollectMiddles();
  absl::Status MeasureMiddles();
  absl::Status MeasurePromising();
  double ErrorOfMiddle(const SubTriangle& part) const;
  void CutAll(const Workers& workers);
  void Cut(const DistanceSample& near, Turn& turn) const;
  void Halve(const DistanceSample& near, Turn& turn) const;
  void KeepWhatIsLeft();

  FarthestTarget& target_;
  FarthestGoal goal_;
  FarthestPoint best_;
  bool has_best_ = false;
  std::priority_queue<Waiting> queue_;
  std::vector<SubTriangle> parts_;  // of the queue
  std::vector<size_t> free_;        // unused indices of parts_
  std::vector<size_t> firsts_;
  size_t round_size_ = 0;          // parts in this round
  std::vector<Turn> turns_;        // kept, so that memory is reused
  std::span<Turn> round_;          // turns of this round
  std::vector<SubTriangle> next_;  // pieces left of a round, for the next round
  int generation_ = 0;
  std::vector<DistanceQuery> queries_;
  std::vector<DistanceSample> samples_;
  std::vector<size_t> promising_;  // indices of samples_
  uint64_t parts_made_ = 0;
  size_t parts_counted_ = 0;  // against max_parts
  double settled_upper_ = 0;  // of all parts that have left the heap
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_DEVIATION_INTERNAL_FARTHEST_SEARCH_H_
