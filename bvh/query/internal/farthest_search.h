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
// Parts are halved in rounds, many at a time. How many, and what comes of them,
// does not depend on the number of threads, nor on who measures.
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
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point and what of the target is closest to it.
struct DistanceSample {
  Vec3 point;
  double distance = 0;  // correctly rounded
  uint64_t triangle = 0;
};

// A point whose distance is sought, and what it is at most.
struct DistanceQuestion {
  Vec3 point;
  double limit = std::numeric_limits<double>::infinity();
};

// From what distances are measured.
class FarthestTarget {
 public:
  virtual ~FarthestTarget() = default;

  // samples[i] is that of questions[i].
  virtual absl::Status Measure(std::span<const DistanceQuestion> questions,
                               std::span<DistanceSample> samples) = 0;
  // One that a sample names.
  virtual Triangle TriangleOf(uint64_t id) const = 0;
  // Does work between two measurements; where several processes search
  // together, its status is that of all.
  virtual absl::Status Together(absl::FunctionRef<absl::Status()> work) {
    return work();
  }
};

// A tree where it stands.
class FarthestTree final : public FarthestTarget {
 public:
  // All of them have to outlive this; statistics may be null.
  FarthestTree(const Tree& tree, const Workers& workers,
               TraversalStatistics* statistics)
      : tree_(tree), workers_(workers), statistics_(statistics) {}

  absl::Status Measure(std::span<const DistanceQuestion> questions,
                       std::span<DistanceSample> samples) override;
  Triangle TriangleOf(uint64_t id) const override {
    return tree_.mesh().triangle(static_cast<uint32_t>(id));
  }

 private:
  const Tree& tree_;
  const Workers& workers_;
  TraversalStatistics* const statistics_;
};

// What to stop at.
struct FarthestGoal {
  double tolerance = 0;
  double relative_tolerance = 0;
  size_t max_parts = 0;

  // How far above `lower` nothing interests any more.
  double Slack(double lower) const;
};

// That of the options, for a target within these bounds.
ORBOX_EXPORT FarthestGoal GoalOf(const HausdorffOptions& options,
                                 const Aabb& bounds);

// The errors of hausdorff.h's options.
ORBOX_EXPORT absl::Status CheckHausdorff(const HausdorffOptions& options);

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
  using Corners = std::array<DistanceSample, 3>;
  using CornersOf = absl::FunctionRef<Corners(size_t i)>;

  // Refers to the target.
  FarthestSearch(FarthestTarget& target, const FarthestGoal& goal)
      : target_(target), goal_(goal) {}

  // Takes a point of the triangle for the farthest, if it is. `error` is how
  // far the point may be from one that is exactly on it.
  void Witness(uint64_t id, const DistanceSample& sample, double error = 0);

  // Nothing above this interests any more.
  double GoodEnough() const { return best_.lower + goal_.Slack(best_.lower); }

  // What edges and distances of corners say of a triangle: Bound says no more
  // of it where this is good enough.
  static double RoughBound(const Corners& corners);

  // (*upper)[i] bounds the distances of the i-th of `count` triangles. Requires
  // that their corners were witnesses; the more of the others were, the less
  // there is to do. Where a bound is above GoodEnough(), it is the same whether
  // or not they were.
  absl::Status Bound(size_t count, CornersOf corners_of, const Workers& workers,
                     std::vector<double>* upper);

  // Looks for the farthest point in a triangle with this bound, too: by
  // ascending ids.
  void Add(uint64_t id, double upper, const Corners& corners);
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
    uint64_t order;  // of its making: ties are broken by it
    Corners corners;

    // Whether `other` is to be looked at first: the order of a heap.
    bool operator<(const Part& other) const {
      if (upper != other.upper) return upper < other.upper;
      return order > other.order;
    }
  };

  // A part that is to be halved, and where.
  struct Halving {
    Part part;
    size_t from;  // the edge that is halved begins at this corner
    bool is_exact;
  };
  // A part of which little can be said without the distance of its middle.
  struct Doubtful {
    size_t index;
    double enough;
    Corners corners;
  };

  static Part PartOf(uint64_t id, const Corners& corners);
  // A bound, as far as the corners tell. Sets *needs_middle where the triangle
  // nearest to the middle may tell more: of what lies on a surface, the one
  // that it lies on.
  double BoundByCorners(const Part& part, bool* needs_middle) const;
  double BoundByMiddle(const Doubtful& part,
                       const DistanceSample& middle) const;
  static double Finished(const Part& part, double upper);
  // Asks for the middles of doubtful_, and has take(index, bound) called.
  absl::Status BoundDoubtful(
      absl::FunctionRef<void(size_t index, double bound)> take);

  void TakeRound();
  // The halves of round_, in halves_, once their middles are measured.
  void MakeHalves(const Workers& workers);
  void KeepHalves();
  absl::Status HalveAll(const FarthestRun& run);
  void Keep(const Part& part);

  FarthestTarget& target_;
  FarthestGoal goal_;
  FarthestPoint best_;
  bool has_best_ = false;
  std::vector<Part> heap_;
  size_t taken_ = 0;            // from the heap together
  std::vector<Halving> round_;  // those of them that have halves
  std::vector<Part> halves_;    // two for each of round_
  std::vector<Doubtful> doubtful_;
  std::vector<DistanceQuestion> questions_;
  std::vector<DistanceSample> samples_;
  uint64_t parts_made_ = 0;
  size_t halves_made_ = 0;
  double settled_upper_ = 0;  // of all parts that are not in the heap any more
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_FARTHEST_SEARCH_H_
