// SPDX-License-Identifier: Apache-2.0

// Is there a ball of a given radius inside two solids? Private: the one search
// behind thickness and kinds of clashes.
//
//   BallSearch search(pair, BallSearch::Centers::kAnywhere);
//   BallFound found = search.Find(radius, band, run);
//   if (found.ball) ...                        // certainly
//
// Branch and bound over boxes of centres. A box is narrowed first: a ball of
// the radius in a solid that ends at a plane, as far as the ball may reach,
// has its centre at least a radius away from that plane. This leaves nothing of
// most boxes around faces that lie on each other, however large they are. What
// is left is dropped where
// - the depth in its middle and half its diagonal are less than the radius,
// - one triangle is nearer than the radius to all eight corners, or to those of
//   the part of a surface on which centres are, and so, as
//   distances from a convex set are convex, to all that is between them,
// - two triangles, on both sides, are together nearer than the diameter to all
//   eight corners,
// - what both solids have near it is between two planes that are nearer to each
//   other than the diameter, along the normal of a face nearby;
// and is cut in two otherwise, along a face if there is one.
#ifndef ORBOX_BVH_QUERY_INTERNAL_BALL_SEARCH_H_
#define ORBOX_BVH_QUERY_INTERNAL_BALL_SEARCH_H_

#include <cstddef>
#include <optional>

#include "orbox/bvh/query/internal/region_pair.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct BallFound {
  // Certainly inside both, in the model's space, and larger than the radius.
  std::optional<Sphere> ball;
  // Without a ball: certainly there is none that is larger than the radius by
  // the band. Otherwise the search was given up.
  bool is_certain = true;
};

class BallSearch {
 public:
  // Where centres may be: everywhere, or on the surface of the first solid,
  // which may be open; a ball then has to be inside the second alone.
  enum class Centers { kAnywhere, kOnFirstSurface };

  // Where a search is given up.
  static constexpr size_t kMostCells = 200'000;

  BallSearch(const RegionPair& pair, Centers centers)
      : pair_(pair), centers_(centers) {}

  // Smaller balls are not told from what is rounded.
  static double LeastRadius(const RegionPair& pair) {
    return 0x1p12 * pair.error();
  }

  // Requires LeastRadius or more. `band` is relative. Gives up after so many
  // cells.
  BallFound Find(double radius, double band, const Execution& run,
                 size_t most_cells = kMostCells) const;

  // Where Find is certain that there is no ball, none is larger than this.
  double Excluded(double radius, double band) const;

  // A ball that is at least as large, found by moving its centre.
  Sphere Improved(const Sphere& ball) const;

 private:
  struct Cell;
  struct Depth;
  class Queue;

  bool IsSheet(size_t i) const {
    return i == 0 && centers_ == Centers::kOnFirstSurface;
  }
  bool Narrow(double radius, Cell* cell) const;
  bool NarrowTo(const Aabb& reach, double radius, size_t i, Cell* cell) const;
  bool NarrowToSheet(Cell* cell) const;
  Depth DepthAt(const Vec3& p, size_t i, const RegionCell& cell) const;
  bool IsNearOneTriangle(const Cell& cell, size_t i, const Depth& depth,
                         double radius) const;
  bool IsBetweenTwoTriangles(const Cell& cell, const Vec3& c,
                             double radius) const;
  bool IsBetweenPlanes(const Cell& cell, const Vec3& n, double radius) const;
  double RadiusAt(const Vec3& p) const;

  const RegionPair& pair_;
  Centers centers_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_BALL_SEARCH_H_
