// SPDX-License-Identifier: Apache-2.0

// The script that shows a model to rotate, with the library that it needs.
//
//   if (!ViewerBundle().empty()) html.Raw(ViewerBundle());
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_VIEWER_BUNDLE_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_VIEWER_BUNDLE_H_

#include <string_view>

namespace orbox::report {

// Returns JavaScript (tools/viewer), compressed by gzip, as base64. Empty if
// Orbox was built without it (ORBOX_WITH_VIEWER).
std::string_view ViewerBundle();

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_VIEWER_BUNDLE_H_
