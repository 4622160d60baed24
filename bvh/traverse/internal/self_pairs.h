// SPDX-License-Identifier: Apache-2.0

// Neighbours in a mesh: what the queries of a tree against itself ask of a pair
// of its triangles (self_overlap.h, self_within.h). Private.
//
//   const SelfPairs pairs(tree.mesh(), SharedCorners::kByPosition);
//   if (!pairs.AreNeighbours({i, j}, a, b)) ...
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/internal/self_fans.h"
#include "orbox/bvh/traverse/self_options.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A number for each corner of a triangle, the same for the same vertex.
using CornerIds = std::array<uint32_t, 3>;
inline constexpr uint32_t kNoCorner = 0xffffffff;

class SelfPairs {
 public:
  // The mesh has to live as long as this. `simple`, if not empty, tells for
  // each triangle around which of its corners triangles are known to meet as
  // neighbours only (vertex_stars.h), kNoCorner for the others; it has to live
  // as long, and `shared` has to be by position.
  SelfPairs(const Mesh& mesh, SharedCorners shared,
            std::span<const CornerIds> simple = {})
      : mesh_(mesh), shared_(shared), simple_(simple) {}

  // Whether they are known to meet as neighbours only, before their corners are
  // looked at.
  bool AreKnownApart(TrianglePair ids) const {
    return !simple_.empty() && HaveCommon(simple_[ids.a], simple_[ids.b]);
  }

  // Whether the triangles share a corner. `a` and `b` are those of the ids.
  bool AreNeighbours(TrianglePair ids, const Triangle& a,
                     const Triangle& b) const;

  // What two triangles are to each other: neighbours share a corner, strangers
  // none. Neighbours overlap if they do beyond the corners that they share, or
  // share all.
  enum class Kind { kStrangers, kNeighboursApart, kNeighboursOverlap };
  Kind KindOf(TrianglePair ids, const Triangle& a, const Triangle& b,
              ArithmeticCounts* counts) const;

  // Whether they overlap, of either kind.
  bool Overlap(TrianglePair ids, const Triangle& a, const Triangle& b,
               ArithmeticCounts* counts) const;

  // The fans of the mesh's tree, found when first asked for; null where there
  // are none. May throw std::bad_alloc. Thread-safe.
  const SelfFans* FansOf(const Tree& tree) const;

 private:
  static bool HaveCommon(const CornerIds& a, const CornerIds& b) {
    for (const uint32_t id : a) {
      const bool is_in_b = id == b[0] || id == b[1] || id == b[2];
      if (is_in_b && id != kNoCorner) return true;
    }
    return false;
  }

  const Mesh& mesh_;
  const SharedCorners shared_;
  const std::span<const CornerIds> simple_;
  mutable std::once_flag looked_for_fans_;
  mutable std::optional<SelfFans> fans_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_
