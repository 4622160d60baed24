// SPDX-License-Identifier: Apache-2.0

// Lists of pairs that do not fit into --memory are errors, and exit codes need
// no list. All triangles of a mesh of copies overlap each other.

#include <cstddef>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

using ::testing::HasSubstr;

class ListMemoryTest : public OrboxCommandTest {
 protected:
  static constexpr int kCopies = 300;

  std::string Copies() const {
    std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 0; i < kCopies; ++i) obj += "f 1 2 3\n";
    return folder_.Write("copies.obj", obj);
  }
  void ExpectTooLong(Words words) {
    words.insert(words.end(), {"--memory", "800K"});
    const ProcessResult result = Run(words);
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("list would take more than --memory"));
    EXPECT_EQ(result.out, "");
  }
};

TEST_F(ListMemoryTest, ListsThatDoNotFitAreErrors) {
  const std::string copies = Copies();
  ExpectTooLong({"intersect", copies, copies});
  ExpectTooLong(
      {"intersect", copies, copies, "--exit-code", "--format", "json"});
  ExpectTooLong({"self-intersect", copies});
  ExpectTooLong(
      {"clearance", copies, copies, "--within", "3", "--format", "csv"});
  ExpectTooLong({"clearance", copies, copies, "--within", "3", "--places"});
  const Json json = JsonOf({"intersect", copies, copies, "--memory", "4M"});
  EXPECT_EQ(json["pairs"].size(), size_t{kCopies} * kCopies);
}

TEST_F(ListMemoryTest, ExitCodesAndCountsNeedNoList) {
  const std::string copies = Copies();
  const Words memory = {"--memory", "800K"};
  const auto run = [&](Words words) {
    words.insert(words.end(), memory.begin(), memory.end());
    return Run(words);
  };
  ProcessResult result = run({"intersect", copies, copies, "--exit-code"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr(" meet\n"));
  EXPECT_EQ(run({"intersect", copies, copies, "--expect", "meet"}).exit_code,
            0);
  EXPECT_EQ(run({"self-intersect", copies, "--exit-code"}).exit_code, 1);
  EXPECT_THAT(run({"intersect", copies, copies, "--count"}).out,
              HasSubstr(" meet: 90,000 pairs of triangles\n"));
  EXPECT_THAT(run({"self-intersect", copies, "--count"}).out,
              HasSubstr("meets itself: 44,850 pairs of triangles\n"));
  result = run({"clearance", copies, copies, "--within", "3", "--count",
                "--format", "csv"});
  EXPECT_THAT(result.out, HasSubstr(",90000\n"));
  result = run({"clearance", copies, copies, "--within", "3", "--exit-code"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("within 3: 90,000 pairs of triangles"));
}

}  // namespace
}  // namespace orbox
