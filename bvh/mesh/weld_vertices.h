// SPDX-License-Identifier: Apache-2.0

// Joins vertices that are close to each other, so that triangles with narrow
// gaps between them share edges.
//
//   absl::StatusOr<WeldedMesh> welded = WeldVertices(mesh, 0.01);
//   if (!welded.ok()) return welded.status();
//   if (IsClosed(welded->mesh)) ...             // all gaps were that narrow
//
// Vertices are taken in their order. A vertex at most the distance from
// vertices that stay moves to the first of these; otherwise it stays itself.
// So
// - no vertex moves farther than the distance, also in a chain of close ones;
// - vertices that stay are farther apart than the distance;
// - the second and third of a chain may stay apart although they are close: of
//   x = 0, 0.8, 1.6 with the distance 1, the second moves to the first and the
//   third stays.
// The test of a distance is exact, and the result depends only on the mesh and
// the distance. A distance of 0 joins vertices with equal coordinates.
//
// Narrow gaps close for a distance of at least their width. A distance close to
// the length of edges destroys detail.
#ifndef ORBOX_BVH_MESH_WELD_VERTICES_H_
#define ORBOX_BVH_MESH_WELD_VERTICES_H_

#include <cstddef>
#include <optional>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct WeldedMesh {
  // The triangles of the original mesh with their ids. Its vertices are those
  // that stay, in their order. Vertices of no triangle take no part and are
  // omitted.
  Mesh mesh;
  // Vertices that moved to other coordinates, and the first triangle with one.
  size_t moved = 0;
  size_t first_moved = 0;
  double largest_move = 0;  // distance, to within rounding
  // Triangles whose corners were distinct and are not any more, and the first
  // of them. They have no area, and are kept so that ids do not change.
  size_t collapsed = 0;
  size_t first_collapsed = 0;
};

// Returns kInvalidArgument if the distance is negative or not finite;
// kResourceExhausted if memory runs out. Expected O(n).
ORBOX_EXPORT absl::StatusOr<WeldedMesh> WeldVertices(const Mesh& mesh,
                                                     double distance);

// Returns a distance for which WeldVertices closes the mesh: its largest move,
// rounded up to two digits. None if the mesh is closed, or if no distance up to
// a thousandth of its diagonal closes it: it has holes then, not narrow gaps.
// Tries powers of ten times the diagonal, from 1e-9 upwards; the returned
// distance is tested, and need not be the smallest. O(n) for each.
ORBOX_EXPORT std::optional<double> DistanceThatCloses(const Mesh& mesh);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_WELD_VERTICES_H_
