// SPDX-License-Identifier: Apache-2.0

// A triangle mesh: validated once, then immutable.
//
//   absl::StatusOr<Mesh> mesh = Mesh::Create(vertices, triangles);
//   if (!mesh.ok()) return mesh.status();      // what, where, what to do
//   Triangle first = mesh->triangle(0);
//
// Vertices and triangles may also be plain rows of three numbers, as in other
// libraries:
//
//   std::vector<float> xyz = ...;              // or double
//   std::vector<int32_t> corners = ...;        // or uint32_t
//   absl::StatusOr<Mesh> mesh = Mesh::Create(xyz, corners);
//
// A Mesh is a value that shares its data: copies are cheap (a pointer), and any
// number of threads may read them. Triangle ids are positions in `triangles`.
#ifndef ORBOX_BVH_MESH_MESH_H_
#define ORBOX_BVH_MESH_MESH_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/require.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

namespace mesh_internal {
struct MeshAccess;

// Type of the elements of a container, an array or a span.
template <typename Range>
using NumberIn =
    typename decltype(std::span(std::declval<const Range&>()))::value_type;

template <typename Range, typename... Numbers>
concept HoldsOneOf = (std::same_as<NumberIn<Range>, Numbers> || ...);
template <typename Range>
concept Coordinates = HoldsOneOf<Range, float, double>;
template <typename Range>
concept Indices = HoldsOneOf<Range, int32_t, uint32_t>;
}  // namespace mesh_internal

// The three corners of a triangle, as positions in the mesh's vertices.
using TriangleIndices = std::array<uint32_t, 3>;

class ORBOX_EXPORT Mesh {
 public:
  // Upper bounds of triangles and vertices: ids, and the child slots of a tree,
  // must fit 32 bits.
  static constexpr size_t kMaxTriangles = size_t{1} << 28;
  static constexpr size_t kMaxVertices = size_t{1} << 31;

  // Creates a mesh. Requires at least one triangle, indices below
  // vertices.size(), and in every vertex, used or not, coordinates that are
  // finite and at most 2^200 in magnitude (1.6e60, overlap/shapes/range.h).
  // Otherwise returns kInvalidArgument; the message has the first offender, the
  // number of offenders, and the factor by which to scale the model.
  // Coordinates below 2^-200 in magnitude are read as 0. Degenerate triangles
  // are legal. Unreferenced vertices are stored, but are not part of the
  // surface. O(n).
  static absl::StatusOr<Mesh> Create(std::vector<Vec3> vertices,
                                     std::vector<TriangleIndices> triangles);

  // Creates a mesh from rows of three numbers each: coordinates in float or
  // double, and indices of 32 bits, signed or unsigned. Accepts all types that
  // convert to a std::span. Copies all values; floats are converted exactly.
  // Errors are those of the other Create. Also kInvalidArgument for incomplete
  // rows and negative indices, with the first such row, and kResourceExhausted
  // if memory runs out.
  template <mesh_internal::Coordinates Vertices, mesh_internal::Indices Rows>
  static absl::StatusOr<Mesh> Create(const Vertices& coordinates,
                                     const Rows& indices) {
    return FromRows(
        std::span<const mesh_internal::NumberIn<Vertices>>(coordinates),
        std::span<const mesh_internal::NumberIn<Rows>>(indices));
  }

  size_t vertex_count() const { return data_->vertices.size(); }
  size_t triangle_count() const { return data_->triangles.size(); }
  std::span<const Vec3> vertices() const { return data_->vertices; }
  std::span<const TriangleIndices> triangles() const {
    return data_->triangles;
  }
  // Requires id < triangle_count(); otherwise ends the program with a message.
  Triangle triangle(size_t id) const {
    RequireIndex(id, data_->triangles.size(), "Mesh::triangle", "triangles");
    const TriangleIndices& t = data_->triangles[id];
    return {data_->vertices[t[0]], data_->vertices[t[1]],
            data_->vertices[t[2]]};
  }

  // Returns the smallest box around all triangles. Unreferenced vertices do not
  // count.
  const Aabb& bounds() const { return data_->bounds; }

  // Returns the number of triangles with zero area, decided exactly.
  size_t degenerate_count() const { return data_->degenerate_count; }

 private:
  friend struct mesh_internal::MeshAccess;

  struct Data {
    Array<Vec3> vertices;
    Array<TriangleIndices> triangles;
    Aabb bounds;
    size_t degenerate_count = 0;
  };
  static absl::StatusOr<Mesh> FromRows(std::span<const double> coordinates,
                                       std::span<const int32_t> indices);
  static absl::StatusOr<Mesh> FromRows(std::span<const double> coordinates,
                                       std::span<const uint32_t> indices);
  static absl::StatusOr<Mesh> FromRows(std::span<const float> coordinates,
                                       std::span<const int32_t> indices);
  static absl::StatusOr<Mesh> FromRows(std::span<const float> coordinates,
                                       std::span<const uint32_t> indices);

  explicit Mesh(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

namespace mesh_internal {
// Mesh::triangle without its check, for loops over the ids in a tree.
inline Triangle TriangleAt(const Mesh& mesh, size_t id) {
  const TriangleIndices& t = mesh.triangles()[id];
  const std::span<const Vec3> vertices = mesh.vertices();
  return {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
}
}  // namespace mesh_internal

// Returns true if the surface has no boundary: every edge belongs to an even
// number of triangle sides. Vertices with equal coordinates count as one, and
// sides of zero length do not count. O(n log n) at the first call; the mesh and
// its copies store the result. Thread-safe.
ORBOX_EXPORT bool IsClosed(const Mesh& mesh);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_MESH_H_
