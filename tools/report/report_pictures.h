// SPDX-License-Identifier: Apache-2.0

// The pictures of a report: all of the meshes, and a close-up if that shows
// more.
//
//   absl::StatusOr<std::vector<ReportPicture>> pictures =
//       DrawReportPictures(findings, "A and B", {.threads = 2});
#ifndef ORBOX_TOOLS_REPORT_REPORT_PICTURES_H_
#define ORBOX_TOOLS_REPORT_REPORT_PICTURES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/picture/findings.h"
#include "tools/picture/picture.h"

namespace orbox::report {

struct ReportPicture {
  std::string png;  // the file's bytes
  int width = 0;
  int height = 0;
  std::string caption;
};

// Draws pictures of two or more meshes. Requires `nearest`. The options define
// the size and the drawing; the background is transparent, and there is no
// legend. The progress is that of all pictures together. Empty if the library
// was built without libpng. Errors are those of DrawPicture and EncodePng.
absl::StatusOr<std::vector<ReportPicture>> DrawReportPictures(
    const picture::Findings& findings, const std::string& caption,
    picture::PictureOptions options);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_REPORT_PICTURES_H_
