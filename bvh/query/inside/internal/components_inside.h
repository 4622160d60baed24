// SPDX-License-Identifier: Apache-2.0

// Position of a mesh's components relative to a solid whose surface they do not
// cross, and the relation of two meshes by it (mesh_relation.h). Private.
//
//   MeshRelation r = RelationBy(a_in_b, b_in_a);
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_COMPONENTS_INSIDE_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_COMPONENTS_INSIDE_H_

#include "orbox/bvh/query/inside/mesh_relation.h"

namespace orbox {

struct ComponentsInside {
  bool any = false;
  bool all = true;
  // True if the solid is an open mesh and its bounds contain a component. Then
  // no component counts as inside.
  bool is_undefined = false;
};

inline MeshRelation RelationBy(const ComponentsInside& a_in_b,
                               const ComponentsInside& b_in_a) {
  if (a_in_b.all && !b_in_a.any) return MeshRelation::kFirstInSecond;
  if (b_in_a.all && !a_in_b.any) return MeshRelation::kSecondInFirst;
  if (a_in_b.is_undefined || b_in_a.is_undefined) {
    return MeshRelation::kUndefined;
  }
  if (a_in_b.any || b_in_a.any) return MeshRelation::kSolidsOverlap;
  return MeshRelation::kApart;
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_COMPONENTS_INSIDE_H_
