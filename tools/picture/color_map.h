// SPDX-License-Identifier: Apache-2.0

// The colour of a fraction: dark violet at 0, for close meshes, to yellow at 1.
// Lightness grows evenly, so that equal steps look equal, also to colour-blind
// readers and in black and white.
//
//   Color color = MapColor(distance / within);
#ifndef ORBOX_TOOLS_PICTURE_COLOR_MAP_H_
#define ORBOX_TOOLS_PICTURE_COLOR_MAP_H_

#include "tools/picture/color.h"

namespace orbox::picture {

// Clamps `share` to 0 .. 1.
Color MapColor(double share);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_COLOR_MAP_H_
