// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/picture_size.h"

#include <cstdint>
#include <string>

#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {

absl::StatusOr<picture::PictureSize> ReadPictureSize(
    const Arguments& arguments, std::string_view option,
    const picture::PictureSize& otherwise) {
  constexpr uint64_t kSmallest = 16, kLargest = 16384;
  if (!arguments.Has(option)) return otherwise;
  const std::string text = arguments.Value(option);
  const size_t x = text.find('x');
  if (x != std::string::npos) {
    const absl::StatusOr<uint64_t> width =
        ParseCount(std::string_view(text).substr(0, x), kSmallest, kLargest);
    const absl::StatusOr<uint64_t> height =
        ParseCount(std::string_view(text).substr(x + 1), kSmallest, kLargest);
    if (width.ok() && height.ok()) {
      return picture::PictureSize{static_cast<int>(*width),
                                  static_cast<int>(*height)};
    }
  }
  return UsageError(Cat(option, ": ", Quoted(text),
                        " is no size; give WIDTHxHEIGHT, each ", kSmallest,
                        " to ", kLargest, ", as 1200x900"));
}

}  // namespace orbox::cli
