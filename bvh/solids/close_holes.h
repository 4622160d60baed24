// SPDX-License-Identifier: Apache-2.0

// Closes the holes of a mesh, so that it has an inside.
//
//   absl::StatusOr<ClosedHoles> closed = CloseHoles(mesh, 0.05);
//   if (!closed.ok()) return closed.status();
//   if (closed->holes > 0) Report(closed->holes);   // the mesh has an inside
//   absl::StatusOr<Tree> tree = Build(closed->mesh);
//
// A hole is a loop of edges that an odd number of triangle sides use. All holes
// are closed or none: if a single hole remains, the mesh has no inside. They
// are closed if
// - each loop is shorter than `longest` and has at most 256 edges, and
// - in each connected component, the caps are at most half as large as the
//   component's triangles. So an open sheet remains open, however small: it is
//   no solid with a hole. A pipe that is open at both ends is closed if it is
//   at least as long as its diameter.
// A cap consists of triangles between the vertices of its loop, with the
// smallest area. Ids of triangles and vertices of the mesh remain, and ids from
// mesh.triangle_count() on are triangles of caps. Caps face the way of the
// triangles around them. They may cross the mesh if a loop is far from plane.
//
// Clash detection closes holes by the option `close_holes` (clash.h). There,
// caps serve to decide what is inside, and are no surface.
//
// Cost: O(n), a build of a tree, and the cube of the edges of each loop. The
// result is stored in the mesh. Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_CLOSE_HOLES_H_
#define ORBOX_BVH_SOLIDS_CLOSE_HOLES_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

struct ClosedHoles {
  Mesh mesh;         // with the caps; the input if holes is 0
  size_t holes = 0;  // number of loops that were closed
};

// The lengths of loops are those of the mesh moved by `pose`; the result is not
// moved. Errors: kInvalidArgument if `longest` is negative or NaN;
// kResourceExhausted if memory runs out.
ORBOX_EXPORT absl::StatusOr<ClosedHoles> CloseHoles(
    const Mesh& mesh, double longest, const Pose& pose = Pose::Identity());

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_CLOSE_HOLES_H_
