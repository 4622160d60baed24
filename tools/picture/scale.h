// SPDX-License-Identifier: Apache-2.0

// Numbers of a scale in pictures and charts.
//
//   for (const double tick : ScaleTicks(0.7)) label(ShortNumber(tick));
#ifndef ORBOX_TOOLS_PICTURE_SCALE_H_
#define ORBOX_TOOLS_PICTURE_SCALE_H_

#include <string>
#include <vector>

namespace orbox::picture {

// Returns round numbers from 0 to `end`, and `end` itself. Requires end > 0.
std::vector<double> ScaleTicks(double end);

// Returns a number with at most four digits: "0.25", "1.5e-07".
std::string ShortNumber(double value);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_SCALE_H_
