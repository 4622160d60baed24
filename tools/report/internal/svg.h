// SPDX-License-Identifier: Apache-2.0

// Numbers and colours as SVG and style sheets have them.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_SVG_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_SVG_H_

#include <cstdint>
#include <string>

namespace orbox::report {

// A coordinate, with one decimal: more cannot be seen.
std::string Place(double v);

// "#rrggbb", of 0xrrggbb.
std::string CssColor(uint32_t rgb);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_SVG_H_
