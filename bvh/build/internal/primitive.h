// SPDX-License-Identifier: Apache-2.0

// The items that builders sort: the box of a triangle, and its id.
//
// A box is held as eight floats, lo x, y, z and a spare one, then -hi x, y, z
// and a spare one, so that the box around two is the minimum of the two rows.
// Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_PRIMITIVE_H_
#define ORBOX_BVH_BUILD_INTERNAL_PRIMITIVE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace orbox {

inline constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();

// lo, spare, -hi, spare. Starts empty.
struct alignas(32) BoxRow {
  float v[8] = {kFloatInfinity, kFloatInfinity, kFloatInfinity, kFloatInfinity,
                kFloatInfinity, kFloatInfinity, kFloatInfinity, kFloatInfinity};

  float lo(size_t axis) const { return v[axis]; }
  float hi(size_t axis) const { return -v[axis + 4]; }
  float Edge(size_t axis) const { return -v[axis + 4] - v[axis]; }

  // Half of the surface. Requires a box that is not empty.
  float HalfArea() const {
    const float x = Edge(0);
    const float y = Edge(1);
    const float z = Edge(2);
    return x * y + y * z + z * x;
  }
};

// The box of a triangle, or of several, in tree space, to within rounding: it
// guides builders, and bounds nothing. The first spare lane has the id.
struct Primitive {
  BoxRow box;

  // A float with its bits is between 2 and 2^32, because arithmetic on the
  // whole row touches it, and some machines are slow with denormal numbers.
  static constexpr uint32_t kMark = 0x40000000;

  uint32_t id() const { return std::bit_cast<uint32_t>(box.v[3]) ^ kMark; }
  void set_id(uint32_t id) {
    box.v[3] = std::bit_cast<float>(id ^ kMark);
    box.v[7] = 0;
  }
  // Twice the centre of the box; only its order matters.
  float DoubledCenter(size_t axis) const {
    return box.v[axis] - box.v[axis + 4];
  }
};

// Positions [begin, end) of primitives.
struct PrimitiveRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_PRIMITIVE_H_
