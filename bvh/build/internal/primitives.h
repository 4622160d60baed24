// SPDX-License-Identifier: Apache-2.0

// The primitives of a mesh's triangles.
//
//   FreshArray<Primitive> primitives = PrimitivesOf(mesh, {}, space, workers);
//
// Private. O(n).
#ifndef ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_
#define ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/primitive.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Those of all triangles where `ids` is empty.
FreshArray<Primitive> PrimitivesOf(const Mesh& mesh,
                                   std::span<const uint32_t> ids,
                                   const TreeSpace& space,
                                   const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_
