// SPDX-License-Identifier: Apache-2.0

// Neighbours in a mesh: what the queries of a tree against itself ask of a pair
// of its triangles (self_overlap.h, self_within.h). Private.
//
//   const SelfPairs pairs(tree.mesh(), SharedCorners::kByPosition);
//   if (!pairs.AreNeighbours({i, j}, a, b)) ...
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

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

// The triangles that overlap others, where a search is made for these alone: it
// tests no pair of two that are among them already.
class OverlappingTriangles {
 public:
  explicit OverlappingTriangles(size_t count)
      : flags_(count), left_(kMostPassedOver * count) {}

  void Add(TrianglePair ids) { flags_[ids.a] = flags_[ids.b] = true; }
  bool Contains(uint32_t id) const { return flags_[id]; }

  // Whether a pair tells nothing new.
  bool PassesOver(TrianglePair ids) {
    if (!flags_[ids.a] || !flags_[ids.b]) return false;
    if (left_ != 0) --left_;
    return true;
  }
  // Whether so many pairs were passed over that the search had better end.
  bool IsTired() const { return left_ == 0; }

 private:
  // Some for each triangle: more than any surface has, whose pairs would take
  // longer than a build (a few nanoseconds each).
  static constexpr size_t kMostPassedOver = 256;

  std::vector<bool> flags_;
  size_t left_;
};

// What a search need not find out, if anything.
struct SelfKnowledge {
  // For each triangle, around which of its corners triangles are known to meet
  // as neighbours only (vertex_stars.h), kNoCorner for the others. Requires
  // SharedCorners::kByPosition.
  std::span<const CornerIds> simple;
  // All pairs are found if this is null; else enough of them to fill it.
  OverlappingTriangles* overlapping = nullptr;
};

class SelfPairs {
 public:
  // The mesh, and what `known` refers to, have to live as long as this.
  SelfPairs(const Mesh& mesh, SharedCorners shared,
            const SelfKnowledge& known = {})
      : mesh_(mesh), shared_(shared), known_(known) {}

  OverlappingTriangles* overlapping() const { return known_.overlapping; }

  // Whether they are known to meet as neighbours only, before their corners are
  // looked at.
  bool AreKnownApart(TrianglePair ids) const {
    return !known_.simple.empty() &&
           HaveCommon(known_.simple[ids.a], known_.simple[ids.b]);
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
  const SelfKnowledge known_;
  mutable std::once_flag looked_for_fans_;
  mutable std::optional<SelfFans> fans_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_
