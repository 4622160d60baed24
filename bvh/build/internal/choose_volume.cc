// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/choose_volume.h"

#include <cstddef>
#include <cstdint>

namespace orbox {
namespace {

double DilatedVolume(const Node& node, uint32_t lane, double r) {
  if (node.kind == VolumeKind::kSphere) {
    return DilatedSphereVolume(node.rows[3][lane], r);
  }
  Vec3 edges;
  for (size_t k = 0; k < 3; ++k) {
    edges[k] = static_cast<double>(node.rows[k + 3][lane]) - node.rows[k][lane];
  }
  return DilatedBoxVolume(edges, r);
}

}  // namespace

double DilatedVolumes(const Tree& tree, double r) {
  double sum = 0;
  for (size_t i = 0; i < tree.node_count(); ++i) {
    const Node node = tree.node(i);
    for (uint32_t lane = 0; lane < node.count; ++lane) {
      sum += DilatedVolume(node, lane, r);
    }
  }
  return sum;
}

}  // namespace orbox
