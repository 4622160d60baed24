// SPDX-License-Identifier: Apache-2.0

// Messages about tree files that are refused.
#ifndef ORBOX_TESTS_SUPPORT_TREE_FILE_ERRORS_H_
#define ORBOX_TESTS_SUPPORT_TREE_FILE_ERRORS_H_

#include <algorithm>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/tree/tree_file.h"

namespace orbox {

// The message for bytes that are expected to be refused, in one printable line
// that begins with the name.
inline std::string ErrorOf(const absl::Status& status,
                           const std::string& name) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  const std::string message(status.message());
  EXPECT_THAT(message, testing::StartsWith(name + ": "));
  EXPECT_TRUE(std::all_of(message.begin(), message.end(), [](char c) {
    return c >= ' ' && c <= '~';
  })) << message;
  return message;
}
inline std::string ErrorFor(std::string_view bytes) {
  return ErrorOf(DecodeTree(bytes, "bad", {.threads = 1}).status(), "bad");
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_TREE_FILE_ERRORS_H_
