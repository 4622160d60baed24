// SPDX-License-Identifier: Apache-2.0

// The largest memory of a build: primitives, and the corners of leaves. Corners
// are written last, over the memory of the primitives, because the first access
// to a page costs as much as writing it.
//
//   BuildMemory memory(mesh.triangle_count(), max_leaf);
//   Fill(memory.primitives(0));
//   ...
//   std::span<Triangle> corners = memory.StartCorners(count);
//   Fill(corners);
//   Array<Triangle> done = memory.FinishCorners();
//
// Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_BUILD_MEMORY_H_
#define ORBOX_BVH_BUILD_INTERNAL_BUILD_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "orbox/bvh/build/internal/fresh_array.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class BuildMemory {
 public:
  // Allocates two sets of this many primitives, for leaves of at most
  // `max_leaf`. The constructor and StartCorners may throw std::bad_alloc.
  BuildMemory(size_t triangles, size_t max_leaf)
      : triangles_(triangles),
        bytes_(FreshInLargePages<std::byte>(SizeFor(triangles, max_leaf) +
                                            kAlignment)) {}

  // Returns the first or second set, without values.
  std::span<Primitive> primitives(size_t set) const {
    return {reinterpret_cast<Primitive*>(begin()) + set * triangles_,
            triangles_};
  }

  // Returns memory for `count` corners. The primitives are invalid after this
  // call. Call it once.
  std::span<Triangle> StartCorners(size_t count) {
    if (begin() + count * sizeof(Triangle) <= end()) {
      corners_ = {reinterpret_cast<Triangle*>(begin()), count};
      owner_ = std::make_shared<FreshArray<std::byte>>(std::move(bytes_));
      return corners_;
    }
    bytes_ = FreshArray<std::byte>(0);
    auto own = std::make_shared<FreshArray<Triangle>>(
        FreshInLargePages<Triangle>(count));
    corners_ = own->values();
    owner_ = std::move(own);
    return corners_;
  }
  Array<Triangle> FinishCorners() {
    return Array<Triangle>(corners_, std::move(owner_));
  }

 private:
  static constexpr size_t kAlignment = 64;  // a cache line
  static_assert(kAlignment >= alignof(Primitive) &&
                kAlignment >= alignof(Triangle));

  // Returns bytes for the primitives, and for the corners if leaves are as full
  // as on most meshes: at most a seventh empty. Small trees do not count on
  // that, because their leaves differ more.
  static size_t SizeFor(size_t triangles, size_t max_leaf) {
    constexpr size_t kSmall = 4096;
    const size_t primitives = 2 * triangles * sizeof(Primitive);
    if (triangles < kSmall) return primitives;
    const size_t leaves = triangles / max_leaf * 7 / 6;
    return std::max(primitives, leaves * kLanes * sizeof(Triangle));
  }

  std::byte* begin() const {
    std::byte* const p = bytes_.values().data();
    const auto address = reinterpret_cast<uintptr_t>(p);
    return p + (kAlignment - address % kAlignment) % kAlignment;
  }
  std::byte* end() const {
    return bytes_.values().data() + bytes_.values().size();
  }

  size_t triangles_;
  FreshArray<std::byte> bytes_;
  std::span<Triangle> corners_;
  std::shared_ptr<const void> owner_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_BUILD_MEMORY_H_
