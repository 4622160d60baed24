// SPDX-License-Identifier: Apache-2.0

// The size of a picture, from the command line.
//
//   absl::StatusOr<picture::PictureSize> size = ReadPictureSize(arguments,
//   "--size",
//   {});
#ifndef ORBOX_TOOLS_ORBOX_ARGUMENTS_PICTURE_SIZE_H_
#define ORBOX_TOOLS_ORBOX_ARGUMENTS_PICTURE_SIZE_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "tools/orbox/arguments/options.h"
#include "tools/picture/picture.h"

namespace orbox::cli {

// Returns the value of `option`, for example 1200x900, or `otherwise`. Errors
// are usage errors.
absl::StatusOr<picture::PictureSize> ReadPictureSize(
    const Arguments& arguments, std::string_view option,
    const picture::PictureSize& otherwise);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ARGUMENTS_PICTURE_SIZE_H_
