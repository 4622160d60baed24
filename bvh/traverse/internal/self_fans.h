// SPDX-License-Identifier: Apache-2.0

// Fans: very many triangles around one vertex, as in the cap of a cylinder that
// meets in its middle. All their boxes overlap at that vertex, so a search of a
// tree against itself would visit each pair. But most of these pairs have only
// that vertex in common, which is not an overlap (self_pairs.h).
//
//   const SelfFans fans(tree);
//   if (fans.MeetOnlyAtApex(a, b)) ...      // all below a, with all below b
//   if (fans.ShareApex(a, b)) ...           // neighbours, all of them
//
// The triangles below a node or in a leaf are in a fan if all of them have the
// vertex. Seen from there, they are in a cone of directions. Convex cones that
// are separate meet only at the vertex. O(n). Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SELF_FANS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SELF_FANS_H_

#include <cstdint>
#include <vector>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class SelfFans {
 public:
  // Empty if no vertex has many triangles. May throw std::bad_alloc.
  explicit SelfFans(const Tree& tree);

  bool empty() const { return nodes_.empty(); }

  // The triangles below a node, or in a leaf.
  struct Place {
    uint32_t index;
    bool is_leaf;
  };
  // Require that fans are not empty.
  bool ShareApex(Place a, Place b) const {
    const Cone& s = ConeAt(a);
    return s.apex != kNone && s.apex == ConeAt(b).apex;
  }
  bool MeetOnlyAtApex(Place a, Place b) const {
    return ShareApex(a, b) && AreApart(ConeAt(a), ConeAt(b));
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  // The directions within `angle` of the axis contain those from the apex to
  // all other corners.
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
