// SPDX-License-Identifier: Apache-2.0

// How near is what is seen from afar: two meshes that are far apart, or a mesh
// and a point far from it, and parts of them. Private.
//
//   if (const auto view = FarView::Between(a, b)) {
//     FarView::Part parts[kLanes];
//     int count = view->OpenA(view->WholeOfA(), parts);
//     double key = view->LowerKey(parts[0], view->WholeOfB(), limit);
//   }
//
// Seen from afar, distances differ by less than the float volumes of a tree are
// off: by the size of the meshes over the distance. So volumes are compared by
// how much nearer they are than a reference distance L, that of the meshes'
// centers. For points a' and b' relative to these centers, with d = a' - b' and
// u the direction from b's center to a's, the key of the pair is
//   |D + d| - L = s + g^2 / (|D + d| + t),
// where s = u d, t = L + s, and g is the length of what of d is aside of u.
// Doubles hold it to within 2^-44 of the meshes' sizes, however large L is.
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
  // Nothing unless the two are so far apart that this pays, and their sizes and
  // distance allow for squares in double.
  static std::optional<FarView> Between(const PosedTree& a, const PosedTree& b);
  static std::optional<FarView> Between(const PosedTree& a, const Vec3& p);

  // Whether Between may have a view of the two: a few operations.
  static bool MayPay(const TreeSpace& space, const Vec3& p) {
    constexpr double kNear = 64;  // tree space ends at 1
    return MaxCoordinate(Abs(space.FromModel(p))) > kNear;
  }

  // What is below a node, or in a leaf, or a triangle: a ball around `center`,
  // which is relative to its mesh's, and how far it reaches along the
  // direction.
  struct Part {
    Vec3 center;
    double radius = 0;
    double low = 0;  // least of u x
    double high = 0;
    uint32_t index = 0;
    int16_t depth = 0;  // of the node
    bool is_leaf = false;
  };
  // The triangles of a leaf; of a point, just that.
  struct Triangles {
    size_t count = 0;
    uint32_t ids[kLanes];
    Part around[kLanes];
    // Corners relative to the mesh's center.
    Vec3 corners[kLanes][3];
    double along[kLanes][3];
  };

  Part WholeOfA() const { return WholeOf(a_); }
  Part WholeOfB() const { return WholeOf(b_); }

  // The children of a part that is no leaf; returns how many there are.
  int OpenA(const Part& part, Part (&children)[kLanes]) const {
    return Open(a_, part, children);
  }
  int OpenB(const Part& part, Part (&children)[kLanes]) const {
    return Open(b_, part, children);
  }
  VolumeKind KindOfA(const Part& part) const { return KindOf(a_, part); }
  VolumeKind KindOfB(const Part& part) const { return KindOf(b_, part); }

  void TrianglesOfA(const Part& leaf, Triangles* triangles) const {
    TrianglesOf(a_, leaf, triangles);
  }
  void TrianglesOfB(const Part& leaf, Triangles* triangles) const {
    TrianglesOf(b_, leaf, triangles);
  }

  // A lower bound of the keys of points of the two; some number above `limit`
  // where it is certain to be above that.
  double LowerKey(const Part& a, const Part& b, double limit) const;

  // A lower bound of u d alone.
  double LowerAlong(const Part& a, const Part& b) const {
    return a.low - b.high - error_;
  }

  // How far the middles of the two are from being in line.
  double Aside(const Part& a, const Part& b) const;

  // An upper bound of the least key of two triangles.
  double UpperKey(const Triangles& a, size_t i, const Triangles& b,
                  size_t j) const;

  // A lower bound, too, by the ball around a triangle and how far it reaches
  // from its middle: which of those that are equally far from a point is
  // reported, answers that are kept depend on.
  double MiddleKey(const Triangles& a, size_t i) const;

  // What keys are off by, at most. Bounds allow for it.
  double error() const { return error_; }

  // The double nearest to the distance that has the key, rounded down or up by
  // some: no distance with a key above rounds to less, none below to more.
  double RoundedDown(double key) const;
  double RoundedUp(double key) const;

  // A key that is above those of all distances that round to `distance` or
  // less.
  double KeyAbove(double distance) const;

  bool is_of_point() const { return !b_.tree.has_value(); }
  Triangle TriangleOfA(uint32_t id) const { return a_.tree->triangle(id); }
  Triangle TriangleOfB(uint32_t id) const { return b_.tree->triangle(id); }
  const Vec3& point() const { return b_.center; }

 private:
  // One of the two: a mesh, or a point. Lengths are in units of both sizes
  // together, a power of two.
  struct Side {
    std::optional<PosedTree> tree;  // none for a point
    Vec3 center;                    // in the world
    double radius = 0;              // of all of it around the center
    // What the posed vertices and the volumes may be off by.
    double slack = 0;
    double most_stretch = 1;  // of lengths, to units
    double to_units = 1;      // of the tree's space
    Vec3 direction;           // u as the tree's space sees it
  };

  FarView(Side a, Side b);

  static Side SideOf(const PosedTree& tree);
  static Part WholeOf(const Side& side);
  static VolumeKind KindOf(const Side& side, const Part& part) {
    return side.tree->tree().node(part.index).kind;
  }
  int Open(const Side& side, const Part& part, Part (&children)[kLanes]) const;
  void TrianglesOf(const Side& side, const Part& leaf,
                   Triangles* triangles) const;

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
