// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/component_points.h"

#include <cstdint>

#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {

absl::StatusOr<ComponentPoints> PointsWithin(const Aabb& box,
                                             const PosedChunkedTree& mesh,
                                             size_t begin, size_t end,
                                             const Watch& watch) {
  ComponentPoints points;
  for (size_t i = begin; i < end; ++i) {
    watch.CheckCancelled();
    if (IsEmpty(Intersection(mesh.boxes()[i], box))) {
      points.any_elsewhere = true;
      continue;
    }
    const absl::StatusOr<PosedChunk> chunk = mesh.Load(i);
    if (!chunk.ok()) return chunk.status();
    const MeshComponents components =
        MeshComponents::Of(chunk->tree.tree().mesh());
    for (const uint32_t first : components.first_triangles()) {
      const Vec3 p = chunk->tree.triangle(first).a;
      if (Contains(box, p)) {
        points.within.push_back(p);
      } else {
        points.any_elsewhere = true;
      }
    }
  }
  return points;
}

}  // namespace orbox
