// SPDX-License-Identifier: Apache-2.0

// The model on a page of clashes: a canvas next to the list, and the scripts
// that draw it. Adds nothing if the report has no model.
//
//   AddClashModel(report, html);          // in the list's element
//   AddClashModelScripts(report, html);   // at the end of the page
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_CLASH_VIEWER_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_CLASH_VIEWER_H_

#include "tools/report/clash_report.h"
#include "tools/report/internal/html.h"

namespace orbox::report {

// The canvas is hidden until a script has drawn the model.
void AddClashModel(const ClashReport& report, Html& html);

// Adds the bodies, the viewer, and the script that connects it to the list.
void AddClashModelScripts(const ClashReport& report, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_CLASH_VIEWER_H_
