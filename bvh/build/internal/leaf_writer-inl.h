// SPDX-License-Identifier: Apache-2.0

// Gives leaves the corners of their triangles: rounded to float in the tree's
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

#include <cstddef>
#include <cstdint>
#include <span>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class LeafWriter {
 public:
  // Refers to the mesh, the leaves, whose ids are there, and kLanes `corners` a
  // leaf.
  LeafWriter(const Mesh& mesh, const TreeSpace& space,
             std::span<const Leaf> leaves, std::span<Triangle> corners)
      : vertices_(mesh.vertices()),
        triangles_(mesh.triangles()),
        space_(space),
        leaves_(leaves),
        corners_(corners) {}

  // Writes the rows and the corners of one of the leaves. Returns how many
  // triangles it has.
  uint64_t Write(Leaf& leaf) const {
    PrefetchAfter(leaf);
    Triangle* const corners =
        corners_.data() + (&leaf - leaves_.data()) * kLanes;
    const TreeSpace space = space_;
    uint64_t used = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      const bool is_used = leaf.ids[lane] != kNoTriangle;
      used += is_used ? 1 : 0;
      const TriangleIndices& t = triangles_[leaf.ids[is_used ? lane : 0]];
      // Corner by corner: a whole triangle, put together on the stack, would be
      // read again before it has got there.
      for (size_t corner = 0; corner < 3; ++corner) {
        const Vec3 v = vertices_[t[corner]];
        corners[lane][corner] = v;
        const Vec3 p = space.FromModel(v);
        leaf.rows[3 * corner][lane] = static_cast<float>(p.x);
        leaf.rows[3 * corner + 1][lane] = static_cast<float>(p.y);
        leaf.rows[3 * corner + 2][lane] = static_cast<float>(p.z);
      }
    }
    return used;
  }

 private:
  // Leaves are written almost in their order, and the order of the mesh is
  // another: waiting for its vertices would take most of the time. Inline,
  // because GCC 12 drops calls of functions that only prefetch.
  HWY_INLINE void PrefetchAfter(const Leaf& leaf) const {
    constexpr ptrdiff_t kVertices = 4;  // leaves ahead
    constexpr ptrdiff_t kTriangles = 8;
    const ptrdiff_t left = leaves_.data() + leaves_.size() - &leaf;
    if (left <= kTriangles) return;
    for (const uint32_t id : (&leaf)[kTriangles].ids) {
      if (id != kNoTriangle) hwy::Prefetch(&triangles_[id]);
    }
    for (const uint32_t id : (&leaf)[kVertices].ids) {
      if (id == kNoTriangle) continue;
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
