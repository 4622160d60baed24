// Text in pictures, drawn as strokes of a pen with a round tip.
//
//   AddText("0.25", {x, y}, /*height=*/14, mask);
//
// The letters are ours: digits, the Latin alphabet in lower case, some capitals
// and signs. What has no shape is drawn as an empty box.
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_TEXT_STROKES_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_TEXT_STROKES_H_

#include <string_view>

#include "tools/orbox/picture/mask.h"

namespace orbox::cli {

// `left_baseline` is where the first letter stands; `height` is that of a
// digit, in pixels.
void AddText(std::string_view text, const Point2& left_baseline, double height,
             Mask& mask);

// How far AddText moves to the right.
double TextWidth(std::string_view text, double height);

// Whether each of its letters has a shape.
bool HasShapes(std::string_view text);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_TEXT_STROKES_H_
