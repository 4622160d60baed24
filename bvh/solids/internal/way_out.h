// SPDX-License-Identifier: Apache-2.0

// Finds translations that free one mesh of another one, checks each, and keeps
// the shortest. Private: the upper bound of penetration.h.
//
//   WayOut way_out(a, b, run);
//   const std::vector<TrianglePair> pairs = way_out.OverlapsOf(a);
//   way_out.TryDirections(directions, pairs);
//   way_out.PushOut(pairs);
//   way_out.Shorten();
//   if (way_out.best()) Move(*way_out.best());
//
// A pair of triangles is apart if a plane between them exists, so each pair
// gives a linear bound of the translation along a normal. TryDirections moves
// along one direction until all pairs are apart. PushOut repeats with the
// shortest translation that satisfies the bounds of all pairs that overlap. In
// a corner, that is a sum of normals. Shorten starts from a known translation
// with the bounds of the pairs that touch there, and adds those of pairs that
// it reaches: the result is a local minimum (after Je, Tang, Lee, Lee and Kim,
// "PolyDepth: Real-Time Penetration Depth Computation Using Iterative
// Contact-Space Projection", 2012).
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_WAY_OUT_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_WAY_OUT_H_

#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/solids/internal/shortest_translation.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class WayOut {
 public:
  // Each direction that is tried is a unit of the progress. Refers to all
  // arguments except the rule.
  WayOut(const PosedTree& a, const PosedTree& b, const Execution& run,
         InsideRule rule, Progress& progress);

  // Options of an inner query.
  QueryOptions Options() const;

  // Returns all pairs that overlap.
  std::vector<TrianglePair> OverlapsOf(const PosedTree& a) const;
  bool IsApart(const PosedTree& a) const;

  // Requires unit vectors. `pairs` are those that overlap. Tries the most
  // promising directions first.
  void TryDirections(std::span<const Vec3> directions,
                     std::span<const TrianglePair> pairs);
  // Tries the translation to beyond a plane between the meshes.
  void TryPlane(const Vec3& direction);
  void PushOut(std::span<const TrianglePair> pairs);
  void Shorten();

  // The shortest verified translation: moved by it, rounded like a pose, the
  // first mesh does not overlap the second, and neither is inside the other.
  const std::optional<Vec3>& best() const { return best_; }
  // Returns the moved `a`; nothing if the result leaves the range of numbers.
  std::optional<PosedTree> MovedBy(const Vec3& translation) const;

 private:
  struct Course;
  // Axes along which a pair may be separated.
  enum class Axes { kFaces, kAll };

  double BestLength() const;
  void Accept(const Vec3& translation);
  // Returns the distance from which on all pairs are apart.
  double WayApart(const Course& course,
                  std::span<const TrianglePair> pairs) const;
  void TryPlane(const Course& course);
  void TrySteps(const Course& course, std::vector<TrianglePair> pairs);
  void PushOut(std::vector<TrianglePair> pairs, Axes axes);
  void ShortenFrom(Vec3 from);
  // Adds the bounds of pairs: the planes that separate them best at `at`.
  void AddBounds(std::span<const TrianglePair> pairs, const Vec3& at, Axes axes,
                 std::vector<TranslationBound>* bounds) const;

  const PosedTree& a_;
  const PosedTree& b_;
  const std::vector<Vec3> a_vertices_;
  const std::vector<Vec3> b_vertices_;
  const MeshComponents a_components_;
  const MeshComponents b_components_;
  const Execution& run_;
  const InsideRule rule_;
  Progress& progress_;
  // Exceeds the rounding of coordinates, because touching counts as overlap.
  double margin_;
  std::vector<Vec3> ways_;  // verified
  std::optional<Vec3> best_;
};

// Returns the unit normal of a triangle; zero without an area.
Vec3 UnitNormal(const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_WAY_OUT_H_
