// SPDX-License-Identifier: Apache-2.0

// The holes of an open mesh: loops of edges that an odd number of triangle
// sides use. Closes them with triangles between their vertices. Private.
//
//   const MeshHoles holes(mesh);                       // O(n)
//   if (holes.LongestAt(mesh, pose) < longest) closed = holes.Close(mesh);
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_MESH_HOLES_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_MESH_HOLES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

class MeshHoles {
 public:
  // The search for the smallest caps takes the cube of a loop's edges.
  static constexpr size_t kMostEdges = 256;
  // Caps of a component are at most this fraction of its area. An open sheet is
  // as large as its cap, and a bowl less than twice as large.
  static constexpr double kLargestCaps = 0.5;

  // Finds the loops. No loop passes through a vertex twice. Vertices with equal
  // coordinates are one.
  explicit MeshHoles(const Mesh& mesh);

  size_t count() const { return loops_.size(); }

  // Returns the length of the longest loop of the moved mesh; 0 without loops.
  // Infinity if a loop has more than kMostEdges edges.
  double LongestAt(const Mesh& mesh, const Pose& pose) const;

  // Returns the mesh with caps after its own triangles, each of the smallest
  // area. The vertices are those of the mesh. Returns nothing if there are no
  // loops, if a loop or a cap is too large, or if the mesh would be too large.
  std::optional<Mesh> Close(const Mesh& mesh) const;

 private:
  // Vertices of each loop, in the direction in which a cap uses its edges.
  std::vector<std::vector<uint32_t>> loops_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_MESH_HOLES_H_
