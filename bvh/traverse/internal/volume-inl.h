// SPDX-License-Identifier: Apache-2.0

// One volume of a tree, mapped to another tree's space and tested there against
// a node's eight children.
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_VOLUME_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_VOLUME_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_VOLUME_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_VOLUME_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/box_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/boxes/internal/sphere_box_lanes-inl.h"
#include "orbox/overlap/internal/lanes/box_lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A child's volume in its own tree's space. half[0] is a sphere's radius.
struct OneVolume {
  VolumeKind kind;
  float center[3];
  float half[3];
  float axes[3][3];
};
OneVolume VolumeAt(const Node& node, uint32_t lane);

// Returns the sizes of a node's children, as half diagonals or radii. They
// decide which side of a pair is expanded.
F8 VolumeSizes(const Node& node);

struct VolumeBound {
  // In units of the node's tree. If positive, a lower bound of the distance,
  // which may be too large by the slack. Otherwise the smallest overlap along
  // an axis, negated.
  F8 key;
  // Lanes that a sharper test, if there is one, also finds within `limit` (for
  // statistics).
  uint32_t exact;
};

// Tests a volume against a node's children. `to` maps the volume's space to the
// node's.
template <bool kCounting>
VolumeBound BoundToChildren(const OneVolume& volume, const RelativeSpace& to,
                            const Node& node, float limit);

// Implementation.

HWY_INLINE OneVolume VolumeAt(const Node& node, uint32_t lane) {
  OneVolume v;
  v.kind = node.kind;
  if (node.kind == VolumeKind::kSphere) {
    for (int k = 0; k < 3; ++k) v.center[k] = node.rows[k][lane];
    v.half[0] = node.rows[3][lane];
    return v;
  }
  float c[3];
  for (int k = 0; k < 3; ++k) {
    const float lo = node.rows[k][lane];
    const float hi = node.rows[k + 3][lane];
    c[k] = 0.5f * (lo + hi);
    v.half[k] = 0.5f * (hi - lo);
  }
  // The frame maps tree space to the block's space. Its rows are the box's
  // axes, and its transpose maps back.
  MultiplyTransposed(node.frame, c, v.center);
  for (int j = 0; j < 3; ++j) std::copy_n(node.frame[j], 3, v.axes[j]);
  return v;
}

HWY_INLINE F8 VolumeSizes(const Node& node) {
  if (node.kind == VolumeKind::kSphere) return Load8(node.rows[3]);
  const V8 edges = Load8x3(node.rows + 3) - Load8x3(node.rows);
  return Sqrt(Dot(edges, edges)) * Set8(0.5f);
}

HWY_INLINE void MovePoint(const RelativeSpace& to, const float p[3],
                          float moved[3]) {
  for (int i = 0; i < 3; ++i) {
    const float* const row = to.turn[i];
    moved[i] = to.scale * (row[0] * p[0] + row[1] * p[1] + row[2] * p[2]) +
               to.shift[i];
  }
}

HWY_INLINE TurnedBox MoveBox(const RelativeSpace& to, const OneVolume& v) {
  TurnedBox box;
  MovePoint(to, v.center, box.center);
  for (int k = 0; k < 3; ++k) box.hull[k] = 0;
  for (int j = 0; j < 3; ++j) {
    box.half[j] = v.half[j] * to.scale;
    Multiply(to.turn, v.axes[j], box.axes[j]);
    for (int k = 0; k < 3; ++k) {
      box.hull[k] += box.half[j] * std::abs(box.axes[j][k]);
    }
  }
  return box;
}

// Returns the key of a box after a skewed map, which turns it into a
// parallelepiped. Its bounding box is in the node's frame. DistanceToBoxes also
// projects on the three axes stored here, which have at most unit length. Along
// them, the box has its original half extents.
HWY_NOINLINE inline F8 KeyOfSkewedBox(const RelativeSpace& to,
                                      const OneVolume& v, const Node& node) {
  TurnedBox box;
  float center[3];
  MovePoint(to, v.center, center);
  Multiply(node.frame, center, box.center);
  for (int k = 0; k < 3; ++k) box.hull[k] = 0;
  for (int j = 0; j < 3; ++j) {
    box.half[j] = v.half[j] * to.scale;
    float edge[3];
    Multiply(to.turn, v.axes[j], edge);
    float in_frame[3];
    Multiply(node.frame, edge, in_frame);
    for (int k = 0; k < 3; ++k) {
      box.hull[k] += box.half[j] * std::abs(in_frame[k]);
    }
    // Multiplication by the transpose: the product of this row and a vector of
    // the node's space is the component of the vector along the axis.
    float normal[3];
    MultiplyTransposed(to.back, v.axes[j], normal);
    Multiply(node.frame, normal, box.axes[j]);
  }
  return node.kind == VolumeKind::kSphere
             ? BoxDistanceToSpheres<Orientation::kOriented>(box, node.rows)
             : DistanceToBoxes<Orientation::kOriented>(box, node.rows);
}

HWY_INLINE F8 KeyOfSphere(const RelativeSpace& to, const OneVolume& v,
                          const Node& node) {
  float center[3];
  MovePoint(to, v.center, center);
  V8 p = Set8x3(center);
  F8 key;
  if (node.kind == VolumeKind::kSphere) {
    key = DistanceToSpheres(p, node.rows);
  } else {
    if (node.kind == VolumeKind::kObb) p = Multiply(node.frame, p);
    key = Sqrt(SquaredDistance(p, LoadAabbs(node.rows)));
  }
  return key - Set8(v.half[0] * to.stretch);
}

// Returns the bound of a box in the node's frame.
template <bool kCounting>
HWY_INLINE VolumeBound BoundOfBox(const TurnedBox& box, const Node& node,
                                  float limit) {
  const bool of_spheres = node.kind == VolumeKind::kSphere;
  const F8 key =
      of_spheres ? BoxDistanceToSpheres<Orientation::kOriented>(box, node.rows)
                 : DistanceToBoxes<Orientation::kOriented>(box, node.rows);
  if constexpr (!kCounting) return {key, 0};
  const uint32_t lanes = Bits(key <= Set8(limit)) & LanesBelow(node.count);
  return {key, of_spheres ? lanes
                          : NotSeparatedByCrossAxes(box, node, lanes, limit)};
}

template <bool kCounting>
HWY_INLINE VolumeBound BoundToChildren(const OneVolume& volume,
                                       const RelativeSpace& to,
                                       const Node& node, float limit) {
  // The edges of a skewed box are not stored.
  if (volume.kind == VolumeKind::kSphere || HWY_UNLIKELY(to.is_skewed)) {
    const F8 key = volume.kind == VolumeKind::kSphere
                       ? KeyOfSphere(to, volume, node)
                       : KeyOfSkewedBox(to, volume, node);
    return {key, Bits(key <= Set8(limit)) & LanesBelow(node.count)};
  }
  const TurnedBox box = MoveBox(to, volume);
  if (node.kind == VolumeKind::kObb) {
    return BoundOfBox<kCounting>(TurnInto(node.frame, box), node, limit);
  }
  return BoundOfBox<kCounting>(box, node, limit);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_VOLUME_INL_H_
