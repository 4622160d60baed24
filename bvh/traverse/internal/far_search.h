// SPDX-License-Identifier: Apache-2.0

// Which triangles are closest, of two meshes that are far apart, or of a mesh
// and a point far from it?
//
//   if (const auto far = FarSearch::Between(a, b)) {
//     std::optional<FarSearch::Answer> best = far->Closest(max_distance);
//   }
//
// Seen from afar, distances differ by less than the float volumes of a tree are
// off: by the size of the meshes over the distance. So volumes are compared by
// how much nearer they are than a reference distance L, that of the meshes'
// centers: for points a' and b' relative to these centers, with
// d = a' - b' and u the direction from b's center to a's,
//   |D + d| - L = (2 L (u d) + |d|^2) / (|D + d| + L),
// which doubles hold to within 2^-50 of the meshes' sizes, however large L is.
// Pairs of triangles that this leaves are measured exactly, the nearest first,
// until none of the others can round to less.
//
// The distance is correctly rounded. Of pairs at the same distance, the one is
// reported that the keys in double put first: the same on every machine. Takes
// O(log n + pairs that doubles do not tell apart).
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_FAR_SEARCH_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_FAR_SEARCH_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class FarSearch {
 public:
  // Nothing unless the two are so far apart that this search pays, and their
  // sizes and distance allow for squares in double.
  static std::optional<FarSearch> Between(const PosedTree& a,
                                          const PosedTree& b);
  static std::optional<FarSearch> Between(const PosedTree& a, const Vec3& p);

  // Whether Between may have a search for the two: a few operations.
  static bool MayPay(const Tree& tree, const Vec3& p) {
    constexpr double kNear = 64;  // tree space ends at 1
    return MaxCoordinate(Abs(tree.space().FromModel(p))) > kNear;
  }

  struct Answer {
    double distance = 0;
    TrianglePair triangles;  // b is 0 for a point
    Vec3 on_a;
    Vec3 on_b;
  };
  // Nothing where the exact distance is above `max_distance`, which is not
  // negative.
  std::optional<Answer> Closest(double max_distance,
                                TraversalStatistics* statistics) const;

 private:
  // One of the two: a mesh, or a point. Lengths are in units of both sizes
  // together, a power of two.
  struct Side {
    std::optional<PosedTree> tree;  // none for a point
    Vec3 center;                    // in the world
    double radius = 0;              // of all of it around the center
    // What the posed vertices and the volumes may be off by.
    double slack = 0;
  };
  // What is below a node, or in a leaf: a ball around `center`, which is
  // relative to the side's, and how far it reaches along the direction.
  struct Part {
    Vec3 center;
    double radius = 0;
    double reach = 0;
    uint32_t index = 0;
    int depth = 0;  // of the node
    bool is_leaf = false;
  };
  struct Entry;
  struct Candidate;
  struct Nearness;

  FarSearch(const Side& a, const Side& b);

  static Side SideOf(const PosedTree& tree);
  Part Whole(const Side& side) const;
  std::vector<Part> Children(const Side& side, const Part& part) const;
  // The posed triangles of a leaf, relative to the side's center; their ids.
  size_t TrianglesOf(const Side& side, const Part& leaf, Triangle* triangles,
                     uint32_t* ids) const;
  Triangle PosedTriangle(const Side& side, uint32_t id) const;
  Part Around(const Triangle& triangle) const;

  // A lower bound of |D + d| - L for d = a' - b', a' and b' in the parts.
  double LowerKey(const Part& a, const Part& b) const;
  double KeyOf(const Vec3& difference) const;
  double KeyFor(double along, double square_aside) const;

  void VisitLeaves(const Part& a, const Part& b, Nearness* nearness) const;
  std::optional<Answer> Measure(std::vector<Candidate> candidates,
                                double max_distance,
                                TraversalStatistics* statistics) const;
  Answer AnswerOf(const TrianglePair& triangles,
                  ArithmeticCounts* counts) const;
  bool IsWithin(const Answer& answer, double max_distance) const;
  bool IsCertainlyFarther(double key, double distance) const;

  Side a_;
  Side b_;
  double unit_ = 1;
  double inverse_unit_ = 1;
  Vec3 direction_;
  // L in the world, and in units.
  DoubleDouble length_;
  double length_in_units_ = 0;
  double error_ = 0;  // of keys, in units
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_FAR_SEARCH_H_
