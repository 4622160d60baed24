// SPDX-License-Identifier: Apache-2.0

// Neighbours in a mesh: tests of a pair of its triangles, for the queries of a
// tree against itself (self_overlap.h, self_within.h). Private.
//
//   const SelfPairs pairs(tree.mesh(), SharedCorners::kByPosition);
//   if (!pairs.AreNeighbours({i, j}, a, b)) ...
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/shared_corners.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A number for each corner of a triangle, equal for equal vertices.
using CornerIds = std::array<uint32_t, 3>;
inline constexpr uint32_t kNoCorner = 0xffffffff;

// The set of triangles that overlap others, for a search that only needs this
// set. Such a search does not test a pair if both triangles are already in the
// set.
class OverlappingTriangles {
 public:
  explicit OverlappingTriangles(size_t count)
      : flags_(count), left_(kMostSkipped * count) {}

  void Add(TrianglePair ids) { flags_[ids.a] = flags_[ids.b] = true; }
  bool Contains(uint32_t id) const { return flags_[id]; }

  // Returns true if the pair adds no new triangle, and counts it as skipped.
  bool Skips(TrianglePair ids) {
    if (!flags_[ids.a] || !flags_[ids.b]) return false;
    if (left_ != 0) --left_;
    return true;
  }
  // Returns true if the search has skipped so many pairs that it should end.
  bool HasSkippedTooMany() const { return left_ == 0; }

 private:
  // Upper bound of skipped pairs per triangle. Ordinary surfaces have fewer.
  // More pairs, at a few nanoseconds each, would take longer than a build.
  static constexpr size_t kMostSkipped = 256;

  std::vector<bool> flags_;
  size_t left_;
};

// Facts that are known before a search.
struct SelfKnowledge {
  // For each triangle, the corners around which triangles are known to meet
  // only as neighbours (vertex_stars.h). The other corners are kNoCorner.
  // Requires SharedCorners::kByPosition.
  std::span<const CornerIds> simple;
  // If null, all pairs are found. Otherwise, only enough pairs to fill this
  // set.
  OverlappingTriangles* overlapping = nullptr;
};

class ORBOX_EXPORT SelfPairs {
 public:
  // The mesh, and the objects that `known` refers to, must outlive this object.
  SelfPairs(const Mesh& mesh, SharedCorners shared,
            const SelfKnowledge& known = {})
      : mesh_(mesh), shared_(shared), known_(known) {}

  OverlappingTriangles* overlapping() const { return known_.overlapping; }

  // Returns true if two triangles are known to meet only as neighbours. Does
  // not read their corners.
  bool AreKnownApart(TrianglePair ids) const {
    return !known_.simple.empty() &&
           HaveCommon(known_.simple[ids.a], known_.simple[ids.b]);
  }

  // Returns true if the triangles share a corner. Requires that `a` and `b` are
  // the triangles with these ids.
  bool AreNeighbours(TrianglePair ids, const Triangle& a,
                     const Triangle& b) const;

  // The relation of two triangles. Neighbours share a corner, strangers do not.
  // Neighbours overlap if they overlap beyond their shared corners, or if they
  // share all corners.
  enum class Kind { kStrangers, kNeighboursApart, kNeighboursOverlap };
  Kind KindOf(TrianglePair ids, const Triangle& a, const Triangle& b,
              ArithmeticCounts* counts) const;

  // Returns true if the triangles overlap, as neighbours or as strangers.
  bool Overlap(TrianglePair ids, const Triangle& a, const Triangle& b,
               ArithmeticCounts* counts) const;

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
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SELF_PAIRS_H_
