// SPDX-License-Identifier: Apache-2.0

// Colours of pictures and reports: colours of objects, and a colour map for
// distances. Colour-blind readers can distinguish them, too (after Okabe and
// Ito, "Color universal design", 2008).
//
//   const Color color = FromHex(kColorOfKind[static_cast<size_t>(kind)]);
//   const Color near = MapColor(distance / within);
#ifndef ORBOX_TOOLS_PICTURE_PALETTE_H_
#define ORBOX_TOOLS_PICTURE_PALETTE_H_

#include <array>

#include "orbox/bvh/tree/node.h"
#include "tools/picture/color.h"

namespace orbox::picture {

inline constexpr uint32_t kColorOfA = 0xa9c1da;
inline constexpr uint32_t kColorOfB = 0xd9d3c9;
inline constexpr uint32_t kColorOfOthers = 0xdfe3e0;
// Colours of the two bodies of a clash. Other bodies are transparent.
inline constexpr uint32_t kColorOfFirst = 0x56b4e9;
inline constexpr uint32_t kColorOfSecond = 0xf0b93a;
inline constexpr uint32_t kColorOfAround = 0x8b97a3;
inline constexpr uint32_t kColorOfMeeting = 0xd5360a;
inline constexpr uint32_t kColorOfGap = 0xc2185b;
inline constexpr uint32_t kColorOfCreases = 0x29323d;

// Colours of a body, by its relation to others.
inline constexpr uint32_t kColorOfDuplicate = 0xcc79a7;
inline constexpr uint32_t kColorOfInside = 0xe69f00;
inline constexpr uint32_t kColorOfClash = 0xd55e00;
inline constexpr uint32_t kColorOfCrossing = 0x0072b2;
inline constexpr uint32_t kColorOfClearance = 0xf0e442;

// Colours by VolumeKind.
inline constexpr std::array<uint32_t, kVolumeKinds> kColorOfKind = {
    0xe69f00, 0x0072b2, 0x009e73};

// Returns the colour of a fraction from 0 to 1. Clamps the argument to this
// range.
Color MapColor(double share);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_PALETTE_H_
