// SPDX-License-Identifier: Apache-2.0

// Volumes of a level of a tree, as lines in space.
//
//   for (const VolumeWire& wire : VolumeWires(tree, 2, space, eye)) ...
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_VOLUME_WIRES_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_VOLUME_WIRES_H_

#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/internal/surface.h"

namespace orbox::picture {

// A polyline in picture space.
struct VolumeWire {
  VolumeKind kind = VolumeKind::kAabb;
  std::vector<std::vector<Vec3>> lines;
};

// Returns the volumes that a query tests at depth `level` (0: the root's
// children), moved by the pose. Boxes are drawn by their edges, spheres by
// three great circles and their outline as seen from `eye` (in picture space).
// Returns nothing if the tree is not that deep. O(nodes down to the level).
std::vector<VolumeWire> VolumeWires(const PosedTree& posed, int level,
                                    const PictureSpace& space, const Vec3& eye);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_VOLUME_WIRES_H_
