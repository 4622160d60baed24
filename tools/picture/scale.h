// SPDX-License-Identifier: Apache-2.0

// The numbers beside a scale, in pictures and in charts.
//
//   for (const double tick : ScaleTicks(0.7)) label(ShortNumber(tick));
#ifndef ORBOX_TOOLS_PICTURE_SCALE_H_
#define ORBOX_TOOLS_PICTURE_SCALE_H_

#include <string>
#include <vector>

namespace orbox::picture {

// Round numbers from 0 to `end`, which is positive, and `end` itself.
std::vector<double> ScaleTicks(double end);

// Four digits at most: "0.25", "1.5e-07".
std::string ShortNumber(double value);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_SCALE_H_
