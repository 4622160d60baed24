// SPDX-License-Identifier: Apache-2.0

// Searches for a ball of a given radius inside two solids. Private: the one
// search behind thickness and kinds of clashes.
//
//   BallSearch search = BallSearch::Shared(a, b);
//   BallFound found = search.Find(radius, band, run);
//   if (found.ball) ...                        // certainly
//
// Move a ball that is inside both solids along a direction: in the end, a
// boundary stops it. So if any ball of this radius is inside both, one of them
// touches a face, an edge or a corner that faces the direction. Its centre is
// on a patch: the points at the distance of the radius from that face, edge or
// corner (ball_patch.h). The search chooses a direction that few triangles
// face, and is a branch and bound over the patches of these. It drops a patch
// - if its centre is nearer to a boundary than the radius, by more than the
//   reach of the patch;
// - if one triangle is nearer than the radius to all of the patch;
// - if all of the patch is outside of a solid, or would be if moved by the
//   radius along the normal of a near face. Then no point of the patch is as
//   deep as the radius.
// A patch is outside if no triangle overlaps it and one of its points is
// outside. This drops all patches between surfaces that lie on each other at
// once, plane or curved, of any size. Other patches are cut in two. If there is
// a plane on one side of which the nearest face drops the patch, the cut is
// there.
//
// For a sheet, which is open and has no inside, centres are on its triangles.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_BALL_SEARCH_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_BALL_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/internal/boundary_triangle.h"
#include "orbox/bvh/solids/internal/ball_patch.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct BallFound {
  // Certainly inside both, and larger than the radius.
  std::optional<Sphere> ball;
  // Without a ball: certainly there is none that is larger than the radius by
  // the band. Otherwise the search was given up.
  bool is_certain = true;
};

class BallSearch {
 public:
  // Where a search is given up.
  static constexpr size_t kMostPatches = 200'000;

  // The solids have to outlive the search.
  static BallSearch Shared(const Solid& a, const Solid& b);
  static BallSearch FirstOutsideSecond(const Solid& a, const Solid& b);
  // Balls inside the second solid, or outside of it, with centres on `sheet`.
  static BallSearch OnSheetInside(const Solid& sheet, const Solid& solid);
  static BallSearch OnSheetOutside(const Solid& sheet, const Solid& solid);

  // Everything sought is inside of this box.
  const Aabb& box() const { return box_; }
  // Smaller balls are not told from what is rounded.
  double LeastRadius() const { return 0x1p12 * error_; }

  // Requires LeastRadius() or more. `band` is relative. Gives up after so many
  // patches.
  BallFound Find(double radius, double band, const Execution& run,
                 size_t most_patches = kMostPatches);

  // A ball that Find may return, if it is found at once: one that touches a
  // face from inside, or two faces that meet. Most regions that are thicker
  // have one.
  std::optional<Sphere> Guess(double radius, double band, const Execution& run);

  // Where Find is certain that there is no ball, none is larger than this.
  double Excluded(double radius, double band) const;

  // A ball that is at least as large, found by moving its centre.
  Sphere Improved(const Sphere& ball);

 private:
  // A solid, or all that is outside of it, or a sheet.
  struct Part {
    const Solid* solid;
    bool is_outside = false;
    bool is_sheet = false;
    // Triangles that were near a patch, and the place of each triangle of the
    // mesh among them, plus 1.
    std::vector<BoundaryTriangle> triangles;
    std::vector<uint32_t> places;
    // Triangles near anything that is sought.
    std::vector<uint32_t> region_ids;
  };
  // Radii: a ball of more than `accepted` is an answer; balls are sought that
  // touch a boundary with the radius `touching`; a point that is less than
  // `dropped` deep is the centre of none.
  struct Goal {
    double accepted;
    double dropped;
    double touching;
  };
  struct Cell;
  struct Nearest;
  // For patches with the number of the part that their triangle belongs to.
  // Returns false to end the search.
  using TakeRoot = absl::FunctionRef<bool(const BallPatch&, size_t)>;
  class Roots;
  enum class Verdict { kNone, kBall, kUndecided };

  BallSearch(Part first, Part second, const Aabb& box);

  Goal GoalOf(double radius, double band) const;
  uint32_t PlaceOf(Part* part, uint32_t id);
  // Visits patches that together hold the centre of a ball, if there is one
  // whose centre is in the box. Returns false if the search was ended.
  bool ForEachRoot(const Goal& goal, const Aabb& centers, TakeRoot take);
  void FindNear(const Aabb& box, size_t i, std::vector<uint32_t>* places);
  bool Contains(size_t i, const Vec3& p) const {
    return parts_[i].solid->IsInside(p) != parts_[i].is_outside;
  }
  Nearest NearestTo(const Vec3& p, size_t i,
                    const std::vector<uint32_t>& places) const;
  bool IsClearOf(const Cell& cell, size_t i, const Vec3& shift) const;
  const std::vector<uint32_t>& Near(const Goal& goal, Cell* cell, size_t i);
  // Tests whether no point of the cell is deep enough in a part: judged by the
  // distance and side of its center; or by where it is, moved out of the part.
  bool IsNone(const Goal& goal, Cell* cell, size_t i);
  bool IsNoneDeeper(const Goal& goal, const Cell& cell, size_t i) const;
  Verdict Judge(const Goal& goal, Cell* cell, Sphere* ball);
  bool Peel(const Goal& goal, Cell* cell) const;
  void Split(const Goal& goal, const Cell& cell,
             std::array<BallPatch, 2>* parts) const;

  std::array<Part, 2> parts_;
  Aabb box_;
  double error_ = 0;  // of a coordinate, or of a distance
};

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_BALL_SEARCH_H_
