// SPDX-License-Identifier: Apache-2.0

// Side of a surface on which a point is, decided by the triangle closest to the
// point. Private: the local part of signed_distance.h and surface_side.h.
//
//   absl::StatusOr<SurfaceSides> sides = SurfaceSides::Create(mesh);
//   Side side = sides->SideOf(p, triangles_at_the_least_distance);
//   int sign = SurfaceSides::Of(open_mesh).SignOf(p, closest_triangle);
//
// Faces decide by their plane, edges by their convexity, vertices by their
// angle-weighted pseudonormal (Baerentzen and Aanaes, "Signed distance
// computation using the angle weighted pseudonormal", 2005). SideOf reports a
// side only if it is certain: signs are exact or have a margin, and the closest
// point is strictly within its feature. Immutable; 30 bytes a triangle.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_SURFACE_SIDES_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_SURFACE_SIDES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/inside/internal/surface_edges.h"
#include "orbox/bvh/traverse/internal/self_pairs.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns kFailedPrecondition if the surface has `open` edges with an odd
// number of triangles, or `unequal` edges along which the numbers of triangles
// in the two directions differ. `first` is the lowest triangle at such an edge.
ORBOX_EXPORT absl::Status CheckClosed(uint64_t open, uint64_t unequal,
                                      uint64_t first);

enum class Side { kFront, kBack, kUnknown };

class ORBOX_EXPORT SurfaceSides {
 public:
  // Returns kFailedPrecondition, with the number of wrong edges, if the mesh is
  // not closed or if its triangles do not agree on the front side. They agree
  // if, along each edge, equal numbers of triangles go in the two directions.
  // Vertices with equal coordinates count as one vertex.
  static absl::StatusOr<SurfaceSides> Create(const Mesh& mesh);

  // For any mesh, open or closed. Only SignOf has a meaning if Create would
  // return an error.
  static SurfaceSides Of(const Mesh& mesh);

  // Returns the side of p. `closest` has all triangles at the least distance
  // from p, which must be a normal double. It may also have triangles that are
  // slightly farther.
  Side SideOf(const Vec3& p, std::span<const uint32_t> closest) const;

  // Returns the sign of the product of p minus its closest point, which is on
  // `triangle`, with the pseudonormal there (surface_side.h).
  int SignOf(const Vec3& p, uint32_t triangle) const;

  const SurfaceEdges& edges() const { return edges_; }

  // Returns, for each triangle, the corners around which triangles overlap only
  // as neighbours, if the pseudonormals prove it (vertex_stars.h).
  std::vector<CornerIds> SimpleCorners() const;

  // Adds pairs of triangles with the same three corners, which are common where
  // faces of components coincide. Leaves out pairs none of whose edges belongs
  // to a third triangle.
  void AddCopies(OverlappingTriangles* overlapping) const;

 private:
  // Sum of the unit normals around a vertex, weighted by their angles, and a
  // bound of its error. The error is infinite if the sum is unusable.
  struct Pseudonormal {
    Vec3 sum;
    double error = 0;
  };

  SurfaceSides(const Mesh& mesh, std::vector<uint32_t> vertices,
               size_t vertex_count);
  void AddNormals();

  const Pseudonormal& NormalAt(uint32_t triangle, size_t corner) const {
    return normals_[vertices_[mesh_.triangles()[triangle][corner]]];
  }
  // Sign of the pseudonormal's product at the edge between two corners. 0 also
  // if the edge has a triangle without area or is folded flat.
  int SignAtEdge(const Vec3& p, uint32_t triangle, size_t from,
                 size_t to) const;

  Side SideOfFace(const Vec3& p, uint32_t triangle) const;
  Side SideOfEdge(const Vec3& p, uint32_t triangle, size_t from,
                  size_t to) const;
  Side SideOfVertex(const Vec3& p, uint32_t triangle, size_t corner) const;
  bool HasVertex(uint32_t triangle, uint32_t vertex) const;
  // Returns the vertex of the mesh that is opposite across an edge, or kNobody.
  uint32_t OppositeAcross(uint32_t triangle, size_t edge) const;
  Vec3 Between(const Vec3& from, const Vec3& to) const {
    return (to - from) * scale_;
  }

  Mesh mesh_;
  double scale_;                    // scales the mesh to a size below 2
  std::vector<uint32_t> vertices_;  // ids; equal at one place
  SurfaceEdges edges_;
  std::vector<Pseudonormal> normals_;  // by the ids in vertices_
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_SURFACE_SIDES_H_
