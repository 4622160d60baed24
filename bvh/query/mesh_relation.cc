// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/mesh_relation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/query/inside.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/traverse/internal/box_gap.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

// Rays leave along x, so these are the coordinates of their plane.
constexpr size_t kAxisU = 1;
constexpr size_t kAxisV = 2;

// No moved vertex is outside of it.
Aabb BoundsOf(const PosedTree& t) {
  const Aabb& box = t.tree().mesh().bounds();
  if (!t.is_moved()) return box;
  constexpr double kMost = std::numeric_limits<double>::max();
  Aabb bounds;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& row = t.pose().rows[i];
    double lo = t.pose().translation[i];
    double hi = lo;
    double magnitude = std::abs(lo);
    for (size_t k = 0; k < 3; ++k) {
      const double p = row[k] * box.lo[k];
      const double q = row[k] * box.hi[k];
      lo += std::min(p, q);
      hi += std::max(p, q);
      magnitude += std::max(std::abs(p), std::abs(q));
    }
    if (!std::isfinite(magnitude)) {
      bounds.lo[i] = -kMost;
      bounds.hi[i] = kMost;
      continue;
    }
    // Seven roundings here and one of the vertex; and what underflows.
    const double error =
        magnitude * 0x1p-49 + 16 * std::numeric_limits<double>::denorm_min();
    bounds.lo[i] = std::max(lo - error, -kMost);
    bounds.hi[i] = std::min(hi + error, kMost);
  }
  return bounds;
}

bool Contains(const Aabb& box, const Vec3& p) {
  return Min(box.lo, p) == box.lo && Max(box.hi, p) == box.hi;
}

// On which side of the line from a to b, seen along x, is p when it is moved by
// (0, e, e^2) for an e that is as small as it takes? 0 where the line is a
// point. No such p is on any line: its ray passes no edge. (Edelsbrunner,
// Muecke, "Simulation of simplicity", 1990.)
int PerturbedSide(const Vec3& a, const Vec3& b, const Vec3& p) {
  const int side = Orient2d(a, b, p, kAxisU, kAxisV);
  if (side != 0) return side;
  if (a[kAxisV] != b[kAxisV]) return a[kAxisV] > b[kAxisV] ? 1 : -1;
  if (a[kAxisU] != b[kAxisU]) return b[kAxisU] > a[kAxisU] ? 1 : -1;
  return 0;
}

// Whether the perturbed ray from p along x crosses the triangle, which does not
// contain p.
bool IsCrossed(const Triangle& t, const Vec3& p) {
  const int turn = PerturbedSide(t.a, t.b, p);
  if (turn == 0 || PerturbedSide(t.b, t.c, p) != turn ||
      PerturbedSide(t.c, t.a, p) != turn) {
    return false;
  }
  // The normal's x has the sign of the turn.
  return Orient3d(t.a, t.b, t.c, p) == -turn;
}

// A mesh that may have an inside.
struct ClosedMesh {
  const PosedTree& surface;
  const MeshParts& parts;
  const Aabb bounds;

  // Requires a closed mesh and a point that is not on it.
  bool Contains(const Vec3& p, const QueryOptions& options) const;
};

bool ClosedMesh::Contains(const Vec3& p, const QueryOptions& options) const {
  if (!orbox::Contains(bounds, p)) return false;
  // In place, its triangles are those of the model: their tree tells.
  if (!surface.is_moved()) return IsInside(surface.tree(), p, options);
  // The ray as a mesh: a triangle that is a segment, as far as the bounds. One
  // triangle is not refused, unless there is no memory for it.
  const Mesh mesh = mesh_internal::MeshAccess::Of(
      std::vector<Vec3>{p, {bounds.hi.x, p.y, p.z}},
      std::vector<TriangleIndices>{{0, 1, 1}});
  const absl::StatusOr<Tree> ray = Build(mesh, {.threads = 1});
  if (!ray.ok()) throw std::bad_alloc();
  bool is_inside = false;
  for (const TrianglePair& pair : AllOverlaps(surface, *ray, options)) {
    if (IsCrossed(surface.triangle(pair.a), p)) is_inside = !is_inside;
  }
  return is_inside;
}

QueryOptions InOneThread(const QueryOptions& options) {
  return {.max_distance = options.max_distance,
          .statistics = options.statistics,
          .cancelled = options.cancelled};
}

// Which parts of a mesh are inside a solid.
struct Inside {
  bool any = false;
  bool all = true;
  // For an open mesh: some part is where the inside might be. None is inside.
  bool is_undefined = false;
};

Inside InsideOf(const ClosedMesh& mesh, const ClosedMesh& solid,
                const QueryOptions& options) {
  Inside inside;
  const Execution run(options);
  for (const uint32_t first : mesh.parts.first_triangles()) {
    run.CheckCancelled();
    // Parts do not cross the other surface: any point speaks for its part.
    const Vec3 p = mesh.surface.triangle(first).a;
    if (!solid.parts.is_closed()) {
      inside.is_undefined = inside.is_undefined || Contains(solid.bounds, p);
      inside.all = false;
      continue;
    }
    const bool is_inside = solid.Contains(p, options);
    inside.any = inside.any || is_inside;
    inside.all = inside.all && is_inside;
  }
  return inside;
}

// Whether their boxes are apart, so that neither has a part inside the other.
// False where nothing is to be found.
bool AreSideBySide(const PosedTree& a, const PosedTree& b,
                   const QueryOptions& options) {
  Execution(options).RequireValid();
  return a.tree().mesh().triangle_count() != 0 &&
         b.tree().mesh().triangle_count() != 0 && BoxGap(a, b) > 0;
}

}  // namespace

MeshRelation RelationOfMeshes(const PosedTree& a, const PosedTree& b,
                              const QueryOptions& options) {
  if (AnyOverlap(a, b, InOneThread(options))) return MeshRelation::kMeet;
  // Before all triangles are gone through to find the parts.
  if (AreSideBySide(a, b, options)) return MeshRelation::kApart;
  return RelationOfApartMeshes(a, MeshParts::Of(a.tree().mesh()), b,
                               MeshParts::Of(b.tree().mesh()), options);
}

MeshRelation RelationOfApartMeshes(const PosedTree& a, const MeshParts& a_parts,
                                   const PosedTree& b, const MeshParts& b_parts,
                                   const QueryOptions& options) {
  const Execution run(options);
  run.RequireValid();
  if (AreSideBySide(a, b, options)) return MeshRelation::kApart;
  const QueryOptions one = InOneThread(options);
  const ClosedMesh first{a, a_parts, BoundsOf(a)};
  const ClosedMesh second{b, b_parts, BoundsOf(b)};
  const Inside a_in_b = InsideOf(first, second, one);
  const Inside b_in_a = InsideOf(second, first, one);
  if (a_in_b.all && !b_in_a.any) return MeshRelation::kFirstInSecond;
  if (b_in_a.all && !a_in_b.any) return MeshRelation::kSecondInFirst;
  if (a_in_b.is_undefined || b_in_a.is_undefined) {
    return MeshRelation::kUndefined;
  }
  if (a_in_b.any || b_in_a.any) return MeshRelation::kSolidsOverlap;
  return MeshRelation::kApart;
}

}  // namespace orbox
