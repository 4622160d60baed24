// SPDX-License-Identifier: Apache-2.0

// Legend of a picture's colours, in a column at the right.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_LEGEND_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_LEGEND_H_

#include <string>
#include <vector>

#include "tools/picture/color.h"
#include "tools/picture/internal/canvas.h"

namespace orbox::picture {

struct LegendEntry {
  enum class Sign { kPatch, kFrame, kGap, kText };
  Sign sign;
  Color color;
  std::string text;
};

struct Legend {
  std::vector<LegendEntry> entries;
  double scale_end = 0;  // 0 if there is no colour scale
  std::string scale_title;
};

// Returns the width of the column in a picture of `height` pixels.
double LegendWidth(const Legend& legend, int height);

// Draws the column at the right edge.
void DrawLegend(const Legend& legend, Canvas& canvas);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_LEGEND_H_
