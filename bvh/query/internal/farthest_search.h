// SPDX-License-Identifier: Apache-2.0

// The search for the point of some triangles that is farthest from a target, a
// tree or what stands for one: hausdorff.h's branch and bound. Private.
//
//   FarthestSearch search(target, goal);
//   for (...) search.Witness(id, sample);    // all corners of all triangles
//   std::vector<double> upper;               // then what is between them
//   absl::Status s = search.Bound(count, corners_of, workers, &upper);
//   if (!s.ok()) return s;
//   for (...) search.Add(id, upper[id], corners_of(id));
//   s = search.Run({.workers = &workers});
//   if (!s.ok()) return s;
//   FarthestPoint result = search.result();
//
// The middle of a part is measured, and what is near to the triangle nearest to
// it is cut away; what is left are parts again. So a part that several
// triangles cover takes about as many steps. Parts come in rounds, many at a
// time. How many, and what comes of them, does not depend on the number of
// threads, nor on who measures.
#ifndef ORBOX_BVH_QUERY_INTERNAL_FARTHEST_SEARCH_H_
#define ORBOX_BVH_QUERY_INTERNAL_FARTHEST_SEARCH_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/hausdorff.h"
#include "orbox/bvh/query/internal/cut_away.h"
#include "orbox/bvh/query/internal/distance_sample.h"
#include "orbox/bvh/query/internal/farthest_goal.h"
#include "orbox/bvh/query/internal/farthest_target.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// What `progress` is told of a part of the work that ranges from one share of
// the whole to another.
inline std::function<void(double)> Between(
    double from, double to, const std::function<void(double)>& progress) {
  if (!progress) return nullptr;
  return [=](double share) { progress(from + (to - from) * share); };
}

// Who does the work, and who looks on.
struct FarthestRun {
  const Workers* workers = nullptr;
  std::function<void(double)> progress;  // from the caller's thread
  const std::atomic<bool>* cancelled = nullptr;
};

// As HausdorffResult (hausdorff.h), with ids of any size.
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

  // Takes a point of the triangle for the farthest, if it is. Its distance has
  // to be known exactly. `error` is how far the point may be from one that is
  // exactly on it.
  void Witness(uint64_t id, const DistanceSample& sample, double error = 0);

  // The same for a corner that is the farthest, as far as distances are known:
  // it is measured exactly.
  absl::Status WitnessFarthest(uint64_t id, DistanceSample* corner);

  // Whether a point is farther than the farthest, by more than it is known, or
  // by more than anybody asks for: then it has to be measured exactly.
  bool IsPromising(const DistanceSample& sample, double error) const;

  // Nothing above this interests any more.
  double GoodEnough() const { return goal_.EnoughFor(best_.lower); }

  // (*upper)[i] bounds the distances of the i-th of `count` triangles. Requires
  // that the farthest of all corners was a witness. Says no more than
  // RoughBound where this is good enough.
  absl::Status Bound(size_t count, CornersOf corners_of, const Workers& workers,
                     std::vector<double>* upper);

  // Looks for the farthest point in a triangle with this bound, too: by
  // ascending ids.
  void Add(uint64_t id, double upper, const SampledCorners& corners);
  // The same for all triangles that are no farther than this, without a look.
  void AddSettled(double upper) {
    settled_upper_ = std::max(settled_upper_, upper);
  }

  // kCancelled, or an error of the target's.
  absl::Status Run(const FarthestRun& run);

  // Requires that triangles were added, and a run.
  FarthestPoint result() const;

 private:
  // A part of a triangle: a triangle whose corners are exact points of it but
  // for an error.
  struct Part {
    double upper;  // of the distances of its points
    double error;
    double reach;  // the largest coordinate of the triangle, as a magnitude
    uint64_t id;
    uint64_t order;  // of its making
    SampledCorners corners;
  };
  struct Waiting {
    double upper;
    uint64_t order;  // ties are broken by it
    size_t at;       // in parts_

    // Whether `other` is to be looked at first: the order of a heap.
    bool operator<(const Waiting& other) const {
      if (upper != other.upper) return upper < other.upper;
      return order > other.order;
    }
  };

  // A part that is to be cut.
  struct Turn {
    Part part;
    double upper;  // of what is cut away
    double error;  // of the parts that are left
    size_t count;
    std::array<SampledCorners, CutAway::kMost> left;
    std::array<double, CutAway::kMost> left_upper;
  };

  // A round of fewer is one of promising parts alone.
  static constexpr size_t kFew = 64;

  static Part PartOf(uint64_t id, const SampledCorners& corners);
  // A bound, as far as the corners tell, and `upper` otherwise.
  double BoundByCorners(const SampledCorners& corners, double error,
                        double upper) const;
  double DistanceFrom(const DistanceSample& corner, uint64_t id,
                      double enough) const;
  // Where a part is as small as that, numbers are exact.
  bool IsSlackTiny(double reach) const;

  void Keep(const Part& part);
  void TakeRound();
  void LookAtMiddles();
  absl::Status MeasureMiddles();
  absl::Status MeasurePromising();
  double ErrorOfMiddle(const Part& part) const;
  void CutAll(const Workers& workers);
  void Cut(const DistanceSample& near, Turn& turn) const;
  void Halve(const DistanceSample& near, Turn& turn) const;
  void KeepWhatIsLeft();

  FarthestTarget& target_;
  FarthestGoal goal_;
  FarthestPoint best_;
  bool has_best_ = false;
  std::vector<Waiting> heap_;
  std::vector<Part> parts_;   // of the heap
  std::vector<size_t> free_;  // of parts_
  std::vector<size_t> firsts_;
  size_t taken_ = 0;         // from the heap together
  std::vector<Turn> turns_;  // their memory is used again
  std::span<Turn> round_;    // those of this round
  std::vector<Part> next_;   // what is left of a round, for the next one
  int generation_ = 0;
  std::vector<DistanceQuestion> questions_;
  std::vector<DistanceSample> samples_;
  std::vector<size_t> promising_;  // of samples_
  uint64_t parts_made_ = 0;
  size_t parts_counted_ = 0;  // against max_parts
  double settled_upper_ = 0;  // of all parts that are not in the heap any more
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_FARTHEST_SEARCH_H_
