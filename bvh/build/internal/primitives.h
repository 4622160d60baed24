// SPDX-License-Identifier: Apache-2.0

// The primitives of a mesh's triangles.
//
//   WritePrimitives(mesh, {}, space, workers, primitives);
//
// Private. O(n).
#ifndef ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_
#define ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/primitive.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Writes the primitives of the triangles with these ids, or of all triangles if
// `ids` is empty.
void WritePrimitives(const Mesh& mesh, std::span<const uint32_t> ids,
                     const TreeSpace& space, const Workers& workers,
                     std::span<Primitive> primitives);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_
