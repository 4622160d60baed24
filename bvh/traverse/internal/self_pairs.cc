// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/self_pairs.h"

#include <algorithm>
#include <cstddef>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

CornerSet CommonIndices(const Mesh& mesh, TrianglePair ids) {
  const TriangleIndices& a = mesh.triangles()[ids.a];
  const TriangleIndices& b = mesh.triangles()[ids.b];
  CornerSet common;
  for (const uint32_t i : a) {
    if (i == b[0] || i == b[1] || i == b[2]) common.Add(mesh.vertices()[i]);
  }
  return common;
}

// Returns the number of different corners.
size_t CornerCount(const Triangle& t) {
  if (t.a == t.b) return t.b == t.c ? 1 : 2;
  return t.c == t.a || t.c == t.b ? 2 : 3;
}

}  // namespace

bool SelfPairs::AreNeighbours(TrianglePair ids, const Triangle& a,
                              const Triangle& b) const {
  if (shared_ == SharedCorners::kByPosition) {
    return CommonCorners(a, b).size() != 0;
  }
  const TriangleIndices& s = mesh_.triangles()[ids.a];
  const TriangleIndices& t = mesh_.triangles()[ids.b];
  return std::find_first_of(s.begin(), s.end(), t.begin(), t.end()) != s.end();
}

SelfPairs::Kind SelfPairs::KindOf(TrianglePair ids, const Triangle& a,
                                  const Triangle& b,
                                  ArithmeticCounts* counts) const {
  const CornerSet shared = shared_ == SharedCorners::kByPosition
                               ? CommonCorners(a, b)
                               : CommonIndices(mesh_, ids);
  if (shared.size() == 0) return Kind::kStrangers;
  if (shared.size() == CornerCount(a) && shared.size() == CornerCount(b)) {
    if (counts != nullptr) ++counts->by_double;
    return Kind::kNeighboursOverlap;
  }
  return OverlapsBeyond(a, b, shared.points(), counts)
             ? Kind::kNeighboursOverlap
             : Kind::kNeighboursApart;
}

bool SelfPairs::Overlap(TrianglePair ids, const Triangle& a, const Triangle& b,
                        ArithmeticCounts* counts) const {
  const Kind kind = KindOf(ids, a, b, counts);
  return kind == Kind::kStrangers ? Overlaps(a, b, counts)
                                  : kind == Kind::kNeighboursOverlap;
}

}  // namespace orbox
