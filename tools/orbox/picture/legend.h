// The meaning of a picture's colours, in a column at its right side.
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_LEGEND_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_LEGEND_H_

#include <string>
#include <vector>

#include "tools/orbox/picture/canvas.h"
#include "tools/orbox/picture/color.h"

namespace orbox::cli {

struct LegendEntry {
  enum class Sign { kPatch, kFrame, kGap, kText };
  Sign sign;
  Color color;
  std::string text;
};

struct Legend {
  std::vector<LegendEntry> entries;
  double scale_end = 0;  // 0: no scale of colours
  std::string scale_title;
};

// The width of the column in a picture of `height` pixels.
double LegendWidth(const Legend& legend, int height);

// Draws the column at the right edge.
void DrawLegend(const Legend& legend, Canvas& canvas);

// Round numbers from 0 to `end`, which is positive, and `end` itself.
std::vector<double> ScaleTicks(double end);

// Four digits at most: "0.25", "1.5e-07".
std::string ShortNumber(double value);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_LEGEND_H_
