// SPDX-License-Identifier: Apache-2.0

// Distances as seen from far away: of two meshes that are far apart, or of a
// mesh and a point far from it, and of their subtrees. Private.
//
//   if (const auto view = FarView::Between(a, b)) {
//     FarView::FarVolume parts[kLanes];
//     int count = view->Expand(view->a(), view->WholeOf(view->a()), parts);
//     double key = view->LowerKey(parts[0], view->WholeOf(view->b()), limit);
//   }
//
// From far away, distances differ by less than the error of a tree's float
// volumes. So volumes are compared by the difference of their distance from a
// reference distance L, the distance of the meshes' centers. For points a' and
// b' relative to these centers, with d = a' - b' and u the direction from b's
// center to a's, the key of the pair is
//   |D + d| - L = s + g^2 / (|D + d| + t),
// where s = u d, t = L + s, and g is the length of d's component perpendicular
// to u. Doubles represent the key within 2^-44 of the meshes' sizes, for any L.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_FAR_VIEW_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_FAR_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class FarView {
 public:
  // Returns a view. Returns nullopt if the two are not so far apart that a view
  // is worthwhile, or if squares of their sizes and distance are out of the
  // range of double.
  static std::optional<FarView> Between(const PosedTree& a, const PosedTree& b);
  static std::optional<FarView> Between(const PosedTree& a, const Vec3& p);

  // Returns true if Between may return a view of the two. Takes a few
  // operations.
  static bool MayPay(const TreeSpace& space, const Vec3& p) {
    constexpr double kNear = 64;  // tree space ends at 1
    return MaxCoordinate(Abs(space.FromModel(p))) > kNear;
  }

  // A volume: the triangles below a node, those of a leaf, or one triangle. It
  // has a ball around `center`, which is relative to the center of the mesh,
  // and its extent along the direction.
  struct FarVolume {
    Vec3 center;
    double radius = 0;
    double low = 0;  // least of u x
    double high = 0;
    uint32_t index = 0;
    int16_t depth = 0;  // depth of the node
    bool is_leaf = false;
  };
  // The triangles of a leaf. For a point, only that point.
  struct Triangles {
    size_t count = 0;
    uint32_t ids[kLanes];
    FarVolume around[kLanes];
    // Corners, relative to the center of the mesh.
    Vec3 corners[kLanes][3];
    double along[kLanes][3];
  };

  // One of the two: a mesh or a point. Lengths are in units of the sum of both
  // sizes, rounded to a power of two.
  struct Side {
    std::optional<PosedTree> tree;  // none if the side is a point
    Vec3 center;                    // in the world
    double radius = 0;  // of a ball around the center that contains the mesh
    // Error bound of posed vertices and of volumes.
    double slack = 0;
    double most_stretch = 1;  // of lengths, to units
    double to_units = 1;      // of the tree's space
    Vec3 direction;           // u in the tree's space
  };
  const Side& a() const { return a_; }
  const Side& b() const { return b_; }

  static FarVolume WholeOf(const Side& side);
  // Writes the children of a volume that is not a leaf. Returns their number.
  int Expand(const Side& side, const FarVolume& part,
             FarVolume (&children)[kLanes]) const;
  static VolumeKind KindOf(const Side& side, const FarVolume& part) {
    return side.tree->tree().node(part.index).kind;
  }
  void TrianglesOf(const Side& side, const FarVolume& leaf,
                   Triangles* triangles) const;

  // Returns a lower bound of the keys of pairs of points of the two. If it is
  // certainly above `limit`, may return any number above `limit`.
  double LowerKey(const FarVolume& a, const FarVolume& b, double limit) const;

  // Returns a lower bound of u d.
  double LowerAlong(const FarVolume& a, const FarVolume& b) const {
    return a.low - b.high - error_;
  }

  // Returns the distance between the centers of the two, measured at right
  // angles to the line of sight.
  double Aside(const FarVolume& a, const FarVolume& b) const;

  // Returns an upper bound of the least key of two triangles.
  double UpperKey(const Triangles& a, size_t i, const Triangles& b,
                  size_t j) const;

  // Returns a lower bound of a triangle's key, computed from the ball around
  // the triangle and its extent from the middle. Its value must not change: it
  // decides which of several equally distant triangles is reported, and stored
  // results depend on that.
  double MiddleKey(const Triangles& a, size_t i) const;

  // Error bound of keys. All bounds allow for it.
  double error() const { return error_; }

  // Return a double near the distance with this key, rounded down or up. No
  // distance with a larger key rounds to less than RoundedDown. No distance
  // with a smaller key rounds to more than RoundedUp.
  double RoundedDown(double key) const;
  double RoundedUp(double key) const;

  // Returns a key above those of all distances that round to `distance` or
  // less.
  double KeyAbove(double distance) const;

  bool is_of_point() const { return !b_.tree.has_value(); }

 private:
  FarView(Side a, Side b);

  static Side SideOf(const PosedTree& tree);
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

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_FAR_VIEW_H_
