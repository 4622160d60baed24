// SPDX-License-Identifier: Apache-2.0

// Makes a mesh from arrays that are known to be valid, such as those of a tree
// file. Gives access to values that are computed from a mesh only once.
//
//   Mesh mesh = MeshAccess::Make({.vertices = ..., .triangles = ..., ...});
//   const BoundaryShadow& shadow =
//       MeshAccess::Shadow(mesh).Or([&] { return BoundaryShadow(...); });
#ifndef ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_
#define ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {
class MeshComponents;
class SolidSurface;
}  // namespace orbox

namespace orbox::mesh_internal {

// A value computed by the first call of Or. If that call throws, the next call
// computes it. Thread-safe.
template <typename T>
class Remembered {
 public:
  template <typename Find>
  const T& Or(Find find) const {
    const std::lock_guard lock(mutex_);
    if (!value_.has_value()) value_.emplace(find());
    return *value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::optional<T> value_;
};

struct MeshAccess {
  using Parts = Mesh::Data;

  // Makes a mesh without checks. Requires arrays that pass the checks of
  // Mesh::Create, and the bounds and counts that it would compute.
  static Mesh Make(Parts parts) {
    return Mesh(std::make_shared<const Data>(std::move(parts)));
  }

  // Makes a mesh with valid indices, and computes its bounds and counts.
  // Vertices must be finite, but need not be in the range of models. Serves
  // meshes at a pose, and meshes that a search builds for its internal use.
  // Polls the workers.
  ORBOX_EXPORT static Mesh Of(Array<Vec3> vertices,
                              Array<TriangleIndices> triangles,
                              const Workers& workers = Workers(1));

  // Returns the mesh with other vertices. Requires an equal number of vertices.
  // O(n). Polls the workers.
  static Mesh WithVertices(const Mesh& mesh, Array<Vec3> vertices,
                           const Workers& workers = Workers(1)) {
    return Of(std::move(vertices), mesh.data_->triangles, workers);
  }

  static const Remembered<BoundaryShadow>& Shadow(const Mesh& mesh) {
    return static_cast<const Data&>(*mesh.data_).shadow;
  }

  // Returns MeshComponents::Of(mesh). Polls the workers.
  ORBOX_EXPORT static MeshComponents ComponentsOf(const Mesh& mesh,
                                                  const Workers& workers);

  // The lowest triangle of each component, in ascending order.
  static const Remembered<std::vector<uint32_t>>& FirstTriangles(
      const Mesh& mesh) {
    return static_cast<const Data&>(*mesh.data_).first_triangles;
  }

  // The stored object must not refer to the mesh. See solids/internal/solid.h.
  static const Remembered<std::shared_ptr<const SolidSurface>>& Solid(
      const Mesh& mesh) {
    return static_cast<const Data&>(*mesh.data_).solid;
  }

 private:
  // The data of each mesh. All meshes are created here.
  struct Data : Parts {
    explicit Data(Parts parts) : Parts(std::move(parts)) {}
    Remembered<BoundaryShadow> shadow;
    Remembered<std::vector<uint32_t>> first_triangles;
    Remembered<std::shared_ptr<const SolidSurface>> solid;
  };
};

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_MESH_ACCESS_H_
