// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/output.h"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/json.h"
#include "tests/support/scratch_directory.h"
#include "tools/orbox/output/json_writer.h"

namespace orbox::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OutputTest : public ::testing::Test {
 protected:
  std::string Content() { return ScratchDirectory::Read(folder_.Path("out")); }
  ScratchDirectory folder_;
};

TEST_F(OutputTest, FilesAppearWholeAtTheEnd) {
  folder_.Write("out", "old");
  auto output = Output::Open(folder_.Path("out"));
  ASSERT_TRUE(output.ok());
  std::string expected;
  for (int i = 0; i < 100'000; ++i) {
    output->Write("line\n");
    expected += "line\n";
  }
  EXPECT_EQ(Content(), "old");
  EXPECT_TRUE(output->Close().ok());
  EXPECT_EQ(Content(), expected);
  EXPECT_THAT(folder_.Names(), ElementsAre("out"));
}

TEST_F(OutputTest, NothingIsLeftWithoutClose) {
  {
    auto output = Output::Open(folder_.Path("out"));
    ASSERT_TRUE(output.ok());
    output->Write("half");
    EXPECT_THAT(folder_.Names(), ::testing::SizeIs(1));
  }
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(OutputTest, KeepsThePermissionsOfWhatItReplaces) {
  folder_.Write("out", "old");
  chmod(folder_.Path("out").c_str(), 0640);
  auto output = Output::Open(folder_.Path("out"));
  EXPECT_TRUE(output->Close().ok());
  struct stat info;
  ASSERT_EQ(stat(folder_.Path("out").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640U);
}

TEST_F(OutputTest, WritesThroughSymbolicLinks) {
  folder_.Write("real", "old");
  std::filesystem::create_symlink("real", folder_.Path("out"));
  auto output = Output::Open(folder_.Path("out"));
  output->Write("new");
  EXPECT_TRUE(output->Close().ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.Path("out")));
  EXPECT_EQ(ScratchDirectory::Read(folder_.Path("real")), "new");
}

TEST_F(OutputTest, DevicesAreWrittenInPlace) {
  auto null = Output::Open("/dev/null");
  ASSERT_TRUE(null.ok());
  null->Write("gone");
  EXPECT_TRUE(null->Close().ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));

  auto full = Output::Open("/dev/full");
  ASSERT_TRUE(full.ok());
  for (int i = 0; i < 100'000; ++i) full->Write("line\n");
  EXPECT_TRUE(full->failed());
  const absl::Status status = full->Close();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/dev/full"));
}

TEST_F(OutputTest, SaysWhyAFileCannotBeWritten) {
  const auto missing = Output::Open(folder_.Path("none/out"));
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(missing.status().message()), HasSubstr("none/out"));
  const auto directory = Output::Open(folder_.Path(""));
  EXPECT_EQ(directory.status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(OutputTest, JsonReadsBackTheSame) {
  auto output = Output::Open(folder_.Path("out"));
  JsonWriter json(*output);
  json.BeginObject();
  json.Field("yes", true);
  json.Field("n", std::numeric_limits<uint64_t>::max());
  json.Field("tenth", 0.1);
  json.Field("infinite", std::numeric_limits<double>::infinity());
  json.Field("nan", std::numeric_limits<double>::quiet_NaN());
  json.Field("p", Vec3{1, -0.0, 1e300});
  json.Key("text");
  json.String("a\"b\\c\nd");
  json.Key("empty");
  json.BeginArray();
  json.EndArray();
  json.Key("list");
  json.BeginArray();
  json.Value(1);
  json.BeginObject();
  json.EndObject();
  json.Value(2);
  json.EndArray();
  json.EndObject();
  ASSERT_TRUE(output->Close().ok());

  const std::optional<Json> read = ParseJson(Content());
  ASSERT_TRUE(read.has_value()) << Content();
  EXPECT_TRUE((*read)["yes"].boolean());
  EXPECT_EQ((*read)["n"].text, "18446744073709551615");
  EXPECT_EQ((*read)["tenth"].text, "0.1");
  EXPECT_TRUE((*read)["infinite"].is_null());
  EXPECT_TRUE((*read)["nan"].is_null());
  EXPECT_EQ((*read)["p"][2].number(), 1e300);
  EXPECT_EQ((*read)["text"].text, "a\"b\\c\nd");
  EXPECT_EQ((*read)["empty"].size(), 0U);
  EXPECT_EQ((*read)["list"].size(), 3U);
}

TEST(JsonTest, TheReaderIsStrict) {
  for (const std::string text :
       {"", "{", "[1,]", "{\"a\":1,}", "NaN", "Infinity", "01", "1.", ".5",
        "+1", "{a:1}", "{\"a\":1,\"a\":2}", "[1] 2", "'a'", "\"\n\"", "tru"}) {
    EXPECT_FALSE(ParseJson(text).has_value()) << text;
  }
  EXPECT_EQ((*ParseJson(" [ 1 , -2.5e+3 ] "))[1].number(), -2500);
}

}  // namespace
}  // namespace orbox::cli
