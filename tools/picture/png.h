// SPDX-License-Identifier: Apache-2.0

// Encodes a picture as a PNG file.
//
//   absl::StatusOr<std::string> bytes = EncodePng(image);
#ifndef ORBOX_TOOLS_PICTURE_PNG_H_
#define ORBOX_TOOLS_PICTURE_PNG_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/picture/image.h"

namespace orbox::picture {

// Returns kUnimplemented, with a remedy, if the command was built without
// libpng (the option ORBOX_WITH_PNG).
absl::Status CheckPngSupport();

// Returns the bytes of a PNG file. Equal pictures give equal bytes for the same
// version of libpng. Errors are those of CheckPngSupport, and
// kResourceExhausted.
absl::StatusOr<std::string> EncodePng(const Image& image);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_PNG_H_
