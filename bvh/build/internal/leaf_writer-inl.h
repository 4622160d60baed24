// SPDX-License-Identifier: Apache-2.0

// Writes the corners of leaves' triangles: rounded to float in the tree's
// space, and in double.
//
//   const LeafWriter writer(mesh, space, leaves, corners);
//   for (Leaf& leaf : leaves) writer.Write(leaf);
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_BUILD_INTERNAL_LEAF_WRITER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_BUILD_INTERNAL_LEAF_WRITER_INL_H_
#undef ORBOX_BVH_BUILD_INTERNAL_LEAF_WRITER_INL_H_
#else
#define ORBOX_BVH_BUILD_INTERNAL_LEAF_WRITER_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "orbox/bvh/build/internal/box_row-inl.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/internal/lanes/point_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class LeafWriter {
 public:
  // Keeps references to the mesh, to the leaves, whose ids must be set, and to
  // `corners`, which must have kLanes entries per leaf.
  LeafWriter(const Mesh& mesh, const TreeSpace& space,
             std::span<const Leaf> leaves, std::span<Triangle> corners)
      : vertices_(mesh.vertices()),
        triangles_(mesh.triangles()),
        space_(space),
        leaves_(leaves),
        corners_(corners) {}

  // Writes the rows and the corners of one of the leaves. Returns its number of
  // triangles.
  uint64_t Write(Leaf& leaf) const {
    PrefetchAfter(leaf);
    Triangle* const corners =
        corners_.data() + (&leaf - leaves_.data()) * kLanes;
    const RepeatedIds ids(leaf);
    WriteCorners<0>(ids.lanes, corners, leaf);
    WriteCorners<1>(ids.lanes, corners, leaf);
    WriteCorners<2>(ids.lanes, corners, leaf);
    const U8::Mask is_unused = LoadU8(leaf.ids) == Set8(kNoTriangle);
    return static_cast<uint64_t>(kLanes - std::popcount(Bits(is_unused)));
  }

 private:
  // The ids of a leaf. Missing ids are replaced by the first id.
  struct RepeatedIds {
    HWY_INLINE explicit RepeatedIds(const Leaf& leaf) {
      const U8 ids = LoadU8(leaf.ids);
      Select(ids == Set8(kNoTriangle), Set8(leaf.ids[0]), ids).Store(lanes);
    }
    alignas(32) uint32_t lanes[kLanes];
  };

  // Writes the first, second or third corner of each triangle.
  template <size_t kCorner>
  HWY_INLINE void WriteCorners(const uint32_t (&ids)[kLanes], Triangle* corners,
                               Leaf& leaf) const {
    const D4 origin = LoadPoint(space_.origin);
    const D4 scale = space_.scale;
    const auto rounded = [&](size_t lane) HWY_ATTR {
      const Vec3& v = vertices_[triangles_[ids[lane]][kCorner]];
      corners[lane][kCorner] = v;
      return ToFloat((LoadPoint(v) - origin) * scale);
    };
    F8 points[kLanes / 2];
    for (size_t i = 0; i < kLanes / 2; ++i) {
      const F4 first = rounded(i);
      points[i] = Joined(first, rounded(i + kLanes / 2));
    }
    const V8 rows = RowsOf(points);
    Store8(rows.x, leaf.rows[3 * kCorner]);
    Store8(rows.y, leaf.rows[3 * kCorner + 1]);
    Store8(rows.z, leaf.rows[3 * kCorner + 2]);
  }

  // Prefetches vertices for later leaves. Leaves are written almost in their
  // order, which is not the order of the mesh, so waiting for vertices would
  // take most of the time. Inline, because GCC 12 drops calls of functions that
  // only prefetch.
  HWY_INLINE void PrefetchAfter(const Leaf& leaf) const {
    constexpr ptrdiff_t kVertices = 4;  // leaves ahead
    constexpr ptrdiff_t kTriangles = 8;
    const ptrdiff_t left = leaves_.data() + leaves_.size() - &leaf;
    if (left <= kTriangles) return;
    const RepeatedIds later((&leaf)[kTriangles]);
    for (const uint32_t id : later.lanes) hwy::Prefetch(&triangles_[id]);
    const RepeatedIds sooner((&leaf)[kVertices]);
    for (const uint32_t id : sooner.lanes) {
      for (const uint32_t vertex : triangles_[id]) {
        hwy::Prefetch(&vertices_[vertex]);
      }
    }
  }

  const std::span<const Vec3> vertices_;
  const std::span<const TriangleIndices> triangles_;
  const TreeSpace space_;
  const std::span<const Leaf> leaves_;
  const std::span<Triangle> corners_;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_BUILD_INTERNAL_LEAF_WRITER_INL_H_
