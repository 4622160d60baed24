// SPDX-License-Identifier: Apache-2.0

// Fans: triangles around one vertex of which there are very many, as in the cap
// of a cylinder that meets in its middle. All their boxes meet there, so that a
// tree against itself would come to each pair of them; but all that most of
// them have in common is that vertex, which is no overlap (self_pairs.h).
//
//   const SelfFans fans(tree);
//   if (fans.MeetOnlyAtApex(a, b)) ...      // all below a, with all below b
//   if (fans.ShareApex(a, b)) ...           // neighbours, all of them
//
// What is below a node or in a leaf is in a fan if all its triangles have the
// vertex. Seen from there they lie in a cone of directions; convex cones that
// are apart meet at the vertex alone. O(n). Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SELF_FANS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SELF_FANS_H_

#include <cstdint>
#include <vector>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class SelfFans {
 public:
  // Empty where no vertex has many triangles. May throw std::bad_alloc.
  explicit SelfFans(const Tree& tree);

  bool empty() const { return nodes_.empty(); }

  // What is below a node, or a leaf's triangles.
  struct Place {
    uint32_t index;
    bool is_leaf;
  };
  // Require fans that are not empty.
  bool ShareApex(Place a, Place b) const {
    const Cone& s = ConeAt(a);
    return s.apex != kNone && s.apex == ConeAt(b).apex;
  }
  bool MeetOnlyAtApex(Place a, Place b) const {
    return ShareApex(a, b) && AreApart(ConeAt(a), ConeAt(b));
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  // The directions within `angle` of the axis hold those from the apex to all
  // other corners.
  struct Cone {
    uint32_t apex = kNone;
    double angle = 0;
    Vec3 axis;
  };

  const Cone& ConeAt(Place place) const {
    return (place.is_leaf ? leaves_ : nodes_)[place.index];
  }
  static bool AreApart(const Cone& a, const Cone& b);

  Cone ConeOfLeaf(const Tree& tree, size_t leaf,
                  const std::vector<uint32_t>& valences) const;
  Cone FillBelow(const Tree& tree, uint32_t node);

  std::vector<Cone> nodes_;
  std::vector<Cone> leaves_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SELF_FANS_H_
