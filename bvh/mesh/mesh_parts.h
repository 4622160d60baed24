// SPDX-License-Identifier: Apache-2.0

// The connected parts of a mesh, and whether it encloses a solid.
//
//   const MeshParts parts = MeshParts::Of(mesh);
//   if (parts.is_closed()) ...                       // it has an inside
//   for (uint32_t first : parts.first_triangles()) ...
//   std::vector<Mesh> pieces = SplitIntoParts(mesh);  // a mesh for each
//   const SurfaceFacts facts = FactsOfSurface(mesh);
//   if (facts.boundary_loops > 0) ...                // it has holes
//
// Two triangles are in one part if a chain of triangles connects them in which
// each shares a corner with the next. Corners are the same if their coordinates
// are equal. Immutable; thread-safe. Of() is O(n) once, and then O(parts):
// meshes and their copies remember.
#ifndef ORBOX_BVH_MESH_MESH_PARTS_H_
#define ORBOX_BVH_MESH_MESH_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT MeshParts {
 public:
  static MeshParts Of(const Mesh& mesh);

  // As IsClosed (mesh.h), for all parts together.
  bool is_closed() const { return is_closed_; }

  // The lowest triangle of each part, ascending.
  std::span<const uint32_t> first_triangles() const { return first_triangles_; }

 private:
  bool is_closed_ = false;
  std::vector<uint32_t> first_triangles_;
};

// The parts as meshes of their own, by their lowest triangles. The triangles
// and vertices of each are in the order of the mesh; vertices of no triangle
// are left out. A mesh of one part shares its memory with that. O(n).
ORBOX_EXPORT std::vector<Mesh> SplitIntoParts(const Mesh& mesh);

// Properties of a surface that matter for repair.
struct SurfaceFacts {
  size_t parts = 0;  // as MeshParts has them
  // Edges of one triangle, and how many sets of them hang together by their
  // ends: the rims of holes and of sheets.
  size_t boundary_edges = 0;
  size_t boundary_loops = 0;
  size_t non_manifold_edges = 0;  // of three triangles or more
  double area = 0;                // of all triangles, to within rounding
  // inside_rule.h: the mesh is closed, and its edges are used both ways alike.
  bool do_faces_agree = false;
  // The winding number summed over space, to within rounding, where faces
  // agree; else 0. That is the volume inside if no parts overlap and cavities
  // look inward, and minus that of a mesh that faces inward. FactsOfInside
  // (query/inside_facts.h) has the volume of every mesh that has one.
  double volume = 0;
};

// Corners are the same if their coordinates are equal. Sides from a corner to
// itself are no edges. O(n).
ORBOX_EXPORT SurfaceFacts FactsOfSurface(const Mesh& mesh);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_MESH_PARTS_H_
