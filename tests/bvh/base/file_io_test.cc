// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/file_io.h"

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace orbox {
namespace {

namespace fs = std::filesystem;

// A folder of its own, empty at first.
class FileIoTest : public testing::Test {
 protected:
  FileIoTest()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~FileIoTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }
  ptrdiff_t Files() const {
    return std::distance(fs::directory_iterator(folder_), {});
  }
  std::string Contents(const std::string& name) const {
    const absl::StatusOr<FileBytes> file = ReadFileBytes(Path(name));
    return file.ok() ? std::string(file->view()) : file.status().ToString();
  }

  fs::path folder_;
};

TEST_F(FileIoTest, ReadsWhatWasWritten) {
  std::string bytes(200'000, 'x');
  bytes[100'000] = '\0';
  ASSERT_TRUE(WriteFileWhole(Path("f"), bytes).ok());
  EXPECT_EQ(Contents("f"), bytes);
  EXPECT_EQ(Files(), 1) << "a temporary file stayed behind";
}

TEST_F(FileIoTest, PartsAreWrittenOneAfterTheOther) {
  const std::string_view parts[] = {"one ", "", "two"};
  ASSERT_TRUE(WriteFileWhole(Path("f"), parts).ok());
  EXPECT_EQ(Contents("f"), "one two");
}

TEST_F(FileIoTest, AReplacedFileKeepsItsPermissions) {
  ASSERT_TRUE(WriteFileWhole(Path("f"), "old").ok());
  fs::permissions(Path("f"), fs::perms(0640));
  ASSERT_TRUE(WriteFileWhole(Path("f"), "new").ok());
  EXPECT_EQ(Contents("f"), "new");
  EXPECT_EQ(fs::status(Path("f")).permissions(), fs::perms(0640));
}

TEST_F(FileIoTest, ALinkIsFollowed) {
  ASSERT_TRUE(WriteFileWhole(Path("target"), "old").ok());
  fs::create_symlink("target", Path("link"));
  ASSERT_TRUE(WriteFileWhole(Path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(Contents("target"), "new");
}

TEST_F(FileIoTest, ErrorsNameTheFileAndLeaveNothing) {
  fs::create_directory(folder_ / "sub");
  const absl::Status folder = WriteFileWhole(Path("sub"), "x");
  EXPECT_EQ(folder.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(folder.ToString().find(Path("sub")), std::string::npos);
  EXPECT_FALSE(WriteFileWhole(Path("none/f"), "x").ok());
  EXPECT_EQ(Files(), 1);
  EXPECT_EQ(ReadFileBytes(Path("none")).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadFileBytes(Path("sub")).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox
