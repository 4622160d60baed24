// The pictures of a report: everything, and a close-up if that shows more.
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

// For two meshes or more. None if the command was built without libpng.
absl::StatusOr<std::vector<ReportPicture>> DrawReportPictures(
    const Findings& findings, const std::string& caption,
    const PictureSize& size, const Settings& settings, Progress& progress);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_REPORT_PICTURES_H_
