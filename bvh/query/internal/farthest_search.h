// SPDX-License-Identifier: Apache-2.0

// The search for the point of some triangles that is farthest from a tree:
// hausdorff.h's branch and bound. Private.
//
//   FarthestSearch search(tree, goal);
//   for (...) search.Witness(id, sample);      // all corners of all triangles
//   search.Add(0, count, corners_of, workers); // then what is between them
//   search.Run({.workers = &workers});
//   HausdorffResult result = search.result();
//
// Parts are halved in rounds, many at a time. How many, and what comes of them,
// does not depend on the number of threads.
#ifndef ORBOX_BVH_QUERY_INTERNAL_FARTHEST_SEARCH_H_
#define ORBOX_BVH_QUERY_INTERNAL_FARTHEST_SEARCH_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/hausdorff.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point and what of the tree is closest to it.
struct DistanceSample {
  Vec3 point;
  double distance = 0;  // correctly rounded
  uint32_t triangle = 0;
};

// A sample that is near nothing.
inline constexpr DistanceSample kNoSample{
    {}, std::numeric_limits<double>::infinity(), 0};

// The distance of `p` from a tree; cheaper where `near` is a sample that is
// near.
DistanceSample SampleDistance(const Tree& tree, const Vec3& p,
                              const DistanceSample& near,
                              TraversalStatistics* statistics);

// What to stop at.
struct FarthestGoal {
  double tolerance = 0;
  double relative_tolerance = 0;
  size_t max_parts = 0;

  // How far above `lower` nothing interests any more.
  double Slack(double lower) const;
};

// Who does the work, and who looks on.
struct FarthestRun {
  const Workers* workers = nullptr;
  TraversalStatistics* statistics = nullptr;
  std::function<void(double)> progress;  // from the caller's thread
  const std::atomic<bool>* cancelled = nullptr;
};

class FarthestSearch {
 public:
  using Corners = std::array<DistanceSample, 3>;
  using CornersOf = absl::FunctionRef<Corners(uint32_t id)>;

  FarthestSearch(const Tree& tree, const FarthestGoal& goal)
      : tree_(tree), goal_(goal) {}

  // Takes a point of the triangle for the farthest, if it is. `error` is how
  // far the point may be from one that is exactly on it.
  void Witness(uint32_t id, const DistanceSample& sample, double error = 0);

  // Looks for the farthest point in the triangles [begin, end), too. Requires
  // that their corners were witnesses; the more of the others were, the less
  // there is to do.
  void Add(uint32_t begin, uint32_t end, CornersOf corners_of,
           const Workers& workers);

  // False where it was cancelled.
  bool Run(const FarthestRun& run);

  // Requires that triangles were added, and a run.
  HausdorffResult result() const;

 private:
  // A part of a triangle: a triangle whose corners are exact points of it but
  // for an error.
  struct Part {
    double upper;  // of the distances of its points
    double error;
    double reach;  // the largest coordinate of the triangle, as a magnitude
    uint32_t id;
    uint64_t order;  // of its making: ties are broken by it
    Corners corners;

    // Whether `other` is to be looked at first: the order of a heap.
    bool operator<(const Part& other) const {
      if (upper != other.upper) return upper < other.upper;
      return order > other.order;
    }
  };

  // What becomes of a part.
  struct Halves {
    bool exist;  // not where the part is too small
    DistanceSample middle;
    std::array<Part, 2> parts;
  };

  // Nothing above this interests any more.
  double GoodEnough() const { return best_.lower + goal_.Slack(best_.lower); }
  Part PartOf(uint32_t id, const Corners& corners) const;
  double UpperBound(const Part& part, TraversalStatistics* statistics) const;
  // What the corners of a part are away from the triangle that is nearest to
  // its middle: of what lies on a surface, the one that it lies on.
  // What is no more than `enough` may be a little too much.
  double DistanceFromMiddle(const Part& part, double enough,
                            TraversalStatistics* statistics) const;
  Halves Halve(const Part& part, TraversalStatistics* statistics) const;
  void HalveAll(const FarthestRun& run);
  void TakeRound();
  void Keep(const Part& part);

  const Tree& tree_;
  FarthestGoal goal_;
  HausdorffResult best_;
  bool has_best_ = false;
  std::vector<Part> heap_;
  std::vector<Part> round_;  // taken from the heap together
  std::vector<Halves> halves_;
  uint64_t parts_made_ = 0;
  size_t halves_made_ = 0;
  double settled_upper_ = 0;  // of all parts that are not in the heap any more
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_FARTHEST_SEARCH_H_
