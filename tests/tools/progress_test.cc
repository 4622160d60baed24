#include "tools/orbox/progress.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox::cli {
namespace {

using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ProgressTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pipe(ends_.data()), 0); }
  void TearDown() override { close(ends_[0]); }

  ProgressOptions Options(milliseconds delay) const {
    return {.descriptor = ends_[1],
            .enabled = true,
            .delay = delay,
            .interval = milliseconds(1)};
  }

  // All that has been drawn.
  std::string Drawn() {
    close(ends_[1]);
    std::string text;
    std::array<char, 4096> bytes;
    for (;;) {
      const ssize_t count = read(ends_[0], bytes.data(), bytes.size());
      if (count <= 0) return text;
      text.append(bytes.data(), count);
    }
  }

  std::array<int, 2> ends_{};
};

TEST_F(ProgressTest, ShowsRateAndShareAndCleansUp) {
  {
    Progress progress(Options(milliseconds(0)));
    progress.Begin("queries", 2000);
    progress.Advance(1000);
    std::this_thread::sleep_for(milliseconds(50));
  }
  const std::string drawn = Drawn();
  EXPECT_THAT(drawn, HasSubstr("queries: 50 %, 1,000 of 2,000, "));
  EXPECT_THAT(drawn, HasSubstr("/s"));
  EXPECT_THAT(drawn, EndsWith("\r\x1b[K"));
  EXPECT_THAT(drawn, Not(HasSubstr("\n")));
}

TEST_F(ProgressTest, ShowsTimeUntilAShareIsKnown) {
  {
    Progress progress(Options(milliseconds(0)));
    progress.Begin("reading a\nb");
    std::this_thread::sleep_for(milliseconds(50));
    progress.ShareDone(0.25);
    std::this_thread::sleep_for(milliseconds(50));
  }
  const std::string drawn = Drawn();
  EXPECT_THAT(drawn, HasSubstr("reading a\\nb: 0 s"));
  EXPECT_THAT(drawn, HasSubstr("reading a\\nb: 25 %"));
}

TEST_F(ProgressTest, ShortWorkDrawsNothing) {
  {
    Progress progress(Options(milliseconds(60'000)));
    progress.Begin("queries", 10);
    progress.Advance(10);
  }
  EXPECT_THAT(Drawn(), IsEmpty());
}

TEST_F(ProgressTest, DrawsNothingWhereThereIsNoTerminal) {
  {
    ProgressOptions options = Options(milliseconds(0));
    options.enabled = false;
    Progress progress(options);
    progress.Begin("queries", 10);
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_THAT(Drawn(), IsEmpty());
}

TEST_F(ProgressTest, MayEndTwice) {
  Progress progress(Options(milliseconds(0)));
  progress.Begin("queries");
  progress.End();
  progress.End();
  progress.Begin("more");
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_THAT(Drawn(), Not(HasSubstr("more")));
}

}  // namespace
}  // namespace orbox::cli
