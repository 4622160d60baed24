// SPDX-License-Identifier: Apache-2.0

// Reads decisions from a file: a table (tools/report/review.h), or a BCF file
// of version 2.1 or 3.0.
//
//   absl::StatusOr<report::Review> review = ParseReview(bytes, "last.bcf");
#ifndef ORBOX_TOOLS_ORBOX_CLASH_BCF_REVIEW_H_
#define ORBOX_TOOLS_ORBOX_CLASH_BCF_REVIEW_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "tools/report/review.h"

namespace orbox::cli {

// Parses the markups of a BCF file. Returns kInvalidArgument for other files,
// and kUnimplemented if Orbox was built without Expat or zlib. `name` is the
// name of the file for messages.
absl::StatusOr<report::Review> ParseBcfReview(std::string_view bytes,
                                              std::string_view name);

// Parses a table or a BCF file.
inline absl::StatusOr<report::Review> ParseReview(std::string_view bytes,
                                                  std::string_view name) {
  return bytes.starts_with("PK\x03\x04")
             ? ParseBcfReview(bytes, name)
             : report::ParseReviewTable(bytes, name);
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_BCF_REVIEW_H_
