// A picture as a PNG file.
//
//   absl::StatusOr<std::string> bytes = EncodePng(image);
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_PNG_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_PNG_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/orbox/picture/canvas.h"

namespace orbox::cli {

// OK, or kUnimplemented where the command was built without libpng (the option
// ORBOX_WITH_PNG), with what to do.
absl::Status CheckPngSupport();

// The same bytes for the same picture (and libpng). Errors: as above, and
// kResourceExhausted.
absl::StatusOr<std::string> EncodePng(const Image& image);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_PNG_H_
