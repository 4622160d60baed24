// SPDX-License-Identifier: Apache-2.0

// The connected components of a mesh, and properties of its surface.
//
//   const MeshComponents components = MeshComponents::Of(mesh);
//   if (components.is_closed()) ...                       // it has an inside
//   for (uint32_t first : components.first_triangles()) ...
//   std::vector<Mesh> pieces = SplitIntoComponents(mesh);  // a mesh for each
//   const SurfaceFacts facts = FactsOfSurface(mesh);
//   if (facts.boundary_loops > 0) ...                // it has holes
//
// Two triangles are in one component if a chain of triangles connects them, and
// each triangle of the chain shares a corner with the next. Corners with equal
// coordinates count as one. Immutable; thread-safe. The first call of Of()
// takes O(n), later calls O(components): meshes and their copies store the
// result.
#ifndef ORBOX_BVH_MESH_MESH_COMPONENTS_H_
#define ORBOX_BVH_MESH_MESH_COMPONENTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT MeshComponents {
 public:
  static MeshComponents Of(const Mesh& mesh);

  // Returns IsClosed (mesh.h) of the whole mesh.
  bool is_closed() const { return is_closed_; }

  // Returns the lowest triangle of each component, in ascending order.
  std::span<const uint32_t> first_triangles() const { return first_triangles_; }

 private:
  friend struct mesh_internal::MeshAccess;

  bool is_closed_ = false;
  std::vector<uint32_t> first_triangles_;
};

// Returns each component as a mesh. Components are ordered by their lowest
// triangles. The triangles and vertices of each component have the order of the
// mesh. Vertices of no triangle are omitted. If there is only one component,
// returns a copy of the mesh that shares its memory. O(n).
ORBOX_EXPORT std::vector<Mesh> SplitIntoComponents(const Mesh& mesh);

// Properties of a surface that matter for repair: components, boundary loops,
// non-manifold edges, area, volume.
struct SurfaceFacts {
  size_t components = 0;  // connected components, as in MeshComponents
  // Boundary edges belong to one triangle only. A boundary loop is a set of
  // such edges that are connected by their ends, for example the rim of a hole
  // or of a sheet.
  size_t boundary_edges = 0;
  size_t boundary_loops = 0;
  size_t non_manifold_edges = 0;  // of three triangles or more
  double area = 0;                // of all triangles, to within rounding
  // True if the mesh is closed and each edge has as many triangle sides in one
  // direction as in the other (inside_rule.h).
  bool do_faces_agree = false;
  // Integral of the winding number over space, to within rounding; 0 if the
  // faces do not agree. It is the volume inside if no components overlap and
  // cavities face the opposite way to their shells. It is negative for a mesh
  // that faces inward. FactsOfInside (solids/inside_facts.h) returns the volume
  // of every mesh that has one.
  double volume = 0;
};

// Computes the properties of a surface. Corners with equal coordinates count as
// one. Triangles with two equal corners have no edges. O(n).
ORBOX_EXPORT SurfaceFacts FactsOfSurface(const Mesh& mesh);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_MESH_COMPONENTS_H_
