// SPDX-License-Identifier: Apache-2.0

// Text in pictures, drawn as strokes of a pen with a round tip.
//
//   AddText("0.25", {x, y}, /*height=*/14, mask);
//
// The letters are ours: digits, the Latin alphabet in lower case, some capitals
// and signs. Others are drawn as an empty box.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_TEXT_STROKES_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_TEXT_STROKES_H_

#include <string_view>

#include "tools/picture/internal/mask.h"

namespace orbox::picture {

// `left_baseline` is the place of the first letter; `height` is that of a
// digit, in pixels.
void AddText(std::string_view text, const Point2& left_baseline, double height,
             Mask& mask);

// The width of AddText's text.
double TextWidth(std::string_view text, double height);

// Whether each of its letters has a shape.
bool HasShapes(std::string_view text);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_TEXT_STROKES_H_
