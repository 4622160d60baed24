// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/mesh_relation.h"

#include <algorithm>
#include <cstddef>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/posed/internal/into_model.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/internal/components_inside.h"
#include "orbox/bvh/query/inside/internal/crossings.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/posed_box.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {
namespace {

// A mesh that may have an inside.
struct ClosedMesh {
  const PosedTree& surface;
  const MeshComponents& components;
  const Aabb bounds;
};

QueryOptions InOneThread(const QueryOptions& options) {
  return {.max_distance = options.max_distance,
          .statistics = options.statistics,
          .cancelled = options.cancelled,
          .inside = options.inside};
}

ComponentsInside InsideOf(const ClosedMesh& mesh, const ClosedMesh& solid,
                          const QueryOptions& options) {
  ComponentsInside inside;
  const Execution run(options);
  for (const uint32_t first : mesh.components.first_triangles()) {
    run.CheckCancelled();
    // Components do not cross the other surface, so any point decides for its
    // whole component.
    const Vec3 p = mesh.surface.triangle(first).a;
    if (!solid.components.is_closed()) {
      inside.is_undefined = inside.is_undefined || Contains(solid.bounds, p);
      inside.all = false;
      continue;
    }
    const bool is_inside =
        CrossingsFrom(solid.surface, p, run)
            .IsInside(solid.surface.tree().mesh(), options.inside);
    inside.any = inside.any || is_inside;
    inside.all = inside.all && is_inside;
  }
  return inside;
}

// Returns true if the boxes are apart, so that no component of one mesh is
// inside the other. Returns false if the query has to return nothing.
bool AreSideBySide(const PosedTree& a, const PosedTree& b,
                   const QueryOptions& options) {
  Execution(options).RequireValid();
  return a.tree().mesh().triangle_count() != 0 &&
         b.tree().mesh().triangle_count() != 0 && BoxGap(a, b) > 0;
}

}  // namespace

MeshRelation RelationOfMeshes(const PosedTree& a, const PosedTree& b,
                              const QueryOptions& options) {
  if (OverlapSearch(InOneThread(options)).Any({a, b})) {
    return MeshRelation::kMeet;
  }
  // Tested before all triangles are visited to find the components.
  if (AreSideBySide(a, b, options)) return MeshRelation::kApart;
  using mesh_internal::MeshAccess;
  const Workers polled(1, PollOf(Execution(options)));
  return RelationOfApartMeshes(
      a, MeshAccess::ComponentsOf(a.tree().mesh(), polled), b,
      MeshAccess::ComponentsOf(b.tree().mesh(), polled), options);
}

MeshRelation RelationOfApartMeshes(const PosedTree& a,
                                   const MeshComponents& a_components,
                                   const PosedTree& b,
                                   const MeshComponents& b_components,
                                   const QueryOptions& options) {
  const Execution run(options);
  run.RequireValid();
  if (AreSideBySide(a, b, options)) return MeshRelation::kApart;
  const QueryOptions one = InOneThread(options);
  const ClosedMesh first{a, a_components, BoundsOf(a)};
  const ClosedMesh second{b, b_components, BoundsOf(b)};
  return RelationBy(InsideOf(first, second, one), InsideOf(second, first, one));
}

}  // namespace orbox
