// SPDX-License-Identifier: Apache-2.0

// On which side of a closed surface is a point, told from the triangle that is
// closest to it? Private: the local part of signed_distance.h.
//
//   absl::StatusOr<SurfaceSides> sides = SurfaceSides::Create(mesh);
//   Side side = sides->SideOf(p, triangles_at_the_least_distance);
//
// Faces tell by their plane, edges by whether they are convex, vertices by
// their angle-weighted pseudonormal (Baerentzen and Aanaes, "Signed distance
// computation using the angle weighted pseudonormal", 2005). A side is told
// only where it is certain: signs are exact or have a margin, and the closest
// point lies strictly within its feature. Immutable; 40 bytes a triangle.
#ifndef ORBOX_BVH_QUERY_INTERNAL_SURFACE_SIDES_H_
#define ORBOX_BVH_QUERY_INTERNAL_SURFACE_SIDES_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// kFailedPrecondition where a surface has edges of an odd number of triangles,
// or others along which not as many go one way as the other; `first` is the
// lowest triangle at one of them.
absl::Status CheckClosed(uint64_t open, uint64_t unequal, uint64_t first);

enum class Side { kFront, kBack, kUnknown };

class SurfaceSides {
 public:
  // kFailedPrecondition, with how many edges offend, where the mesh is not
  // closed or its triangles do not agree on which side is the front: along each
  // edge as many have to go one way as the other. Vertices with equal
  // coordinates are one. `crossing` marks the triangles that meet others than
  // as neighbours do, one flag a triangle: no part goes through them.
  static absl::StatusOr<SurfaceSides> Create(const Mesh& mesh,
                                             std::vector<bool> crossing);

  // `closest`: all triangles at the least distance from p, which is not 0. They
  // may be more than that, by rounding.
  Side SideOf(const Vec3& p, std::span<const uint32_t> closest) const;

  // For each triangle the lowest of those that it hangs together with by edges
  // of two triangles each, none of them crossing: in front of all of these is
  // the same, inside or outside.
  std::span<const uint32_t> parts() const { return parts_; }
  bool is_crossing(uint32_t triangle) const { return crossing_[triangle]; }

 private:
  // The sum of the unit normals around a vertex by their angles, and a bound of
  // its error; infinite where it says nothing.
  struct Pseudonormal {
    Vec3 sum;
    double error = 0;
  };
  struct EdgeCounts;

  SurfaceSides(const Mesh& mesh, std::vector<bool> crossing);
  EdgeCounts JoinEdges();
  void AddNormals();

  Side SideOfFace(const Vec3& p, uint32_t triangle) const;
  Side SideOfEdge(const Vec3& p, uint32_t triangle, size_t from,
                  size_t to) const;
  Side SideOfVertex(const Vec3& p, uint32_t triangle, size_t corner) const;
  bool HasVertex(uint32_t triangle, uint32_t vertex) const;
  Vec3 Between(const Vec3& from, const Vec3& to) const {
    return (to - from) * scale_;
  }

  Mesh mesh_;
  double scale_;                    // takes the mesh's size below 2
  std::vector<uint32_t> vertices_;  // what each vertex of the mesh is one with
  // The corner across edge k of a triangle, from corner k to the next, as a
  // vertex of the mesh; kNobody where there is not just one.
  std::vector<std::array<uint32_t, 3>> across_;
  std::vector<Pseudonormal> normals_;  // by the ids in vertices_
  std::vector<bool> crossing_;
  std::vector<uint32_t> parts_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_SURFACE_SIDES_H_
