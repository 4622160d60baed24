// SPDX-License-Identifier: Apache-2.0

// Files that a command writes in addition to its result, such as reports and
// PLY files, and the size of pictures.
//
//   absl::StatusOr<std::string> path = ReadSideFile(arguments, kReportOption);
//   absl::Status status = WriteSideFile(*path, bytes);
//   absl::StatusOr<picture::PictureSize> size =
//       ReadPictureSize(arguments, "--size", {});
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_SIDE_FILE_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_SIDE_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/orbox/arguments/options.h"
#include "tools/picture/picture.h"

namespace orbox::cli {

inline constexpr Option kReportOption = {
    "--report",
    "FILE",
    "write a page for a browser, with pictures, the numbers, the pairs, and "
    "the cost of the query; it loads nothing from elsewhere",
    false,
    nullptr,
    Contents::kHtml};

inline constexpr Option kPictureSizeOption = {
    "--picture-size", "WxH",
    "size of the report's pictures (default: 1120x840)"};

// Returns the file name that an option gives, or an empty text if the option is
// absent. Returns a usage error for a bad name.
absl::StatusOr<std::string> ReadSideFile(const Arguments& arguments,
                                         const Option& option);

// Writes the whole file or nothing, like Output (output.h).
// Returns the error of a file that certainly cannot be written, so that no work
// is lost: its folder is missing, or it is a folder itself. "" and "-" are
// writable.
absl::Status CheckWritable(const std::string& path);

absl::Status WriteSideFile(const std::string& path, std::string_view bytes);

// Returns the size that `option` gives, such as 1200x900, or `otherwise`.
// Errors are usage errors.
absl::StatusOr<picture::PictureSize> ReadPictureSize(
    const Arguments& arguments, std::string_view option,
    const picture::PictureSize& otherwise);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_SIDE_FILE_H_
