// The pictures of a report: all there is to see, and a close-up where that
// shows more.
#ifndef ORBOX_TOOLS_ORBOX_REPORT_PICTURES_H_
#define ORBOX_TOOLS_ORBOX_REPORT_PICTURES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/orbox/picture/findings.h"
#include "tools/orbox/picture/picture_size.h"
#include "tools/orbox/progress.h"
#include "tools/orbox/report/report.h"
#include "tools/orbox/settings.h"

namespace orbox::cli {

// Of two meshes or more. None where the command was built without libpng.
absl::StatusOr<std::vector<ReportPicture>> DrawReportPictures(
    const Findings& findings, const std::string& caption,
    const PictureSize& size, const Settings& settings, Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_REPORT_PICTURES_H_
