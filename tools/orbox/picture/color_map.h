// From a share to a colour: dark violet at 0, where meshes are close, to yellow
// at 1. Lightness grows evenly, so that equal steps look equal, to those who
// see fewer colours and in black and white too.
//
//   Color color = MapColor(distance / within);
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_COLOR_MAP_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_COLOR_MAP_H_

#include "tools/orbox/picture/color.h"

namespace orbox::cli {

// Shares outside of 0 to 1 count as the nearer end.
Color MapColor(double share);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_COLOR_MAP_H_
