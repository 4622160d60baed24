// The search for the point of some triangles that is farthest from a tree:
// hausdorff.h's branch and bound. Private.
//
//   FarthestSearch search(sampler, goal);
//   for (...) search.Witness(id, sample);      // all corners of all triangles
//   for (...) search.Add(id, {a, b, c});       // then what is between them
//   HausdorffResult result = search.Run();
#ifndef ORBOX_BVH_QUERY_FARTHEST_SEARCH_H_
#define ORBOX_BVH_QUERY_FARTHEST_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "orbox/bvh/query/hausdorff.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/vec3.h"

namespace orbox {

// A point and what of the tree is closest to it.
struct DistanceSample {
  Vec3 point;
  double distance = 0;  // correctly rounded
  uint32_t triangle = 0;
};

// Distances from a tree.
class DistanceSampler {
 public:
  DistanceSampler(const Tree& tree, TraversalStatistics* statistics)
      : tree_(tree), statistics_(statistics) {}

  const Tree& tree() const { return tree_; }
  TraversalStatistics* statistics() const { return statistics_; }

  // Cheaper where `near` is a sample that is near.
  DistanceSample At(const Vec3& p, const DistanceSample& near) const;

 private:
  const Tree& tree_;
  TraversalStatistics* statistics_;
};

// A sample that is near nothing.
inline constexpr DistanceSample kNoSample{
    {}, std::numeric_limits<double>::infinity(), 0};

// What to stop at.
struct FarthestGoal {
  double tolerance = 0;
  double relative_tolerance = 0;
  size_t max_parts = 0;

  // How far above `lower` nothing interests any more.
  double Slack(double lower) const;
};

class FarthestSearch {
 public:
  using Corners = std::array<DistanceSample, 3>;

  FarthestSearch(const DistanceSampler& sampler, const FarthestGoal& goal)
      : sampler_(sampler), goal_(goal) {}

  // Takes a point of the triangle for the farthest, if it is. `error` is how
  // far the point may be from one that is exactly on it.
  void Witness(uint32_t id, const DistanceSample& sample, double error = 0);

  // Looks for the farthest point in the triangle, too. Requires that its
  // corners were witnesses; the more of the others were, the less there is to
  // do.
  void Add(uint32_t id, const Corners& corners);

  // Requires that a triangle was added.
  HausdorffResult Run();

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

  double UpperBound(const Part& part, double good_enough) const;
  void Offer(Part part);
  bool Halve(const Part& part);

  const DistanceSampler& sampler_;
  FarthestGoal goal_;
  HausdorffResult best_;
  bool has_best_ = false;
  std::vector<Part> heap_;
  uint64_t parts_made_ = 0;
  size_t halves_made_ = 0;
  double settled_upper_ = 0;  // of all parts that are not in the heap any more
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_FARTHEST_SEARCH_H_
