// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/close_holes.h"

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

absl::StatusOr<ClosedHoles> CloseHoles(const Mesh& mesh, double longest,
                                       const Pose& pose) {
  if (!(longest >= 0)) {
    return absl::InvalidArgumentError(
        "CloseHoles: longest is negative or NaN; give the length of the "
        "longest loop to close");
  }
  const auto find = [&]() -> absl::StatusOr<ClosedHoles> {
    const ClosedTree closed = SolidSurface::Of(mesh).Close(mesh, longest, pose);
    if (closed.tree == nullptr) return ClosedHoles{mesh};
    return ClosedHoles{closed.tree->mesh(), closed.holes};
  };
  return GuardMemory("for the edges and vertices of the mesh; split it", find);
}

}  // namespace orbox
