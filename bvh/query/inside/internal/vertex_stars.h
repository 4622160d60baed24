// SPDX-License-Identifier: Apache-2.0

// Simple vertices: vertices of a surface around which triangles overlap only as
// neighbours. The search for self-intersections skips most of its pairs because
// of them. Private.
//
//   std::vector<CornerIds> simple = SimpleCorners(mesh, ids, edges,
//   directions);
//
// The triangles around a vertex are its star. Suppose that, in the view along
// some direction, each of them turns counterclockwise around the vertex, and
// all of them together turn once. Then any two of them overlap only in the edge
// or vertex that they share. So counting the turns of a star replaces the tests
// of its pairs. A vertex is not simple if doubles leave a sign uncertain. O(n).
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_VERTEX_STARS_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_VERTEX_STARS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/inside/internal/surface_edges.h"
#include "orbox/bvh/traverse/internal/self_pairs.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Input of SimpleCorners: the id of each vertex and the number of ids, as for
// JoinEdges; for each id, a direction of any length for the projection of its
// star (0 excludes the star); and a power of two that scales differences of
// coordinates below 4.
struct SeenStars {
  std::span<const uint32_t> ids;
  std::span<const Vec3> directions;
  double scale;
};

// Returns the ids of the corners of each triangle. Corners whose stars are not
// certainly simple get kNoCorner (self_pairs.h).
std::vector<CornerIds> SimpleCorners(const Mesh& mesh,
                                     const SurfaceEdges& edges,
                                     const SeenStars& seen);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_VERTEX_STARS_H_
