// SPDX-License-Identifier: Apache-2.0

#include "tools/base/zip.h"

#include <string>

#include "gtest/gtest.h"

namespace orbox::tools {
namespace {

// Other programs read whole archives in tests/tools/bcf_check.py.
TEST(ZipTest, FilesAreStored) {
  ZipWriter zip;
  zip.Add("a/b.txt", "123456789");
  const absl::StatusOr<std::string> bytes = zip.Finish();
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes->substr(0, 4), std::string("PK\x03\x04"));
  // The check value of CRC-32, low byte first.
  EXPECT_EQ(bytes->substr(14, 4), std::string("\x26\x39\xf4\xcb"));
  EXPECT_EQ(bytes->substr(30, 16), "a/b.txt123456789");
  EXPECT_EQ(bytes->size(), 30U + 16 + 46 + 7 + 22);
  ZipWriter same;
  same.Add("a/b.txt", "123456789");
  EXPECT_EQ(*same.Finish(), *bytes);
}

TEST(ZipTest, EmptyArchive) {
  ZipWriter zip;
  EXPECT_EQ(zip.Finish()->size(), 22U);
}

TEST(ZipTest, TooManyFilesAreAnError) {
  ZipWriter zip;
  for (int i = 0; i < 65536; ++i) zip.Add("x", "");
  EXPECT_EQ(zip.Finish().status().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace orbox::tools
