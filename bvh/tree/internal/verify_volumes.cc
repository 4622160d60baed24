// SPDX-License-Identifier: Apache-2.0

// Checks that each volume certainly contains all triangles below it.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/tree/internal/verify_tree.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/tree/internal/verify_volumes.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A volume above a leaf, copied from the node that contains it.
struct VolumeAbove {
  VolumeKind kind;
  const Matrix3<float>* frame;
  float lo[3];  // or the center
  float hi[3];
  float squared_radius;  // corners at a smaller distance are certainly inside
};

// The volumes above a position in the tree, as a list from the lowest one up.
struct EnclosurePath {
  const EnclosurePath* up;
  VolumeAbove here;
};

// A leaf's rows are the exact corners rounded to float (verify_leaves.cc). The
// exact corners are at most 1, so the error of rows is at most 2^-25. Errors
// are in units of 2^-24.
//
// Aligned boxes: half a unit, plus the error of FromModel, 2^-52.
inline constexpr float kAlignedMargin = 0x1.8p-25f;
// Oriented boxes: a row of the frame turns an error of half a unit in each
// coordinate into up to 0.9. Three products of terms up to 1 add half a unit
// each. Two sums below 2 add 1 each. The total is 4.4. Builders allow for 7
// (build/internal/fit-inl.h).
inline constexpr float kTurnedMargin = 0x1.8p-22f;

inline VolumeAbove EnclosureOf(const Node& node, uint32_t lane) {
  VolumeAbove e;
  e.kind = node.kind;
  e.frame = &node.frame;
  for (int k = 0; k < 3; ++k) {
    e.lo[k] = node.rows[k][lane];
    e.hi[k] = node.rows[k + 3][lane];
  }
  // Each of the three differences has an error of 1, because it is below 2, and
  // the corner's half unit. The error of the distance is then 2.6. Squares and
  // sums have relative errors of 2.5 units. The code allows for 4 units of
  // both. Builders allow for 8.
  const double radius = node.rows[3][lane];
  const double certain = (radius - 0x1p-22) * (1 - 0x1p-22);
  // Valid for differences below 2. If the center is within [-1, 1], all
  // differences are below 2. Rounding to steps may move a center out of this
  // cube. Then the differences to corners at a distance below 2 are below 2.
  const bool is_near =
      radius < 2 || (std::abs(e.lo[0]) <= 1 && std::abs(e.lo[1]) <= 1 &&
                     std::abs(e.lo[2]) <= 1);
  // Rounding to float adds one more part.
  e.squared_radius = is_near && certain > 0
                         ? static_cast<float>(certain * certain * (1 - 0x1p-23))
                         : -1.0f;
  return e;
}

HWY_INLINE M8 IsBetween(const V8& p, const VolumeAbove& e, float margin) {
  const F8 m = Set8(margin);
  return (p.x - Set8(e.lo[0]) >= m) & (p.y - Set8(e.lo[1]) >= m) &
         (p.z - Set8(e.lo[2]) >= m) & (Set8(e.hi[0]) - p.x >= m) &
         (Set8(e.hi[1]) - p.y >= m) & (Set8(e.hi[2]) - p.z >= m);
}

HWY_INLINE M8 IsInside(const V8& p, const VolumeAbove& e) {
  switch (e.kind) {
    case VolumeKind::kSphere: {
      const V8 d = p - Set8x3(e.lo);
      return Dot(d, d) <= Set8(e.squared_radius);
    }
    case VolumeKind::kAabb:
      return IsBetween(p, e, kAlignedMargin);
    case VolumeKind::kObb:
      break;
  }
  return IsBetween(Multiply(*e.frame, p), e, kTurnedMargin);
}

class VolumeVerifier {
 public:
  VolumeVerifier(std::span<const Node> nodes, std::span<const Leaf> leaves,
                 const Workers& workers, tree_internal::Lowest& wrong)
      : nodes_(nodes), leaves_(leaves), workers_(workers), wrong_(wrong) {}

  void Run() const { VerifyBelow(0, nullptr); }

 private:
  // If a node has at least this number of leaves below it, its children are
  // verified in parallel.
  static constexpr uint32_t kTask = 256;

  void VerifyBelow(uint32_t index, const EnclosurePath* above) const {
    const Node& node = nodes_[index];
    for (uint32_t lane = node.inner_count; lane < node.count; ++lane) {
      const EnclosurePath path = {above, EnclosureOf(node, lane)};
      VerifyLeaf(node.first_leaf + lane - node.inner_count, path);
    }
    const auto verify_children = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const auto lane = static_cast<uint32_t>(i);
        const uint32_t child = node.first_node + lane;
        const EnclosurePath path = {above, EnclosureOf(node, lane)};
        // If this box contains the child's boxes, it also contains everything
        // in them.
        const bool is_implied = Holds(node, lane, nodes_[child]);
        VerifyBelow(child, is_implied ? above : &path);
      }
    };
    if (node.leaves_below >= kTask) {
      workers_.For(node.inner_count, 1, verify_children);
    } else {
      verify_children(0, node.inner_count);
    }
  }

  // Returns true if both nodes have aligned boxes, and the lane's box contains
  // the boxes of the child.
  static bool Holds(const Node& node, uint32_t lane, const Node& child) {
    if (node.kind != VolumeKind::kAabb || child.kind != VolumeKind::kAabb) {
      return false;
    }
    M8 holds = Zero8() <= Zero8();
    for (int k = 0; k < 3; ++k) {
      holds = holds & (Set8(node.rows[k][lane]) <= Load8(child.rows[k])) &
              (Load8(child.rows[k + 3]) <= Set8(node.rows[k + 3][lane]));
    }
    return Bits(holds) == kAllLanes;
  }

  void VerifyLeaf(size_t index, const EnclosurePath& path) const {
    const T8 t = LoadTriangles(leaves_[index].rows);
    M8 inside = Zero8() <= Zero8();
    for (const EnclosurePath* at = &path; at != nullptr; at = at->up) {
      inside = inside & IsInside(t.a, at->here) & IsInside(t.b, at->here) &
               IsInside(t.c, at->here);
    }
    if (Bits(inside) != kAllLanes) wrong_.Report(index);
  }

  static constexpr uint32_t kAllLanes = 0xff;

  const std::span<const Node> nodes_;
  const std::span<const Leaf> leaves_;
  const Workers& workers_;
  tree_internal::Lowest& wrong_;
};

void VerifyVolumesLoop(std::span<const Node> nodes,
                       std::span<const Leaf> leaves, const Workers& workers,
                       tree_internal::Lowest& wrong) {
  VolumeVerifier(nodes, leaves, workers, wrong).Run();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(VerifyVolumesLoop);

namespace tree_internal {

absl::Status VerifyVolumes(std::span<const Node> nodes,
                           std::span<const Leaf> leaves,
                           const Workers& workers) {
  Lowest wrong;
  ORBOX_DYNAMIC_DISPATCH(VerifyVolumesLoop)(nodes, leaves, workers, wrong);
  if (!wrong.any()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("leaf ", wrong.value(),
                   " has a triangle that a volume above it does not hold"));
}

}  // namespace tree_internal
}  // namespace orbox
#endif  // HWY_ONCE
