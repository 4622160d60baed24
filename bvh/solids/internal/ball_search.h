// SPDX-License-Identifier: Apache-2.0

// Searches for a ball of a given radius inside two solids. Private: the common
// search behind thickness and kinds of clashes.
//
//   BallSearch search = BallSearch::Shared(a, b);
//   BallFound found = search.Find(radius, band, run);
//   if (found.ball) ...                        // certainly
//
// Move a ball that is inside both solids along a direction until a boundary
// stops it. So if any ball of this radius is inside both, some such ball
// touches a face, an edge or a corner that faces the direction. Its centre is
// on a patch: the points at the distance of the radius from that face, edge or
// corner (ball_patch.h). The search chooses a direction that few triangles
// face, and is a branch and bound over the patches of these triangles. It drops
// a patch
// - if its centre is nearer to a boundary than the radius, by more than the
//   reach of the patch;
// - if one triangle is nearer than the radius to all of the patch;
// - if all of the patch is outside of a solid, or would be if moved by the
//   radius along the normal of a near face. Then no point of the patch is as
//   deep as the radius.
// A patch is outside if no triangle overlaps it and one of its points is
// outside. This drops all patches between coincident surfaces at once, plane or
// curved, of any size. Other patches are cut in two. The preferred cut is the
// plane beyond which the nearest face drops the patch. A search that needs many
// patches first drops triangles that no ball can touch (ball_touch.cc).
//
// For a sheet, an open mesh without an inside, centres are on its triangles.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_BALL_SEARCH_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_BALL_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/solids/internal/ball_patch.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct BallFound {
  // A ball that is certainly inside both solids, and larger than the radius.
  std::optional<Sphere> ball;
  // If there is no ball: true if certainly none is larger than the radius by
  // the band, false if the search gave up.
  bool is_certain = true;
};

class BallSearch {
 public:
  // Default number of patches after which a search gives up.
  static constexpr size_t kMostPatches = 200'000;

  // The solids must outlive the search.
  static BallSearch Shared(const Solid& a, const Solid& b);
  // Balls inside one solid.
  static BallSearch Inside(const Solid& solid);
  static BallSearch FirstOutsideSecond(const Solid& a, const Solid& b);
  // Balls inside the second solid, or outside of it, with centres on `sheet`.
  static BallSearch OnSheetInside(const Solid& sheet, const Solid& solid);
  static BallSearch OnSheetOutside(const Solid& sheet, const Solid& solid);

  // Contains all balls that the search can find.
  const Aabb& box() const { return box_; }
  // Smallest radius that rounding does not affect.
  double LeastRadius() const { return 0x1p12 * error_; }

  // Requires a radius of LeastRadius() or more. `band` is relative. Gives up if
  // the search takes more than `most_patches` patches.
  BallFound Find(double radius, double band, const Execution& run,
                 size_t most_patches = kMostPatches);

  // Returns a ball that Find may return, if a few candidates contain one: balls
  // that touch a face from inside, or two faces that intersect. Most regions
  // that are thicker contain such a ball.
  std::optional<Sphere> Guess(double radius, double band, const Execution& run);

  // If Find is certain that there is no ball, no ball is larger than this.
  double Excluded(double radius, double band) const;

  // Moves the centre to find a ball that is at least as large.
  Sphere Improved(const Sphere& ball);

 private:
  // A solid, the complement of a solid, or a sheet. A second side that is a
  // sheet has no effect.
  struct BallSide {
    const Solid* solid;
    bool is_outside = false;
    bool is_sheet = false;
    // Triangles that were near a patch. For each triangle of the mesh, its
    // position among them, plus 1, in blocks. A block is empty until one of its
    // triangles is near.
    std::vector<BoundaryTriangle> triangles;
    std::vector<std::vector<uint32_t>> places;
    // Triangles near the region of the search. If they are few, also their
    // places.
    std::vector<uint32_t> region_ids;
    std::vector<uint32_t> region_places;
  };
  // Radii. A ball larger than `accepted` is a result. The search is for balls
  // that touch a boundary with the radius `touching`. A point with a depth
  // below `dropped` is not the centre of a result.
  struct Goal {
    double accepted;
    double dropped;
    double touching;
  };
  // The triangle of a solid that is nearest to a point.
  struct Nearest {
    static constexpr uint32_t kNone = 0xffffffff;

    double distance = kInfinity;
    uint32_t place = kNone;
    bool is_inside = true;

    double depth() const { return is_inside ? distance : -distance; }
  };
  struct Cell;
  // Called with each patch and the number of the solid of its triangle. Returns
  // false to end the search.
  using TakeRoot = absl::FunctionRef<bool(const BallPatch&, size_t)>;
  class Roots;
  enum class Verdict { kNone, kBall, kUndecided };

  BallSearch(BallSide first, BallSide second, const Aabb& box);

  Goal GoalOf(double radius, double band) const;
  // Returns the signs with which normals of a side point inward; 0 for none.
  std::array<double, 2> SignsOf(size_t i) const;
  uint32_t PlaceOf(BallSide* side, uint32_t id);
  // Collects the triangles near the box.
  void FindRegion(const Aabb& box);
  // Drops triangles of the region that no ball inside both solids touches, if
  // it is easy to see (ball_touch.cc).
  void KeepTouchable(const Goal& goal, size_t i,
                     std::vector<uint32_t>* ids) const;
  // Visits patches that together contain the centre of a ball, if a ball with a
  // centre in the box exists. Returns false if `take` ended the search.
  bool ForEachRoot(const Goal& goal, const Aabb& centers, TakeRoot take);
  // Finds the triangles near a box, among those of the region or in the tree.
  void FindNear(const Aabb& box, size_t i, std::vector<uint32_t>* places);
  void FindNearInTree(const Aabb& box, size_t i, std::vector<uint32_t>* places);
  bool Contains(size_t i, const Vec3& p) const {
    return sides_[i].solid->IsInside(p) != sides_[i].is_outside;
  }
  Nearest NearestTo(const Vec3& p, size_t i,
                    const std::vector<uint32_t>& places) const;
  bool IsClearOf(const Cell& cell, size_t i, const Vec3& shift) const;
  const std::vector<uint32_t>& Near(const Goal& goal, Cell* cell, size_t i);
  // Tests whether no point of the cell is deep enough in side `i`. IsNone
  // decides by the distance and side of the cell's centre, IsNoneDeeper by a
  // cell that is moved out of that side.
  bool IsNone(const Goal& goal, Cell* cell, size_t i);
  bool IsNoneDeeper(const Goal& goal, const Cell& cell, size_t i) const;
  Verdict Judge(const Goal& goal, Cell* cell, Sphere* ball);
  bool Peel(const Goal& goal, Cell* cell) const;
  void Split(const Goal& goal, const Cell& cell,
             std::array<BallPatch, 2>* parts) const;

  std::array<BallSide, 2> sides_;
  Aabb box_;
  double error_ = 0;  // of a coordinate, or of a distance
};

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_BALL_SEARCH_H_
