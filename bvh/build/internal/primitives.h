// SPDX-License-Identifier: Apache-2.0

// The items that builders sort: the box and the id of a triangle.
//
//   WritePrimitives(mesh, {}, space, workers, primitives);     // O(n)
//
// A box is stored as eight floats: lo x, y, z and a spare one, then -hi x, y, z
// and a spare one. So the box around two boxes is the minimum of their rows.
// Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_
#define ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

// Lanes: lo, a spare lane, -hi, a spare lane. Initially an empty box.
struct alignas(32) BoxRow {
  float v[8] = {kFloatInfinity, kFloatInfinity, kFloatInfinity, kFloatInfinity,
                kFloatInfinity, kFloatInfinity, kFloatInfinity, kFloatInfinity};

  float lo(size_t axis) const { return v[axis]; }
  float hi(size_t axis) const { return -v[axis + 4]; }
  float Edge(size_t axis) const { return -v[axis + 4] - v[axis]; }

  // Returns half of the surface area. Requires a box that is not empty.
  float HalfArea() const {
    const float x = Edge(0);
    const float y = Edge(1);
    const float z = Edge(2);
    return x * y + y * z + z * x;
  }
};

// The box of one or more triangles in tree space, up to rounding. It guides
// builders, and is not a bound. The first spare lane contains the id.
struct Primitive {
  BoxRow box;

  // This mark turns the bits of an id into a float between 2 and 2^32.
  // Arithmetic on the whole row includes that lane, and on some machines
  // denormal numbers are slow.
  static constexpr uint32_t kMark = 0x40000000;

  uint32_t id() const { return std::bit_cast<uint32_t>(box.v[3]) ^ kMark; }
  void set_id(uint32_t id) {
    box.v[3] = std::bit_cast<float>(id ^ kMark);
    box.v[7] = 0;
  }
  // Returns twice the coordinate of the centre. Callers only compare these
  // numbers.
  float DoubledCenter(size_t axis) const {
    return box.v[axis] - box.v[axis + 4];
  }
};

// The primitives at positions [begin, end).
struct PrimitiveRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
};

// Writes the primitives of the triangles with these ids, or of all triangles if
// `ids` is empty.
void WritePrimitives(const Mesh& mesh, std::span<const uint32_t> ids,
                     const TreeSpace& space, const Workers& workers,
                     std::span<Primitive> primitives);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_
