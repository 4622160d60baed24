// SPDX-License-Identifier: Apache-2.0

// Replaces the reader of BCF in builds without Expat or zlib.
#include <string_view>

#include "absl/status/status.h"
#include "tools/base/text.h"
#include "tools/report/review.h"

namespace orbox::report {

absl::StatusOr<Review> ParseBcfReview(std::string_view, std::string_view name) {
  return absl::UnimplementedError(tools::Cat(
      name, ": is BCF, and this Orbox was built without its reader; build it "
            "with Expat and zlib (ORBOX_WITH_3MF), or give a table"));
}

}  // namespace orbox::report
