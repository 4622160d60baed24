// SPDX-License-Identifier: Apache-2.0

// Closest triangles of two meshes that are far apart, or of a mesh and a point
// that is far from it. Private.
//
//   if (const auto far = FarSearch::Between(a, b)) {
//     std::optional<Witness> best = far->Closest({}, watch);
//   }
//
// Keys in double (far_view.h) order the pairs of volumes, because floats do not
// distinguish them. Candidate pairs of triangles are measured exactly, the
// nearest first, until no other pair can round to a smaller distance. For two
// meshes, the search starts with the point of each mesh that is farthest
// towards the other. The distance of these two points along the line of sight
// is a lower bound of all distances. This bound decides if the meshes are very
// far apart, or if their boxes face each other.
//
// Distances are correctly rounded. Among pairs at equal distance, the first one
// found is reported. It does not depend on the machine. Takes O(log n + pairs
// that doubles do not distinguish).
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_FAR_SEARCH_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_FAR_SEARCH_H_

#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/traverse/internal/far_view.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class FarSearch {
 public:
  // Returns a search under the conditions of FarView::Between.
  static std::optional<FarSearch> Between(const PosedTree& a,
                                          const PosedTree& b) {
    return Of(FarView::Between(a, b));
  }
  static std::optional<FarSearch> Between(const PosedTree& a, const Vec3& p) {
    return Of(FarView::Between(a, p));
  }
  static bool MayPay(const Tree& tree, const Vec3& p) {
    return FarView::MayPay(tree.space(), p);
  }

  struct Limits {
    // Not negative. A pair is reported only if its exact distance is at most
    // this.
    double max_distance = std::numeric_limits<double>::infinity();
    // A lower bound of all rounded distances.
    double least = 0;
  };
  // For a point, triangle b of the witness is 0.
  std::optional<Witness> Closest(const Limits& limits,
                                 const Watch& watch) const;

  // Returns the `wanted` triangles nearest to a point, sorted by distance, and
  // by id at equal distances.
  std::vector<Witness> Nearest(size_t wanted, double max_distance,
                               const Watch& watch) const;

  // Returns all pairs whose distance rounds to that of the meshes, in ascending
  // order.
  std::vector<TrianglePair> AllAt(double distance, const Watch& watch) const;

 private:
  class Frontier;
  class Best;
  class Tally;
  struct Candidate;
  struct Reach;

  explicit FarSearch(FarView view) : view_(std::move(view)) {}
  static std::optional<FarSearch> Of(std::optional<FarView> view) {
    if (!view) return std::nullopt;
    return FarSearch(*std::move(view));
  }

  // The farthest extent of a towards b, or of b towards a.
  Reach ReachOf(bool is_a, Tally* tally) const;

  template <typename Visitor>
  void VisitUpTo(const double& limit, Tally* tally, const Visitor& visit) const;

  Witness WitnessOf(const TrianglePair& triangles,
                    ArithmeticCounts* counts) const;
  bool IsWithin(const Witness& answer, double max_distance) const;

  FarView view_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_FAR_SEARCH_H_
