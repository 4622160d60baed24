// SPDX-License-Identifier: Apache-2.0

// Groups the faces of a mesh into smooth surfaces, as in a technical drawing.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_CREASES_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_CREASES_H_

#include <array>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::picture {

// Adds the three normals of each triangle. The normal of a corner is the
// area-weighted mean of the triangles around it whose normals differ by at most
// 30 degrees. Also adds the edges whose neighbours differ by more, or that do
// not have exactly two triangles. Vertices at equal positions count as one
// vertex. O(n log n).
void AddSmoothNormals(std::span<const Vec3> vertices,
                      std::span<const TriangleIndices> triangles,
                      std::vector<std::array<Vec3f, 3>>& normals,
                      std::vector<Segment>& creases);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_CREASES_H_
