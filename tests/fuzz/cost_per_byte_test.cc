// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/cost_per_byte.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace orbox {
namespace {

// Reads in a time that the test sets.
class Reader {
 public:
  absl::Status operator()(std::string_view bytes, double seconds) {
    return costs_.Of(bytes, [&] {
      now_ += seconds;
      ++runs_;
      return absl::OkStatus();
    });
  }
  int runs() const { return runs_; }

 private:
  double now_ = 0;
  int runs_ = 0;
  CostPerByte costs_{[this] { return now_; }};
};

constexpr double kPerByte = 1e-6;

void ReadManyGoodOnes(Reader& reader) {
  const std::string bytes(1000 - 256, 'x');
  for (int i = 0; i < 200; ++i) reader(bytes, 1000 * kPerByte).IgnoreError();
}

TEST(CostPerByteTest, FindsWhatCostsTooMuchForItsLength) {
  const std::string bytes(10'000 - 256, 'x');
  Reader reader;
  ReadManyGoodOnes(reader);
  EXPECT_TRUE(reader(bytes, 49 * 10'000 * kPerByte).ok());
  EXPECT_DEATH(reader(bytes, 51 * 10'000 * kPerByte).IgnoreError(),
               "50 times the median");
}

TEST(CostPerByteTest, MeasuresThreeTimesBeforeItComplains) {
  double now = 0;
  CostPerByte costs([&now] { return now; });
  const std::string bytes(1000 - 256, 'x');
  for (int i = 0; i < 200; ++i) {
    costs.Of(bytes, [&] { return now += 1e-3, absl::OkStatus(); })
        .IgnoreError();
  }
  int runs = 0;
  // A machine that was busy the first two times.
  costs
      .Of(bytes,
          [&] { return now += ++runs < 3 ? 10.0 : 1e-3, absl::OkStatus(); })
      .IgnoreError();
  EXPECT_EQ(runs, 3);
}

TEST(CostPerByteTest, SaysNothingUntilThereIsAMedian) {
  Reader reader;
  EXPECT_TRUE(reader("x", 1000).ok());
  EXPECT_EQ(reader.runs(), 1);
}

TEST(CostPerByteTest, RepeatsALineWithNewNames) {
  EXPECT_EQ(WithLineRepeated("a b\nc 1\n", 0, 3),
            "a b0\na b1\na b2\na b\nc 1\n");
  EXPECT_EQ(WithLineRepeated("a b\nc 1\n", 1, 2), "a b\nc 1\nc 1\nc 1\n");
  EXPECT_EQ(WithLineRepeated("a", 0, 1), "a0\na");
  EXPECT_EQ(WithLineRepeated("a\n", 9, 1), "a\n\n");
  EXPECT_EQ(WithLineRepeated("", 0, 2), "\n\n");
}

}  // namespace
}  // namespace orbox
