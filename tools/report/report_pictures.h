// SPDX-License-Identifier: Apache-2.0

// The pictures of a report: all there is to see, and a close-up where that
// shows more.
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

// Pictures of two meshes or more, with `nearest`. The options say how large the
// pictures are, and how they are drawn: on a transparent background, without a
// legend. The progress is that of all pictures together. None where the library
// was built without libpng. Errors as DrawPicture and EncodePng.
absl::StatusOr<std::vector<ReportPicture>> DrawReportPictures(
    const picture::Findings& findings, const std::string& caption,
    picture::PictureOptions options);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_REPORT_PICTURES_H_
