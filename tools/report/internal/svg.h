// SPDX-License-Identifier: Apache-2.0

// Numbers and colours in the syntax of SVG and style sheets.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_SVG_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_SVG_H_

#include <cstdint>
#include <string>

namespace orbox::report {

// Returns a coordinate with one decimal; more are not visible.
std::string Place(double v);

// Returns "#rrggbb" for 0xrrggbb.
std::string CssColor(uint32_t rgb);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_SVG_H_
