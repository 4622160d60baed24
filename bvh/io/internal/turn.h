// SPDX-License-Identifier: Apache-2.0

// Sine and cosine of a fraction of a full turn, with equal bits on every
// machine. Uses only operations that IEEE 754 rounds correctly, because the C
// library's functions differ from version to version.
//
//   const Turn t = TurnOf(1, 4);  // a quarter: t.cos == 0, t.sin == 1, exactly
//
// Exact at multiples of a quarter turn, bitwise symmetric between octants, and
// accurate to 2 ulps elsewhere.
#ifndef ORBOX_BVH_IO_INTERNAL_TURN_H_
#define ORBOX_BVH_IO_INTERNAL_TURN_H_

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace orbox::mesh_internal {

struct Turn {
  double cos;
  double sin;
};

// Returns sine and cosine of part / whole of a full turn. Requires 0 < whole <
// 2^60.
Turn TurnOf(uint64_t part, uint64_t whole);

// Implementation only below.

// Requires 0 <= x <= pi / 4. Taylor series. The first omitted terms, x^17 / 17!
// and x^18 / 18!, are below 2^-54.
inline Turn TurnOfSmallAngle(double x) {
  const double y = x * x;
  double sin = 0;
  double cos = 0;
  for (int k = 16; k >= 2; k -= 2) {
    // Horner's scheme: 1 - y/(1*2) (1 - y/(3*4) (...)), and similar for the
    // sine.
    cos = (y / ((k - 1) * k)) * (1 - cos);
    if (k < 16) sin = (y / (k * (k + 1))) * (1 - sin);
  }
  return {1 - cos, x - x * sin};
}

inline Turn TurnOf(uint64_t part, uint64_t whole) {
  part %= whole;
  const uint64_t octant = 8 * part / whole;
  const uint64_t rest = 8 * part % whole;
  // Odd octants are measured from their end, so that all use one formula.
  const bool odd = octant % 2 != 0;
  const double share = static_cast<double>(odd ? whole - rest : rest) /
                       static_cast<double>(whole);
  // At 1/8 of a turn, where two octants join, both must be equal.
  Turn t = share == 1 ? Turn{std::sqrt(0.5), std::sqrt(0.5)}
                      : TurnOfSmallAngle(share * (std::numbers::pi / 4));
  if (octant == 1 || octant == 2 || octant == 5 || octant == 6) {
    std::swap(t.cos, t.sin);
  }
  if (octant >= 2 && octant <= 5) t.cos = 0 - t.cos;
  if (octant >= 4) t.sin = 0 - t.sin;
  return t;
}

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_TURN_H_
