// SPDX-License-Identifier: Apache-2.0

// Text in pictures, drawn as strokes of a pen with a round tip.
//
//   AddText("0.25", {x, y}, /*height=*/14, mask);
//
// Available characters are digits, the Latin alphabet in lower case, some
// capitals and some signs. Others are drawn as an empty box.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_TEXT_STROKES_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_TEXT_STROKES_H_

#include <string_view>

#include "tools/picture/internal/mask.h"

namespace orbox::picture {

// Adds a text. `left_baseline` is the position of the first letter. `height` is
// the height of a digit, in pixels.
void AddText(std::string_view text, const Point2& left_baseline, double height,
             Mask& mask);

// Returns the width of the text as drawn by AddText.
double TextWidth(std::string_view text, double height);

// Returns true if each letter of the text has a shape.
bool HasShapes(std::string_view text);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_TEXT_STROKES_H_
