// A triangle mesh, validated once, immutable afterwards.
//
//   absl::StatusOr<Mesh> mesh = Mesh::Create(vertices, triangles);
//   if (!mesh.ok()) return mesh.status();      // what, where, what to do
//   Triangle first = mesh->triangle(0);
//
// A Mesh is a value that shares its data: copies are cheap (a pointer), and any
// number of threads may read them. Triangle ids are positions in `triangles`.
#ifndef ORBOX_BVH_MESH_MESH_H_
#define ORBOX_BVH_MESH_MESH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

namespace mesh_internal {
struct MeshAccess;
}

// The three corners of a triangle, as positions in the mesh's vertices.
using TriangleIndices = std::array<uint32_t, 3>;

class ORBOX_EXPORT Mesh {
 public:
  // The most triangles, and the most vertices, that a mesh may have: ids and
  // child slots of a tree have to fit 32 bits.
  static constexpr size_t kMaxTriangles = size_t{1} << 28;
  static constexpr size_t kMaxVertices = size_t{1} << 31;

  // Requires at least one triangle, indices below vertices.size(), and finite
  // coordinates in every vertex, used or not; kInvalidArgument otherwise, with
  // the first offender and their number. Degenerate triangles are legal.
  // Unreferenced vertices are kept, and are not part of the surface. O(n).
  static absl::StatusOr<Mesh> Create(std::vector<Vec3> vertices,
                                     std::vector<TriangleIndices> triangles);

  size_t vertex_count() const { return data_->vertices.size(); }
  size_t triangle_count() const { return data_->triangles.size(); }
  std::span<const Vec3> vertices() const { return data_->vertices; }
  std::span<const TriangleIndices> triangles() const {
    return data_->triangles;
  }
  // Requires id < triangle_count().
  Triangle triangle(size_t id) const {
    const TriangleIndices& t = data_->triangles[id];
    return {data_->vertices[t[0]], data_->vertices[t[1]],
            data_->vertices[t[2]]};
  }

  // The smallest box around all triangles (unreferenced vertices do not count).
  const Aabb& bounds() const { return data_->bounds; }

  // How many triangles have zero area, decided exactly.
  size_t degenerate_count() const { return data_->degenerate_count; }

 private:
  friend struct mesh_internal::MeshAccess;

  struct Data {
    Array<Vec3> vertices;
    Array<TriangleIndices> triangles;
    Aabb bounds;
    size_t degenerate_count = 0;
  };
  explicit Mesh(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

// Whether the surface has no boundary: every edge belongs to an even number of
// triangle sides, where vertices with equal coordinates count as one and sides
// of zero length do not count. O(n log n).
ORBOX_EXPORT bool IsClosed(const Mesh& mesh);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_MESH_H_
