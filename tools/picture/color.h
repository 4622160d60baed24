// SPDX-License-Identifier: Apache-2.0

// Colours, in linear light.
//
//   Color red = FromHex(0xd55e00);
//   uint8_t byte = ByteOf(red.x);
//
// Colours are added and averaged in linear light. Bytes contain the square root
// of linear light, which is close to the transfer function of sRGB. Unlike a
// power, a square root is correctly rounded on every machine.
#ifndef ORBOX_TOOLS_PICTURE_COLOR_H_
#define ORBOX_TOOLS_PICTURE_COLOR_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox::picture {

// Components x, y, z are red, green, blue. Bytes represent 0 to 1.
using Color = Vec3;

inline double LinearOf(uint8_t byte) {
  const double v = byte / 255.0;
  return v * v;
}

// Returns the inverse of LinearOf; clamps to 0 .. 1.
inline uint8_t ByteOf(double linear) {
  const double v = std::sqrt(std::clamp(linear, 0.0, 1.0));
  return static_cast<uint8_t>(v * 255 + 0.5);
}

// Returns the colour of 0xrrggbb, as in style sheets.
inline Color FromHex(uint32_t rgb) {
  return {LinearOf(static_cast<uint8_t>(rgb >> 16)),
          LinearOf(static_cast<uint8_t>(rgb >> 8)),
          LinearOf(static_cast<uint8_t>(rgb))};
}
inline uint32_t HexOf(const Color& color) {
  return static_cast<uint32_t>(ByteOf(color.x)) << 16 |
         static_cast<uint32_t>(ByteOf(color.y)) << 8 | ByteOf(color.z);
}

inline Color Mixed(const Color& from, const Color& to, double share) {
  return from * (1 - share) + to * share;
}

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_COLOR_H_
