// SPDX-License-Identifier: Apache-2.0

// Translations that free one mesh of another one, each of them checked, and the
// shortest of those found. Private: the upper bound of penetration.h.
//
//   WayOut way_out(a, b, run);
//   const std::vector<TrianglePair> pairs = way_out.OverlapsOf(a);
//   way_out.TryDirections(directions, pairs);
//   way_out.PushOut(pairs);
//   way_out.Shorten();
//   if (way_out.best()) Move(*way_out.best());
//
// A pair of triangles is apart wherever a plane between them is, so that each
// pair bounds the translation along a normal, linearly. TryDirections goes
// along one direction until all pairs are apart. PushOut takes the shortest
// translation that satisfies the bounds of all pairs that meet, again and
// again: out of a corner, it is a sum of normals. Shorten starts from a way
// that is known, with the bounds of the pairs that touch there, and adds those
// of pairs that it runs into: the result cannot be shortened a little (after
// Je, Tang, Lee, Lee and Kim, "PolyDepth: Real-Time Penetration Depth
// Computation Using Iterative Contact-Space Projection", 2012).
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_WAY_OUT_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_WAY_OUT_H_

#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/mesh_relation.h"
#include "orbox/bvh/solids/internal/shortest_translation.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class WayOut {
 public:
  // Each direction that it tries is a unit of the progress. Refers to all but
  // the rule.
  WayOut(const PosedTree& a, const PosedTree& b, const Execution& run,
         InsideRule rule, Progress& progress);

  // Options of a query that is a part of this search.
  QueryOptions Options() const;

  // All pairs that overlap.
  std::vector<TrianglePair> OverlapsOf(const PosedTree& a) const;
  bool IsApart(const PosedTree& a) const;

  // Unit vectors. `pairs` are those that meet. Tries the most promising first.
  void TryDirections(std::span<const Vec3> directions,
                     std::span<const TrianglePair> pairs);
  // To beyond a plane between the meshes.
  void TryPlane(const Vec3& direction);
  void PushOut(std::span<const TrianglePair> pairs);
  void Shorten();

  // The shortest way that was verified: the first mesh moved by it, rounded as
  // poses are, does not meet the second, and neither is inside the other.
  const std::optional<Vec3>& best() const { return best_; }
  // `a` moved by a way; nothing where that leaves the range of numbers.
  std::optional<PosedTree> MovedBy(const Vec3& translation) const;

 private:
  struct Course;
  // Axes along which a pair may be parted.
  enum class Axes { kFaces, kAll };

  double BestLength() const;
  void Accept(const Vec3& translation);
  // From which way on all pairs are apart.
  double WayApart(const Course& course,
                  std::span<const TrianglePair> pairs) const;
  void TryPlane(const Course& course);
  void TrySteps(const Course& course, std::vector<TrianglePair> pairs);
  void PushOut(std::vector<TrianglePair> pairs, Axes axes);
  void ShortenFrom(Vec3 from);
  // The bounds of pairs: the planes that part them best at `at`.
  void AddBounds(std::span<const TrianglePair> pairs, const Vec3& at, Axes axes,
                 std::vector<TranslationBound>* bounds) const;

  const PosedTree& a_;
  const PosedTree& b_;
  const std::vector<Vec3> a_vertices_;
  const std::vector<Vec3> b_vertices_;
  const MeshParts a_parts_;
  const MeshParts b_parts_;
  const Execution& run_;
  const InsideRule rule_;
  Progress& progress_;
  // Touching is meeting: more than what coordinates round to.
  double margin_;
  std::vector<Vec3> ways_;  // verified
  std::optional<Vec3> best_;
};

// Unit normal of a triangle; zero without an area.
Vec3 UnitNormal(const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_WAY_OUT_H_
