// SPDX-License-Identifier: Apache-2.0

// Replaces the reader of BCF in builds without Expat or zlib.
#include "absl/status/status.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/bcf_review.h"

namespace orbox::cli {

absl::StatusOr<report::Review> ParseBcfReview(std::string_view,
                                              std::string_view name) {
  return absl::UnimplementedError(
      Cat(name,
          ": is BCF, and this Orbox was built without its reader; build it "
          "with Expat and zlib (ORBOX_WITH_3MF), or give a table"));
}

}  // namespace orbox::cli
