// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/base/progress.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox::cli {
namespace {

using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kErase = "\r\x1b[K";

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

  // Waits until `text` has been drawn, from `begin` on, for as long as a busy
  // machine may need.
  void WaitFor(const std::string& text, size_t begin = 0) {
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::minutes(10);
    while (drawn_.find(text, begin) == std::string::npos) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << drawn_;
      pollfd wait{.fd = ends_[0], .events = POLLIN, .revents = 0};
      if (poll(&wait, 1, 100) > 0) ReadSome();
    }
  }

  // Reads what has been drawn so far; returns its size.
  size_t SizeDrawn() {
    pollfd wait{.fd = ends_[0], .events = POLLIN, .revents = 0};
    while (poll(&wait, 1, 0) > 0) ReadSome();
    return drawn_.size();
  }

  // Waits until a line has been drawn whose share was read after this call.
  void WaitForAnotherLine() {
    size_t begin = SizeDrawn();
    // The first may be under way.
    for (int i = 0; i < 2; ++i) {
      WaitFor(kErase, begin);
      begin = drawn_.find(kErase, begin) + 1;
    }
  }

  // All that has been drawn.
  std::string Drawn() {
    close(ends_[1]);
    while (ReadSome()) {
    }
    return drawn_;
  }

  bool ReadSome() {
    std::array<char, 4096> bytes;
    const ssize_t count = read(ends_[0], bytes.data(), bytes.size());
    if (count > 0) drawn_.append(bytes.data(), count);
    return count > 0;
  }

  std::string drawn_;
  std::array<int, 2> ends_{};
};

TEST_F(ProgressTest, ShowsRateAndShareAndCleansUp) {
  {
    ProgressDisplay progress(Options(milliseconds(0)));
    progress.Begin("queries", 2000);
    progress.Advance(1000);
    WaitFor("queries: 50 %, 1,000 of 2,000, ");
  }
  const std::string drawn = Drawn();
  EXPECT_THAT(drawn, HasSubstr("/s"));
  EXPECT_THAT(drawn, EndsWith(kErase));
  EXPECT_THAT(drawn, Not(HasSubstr("\n")));
}

TEST(ProgressLineTest, TellsShareRateAndTimeLeft) {
  EXPECT_EQ(ProgressLine({.what = "queries",
                          .total = 2000,
                          .unit = {},
                          .share = 0.5,
                          .seconds = 4}),
            "queries: 50 %, 1,000 of 2,000, 250/s, 4 s left");
  EXPECT_EQ(ProgressLine({.what = "reading a.stl",
                          .total = 400'000'000,
                          .unit = kBytes,
                          .share = 0.25,
                          .seconds = 2}),
            "reading a.stl: 25 %, 100 of 400 MB, 50 MB/s, 6 s left");
  EXPECT_EQ(ProgressLine({.what = "building the tree",
                          .total = 1'000'000,
                          .unit = "triangles",
                          .share = 0.1,
                          .seconds = 10}),
            "building the tree: 10 %, 100,000 of 1,000,000 triangles, "
            "10,000 triangles/s, 1 min 30 s left");
  EXPECT_EQ(ProgressLine({.what = "pairs",
                          .total = 0,
                          .unit = {},
                          .share = 0.01,
                          .seconds = 100}),
            "pairs: 1 %, 2 h 45 min left");
  // Too early for a guess, nothing known, and nothing left.
  EXPECT_EQ(ProgressLine({.what = "pairs",
                          .total = 0,
                          .unit = {},
                          .share = 0.5,
                          .seconds = 0.5}),
            "pairs: 50 %");
  EXPECT_EQ(ProgressLine({.what = "pairs",
                          .total = 9,
                          .unit = {},
                          .share = 0,
                          .seconds = 7.9}),
            "pairs: 7 s");
  EXPECT_EQ(ProgressLine({.what = "queries",
                          .total = 8,
                          .unit = {},
                          .share = 1,
                          .seconds = 2}),
            "queries: 100 %, 8 of 8, 4/s");
}

TEST_F(ProgressTest, AShareOfATotalHasARate) {
  {
    ProgressDisplay progress(Options(milliseconds(0)));
    progress.Begin("reading", 3'000'000, kBytes);
    progress.ShareDone(0.5);
    WaitFor("reading: 50 %, 2 of 3 MB, ");
  }
  EXPECT_THAT(Drawn(), HasSubstr(" MB/s"));
}

TEST_F(ProgressTest, ShowsTimeUntilAShareIsKnown) {
  {
    ProgressDisplay progress(Options(milliseconds(0)));
    progress.Begin("reading a\nb");
    WaitFor(" s");
    progress.ShareDone(0.25);
    WaitFor("25 %");
  }
  const std::string drawn = Drawn();
  EXPECT_THAT(drawn, ::testing::ContainsRegex("reading a\\\\nb: [0-9]+ s"));
  EXPECT_THAT(drawn, HasSubstr("reading a\\nb: 25 %"));
}

TEST_F(ProgressTest, ShortWorkDrawsNothing) {
  {
    ProgressDisplay progress(Options(std::chrono::hours(24)));
    progress.Begin("queries", 10);
    progress.Advance(10);
  }
  EXPECT_THAT(Drawn(), IsEmpty());
}

TEST_F(ProgressTest, DrawsNothingWhereThereIsNoTerminal) {
  {
    ProgressOptions options = Options(milliseconds(0));
    options.enabled = false;
    ProgressDisplay progress(options);
    progress.Begin("queries", 10);
    ProgressDisplay other(Options(milliseconds(0)));
    other.Begin("drawing");
    WaitForAnotherLine();
  }
  EXPECT_THAT(Drawn(), Not(HasSubstr("queries")));
}

TEST_F(ProgressTest, EndsTwiceAndBeginsAgain) {
  {
    ProgressDisplay progress(Options(milliseconds(0)));
    progress.Begin("queries");
    progress.End();
    progress.End();
    progress.Begin("drawing");
    WaitFor("drawing: ");
  }
  EXPECT_THAT(Drawn(), EndsWith(kErase));
}

TEST_F(ProgressTest, DrawsNothingWhileResultsAreWritten) {
  ProgressDisplay progress(Options(milliseconds(0)));
  progress.Begin("queries");
  WaitFor("queries: ");
  progress.Pause();
  const size_t size = SizeDrawn();
  EXPECT_THAT(drawn_, EndsWith(kErase));
  {
    ProgressDisplay other(Options(milliseconds(0)));
    other.Begin("drawing");
    WaitForAnotherLine();
  }
  SizeDrawn();
  EXPECT_THAT(drawn_.substr(size), Not(HasSubstr("queries")));
  progress.Resume();
  progress.Begin("more");
  WaitFor("more: ");
}

TEST_F(ProgressTest, SharesDoNotFall) {
  {
    ProgressDisplay progress(Options(milliseconds(0)));
    progress.Begin("pairs");
    progress.ShareDone(0.5);
    WaitFor("pairs: 50 %");
    progress.ShareDone(0.25);
    WaitForAnotherLine();
  }
  EXPECT_THAT(Drawn(), Not(HasSubstr("25 %")));
}

TEST_F(ProgressTest, APartIsDrawnAsItBegins) {
  ProgressOptions options = Options(milliseconds(0));
  options.interval = std::chrono::hours(24);
  ProgressDisplay progress(options);
  progress.Begin("reading");
  progress.Begin("drawing");
  SizeDrawn();
  EXPECT_THAT(drawn_, HasSubstr("reading: "));
  EXPECT_THAT(drawn_, HasSubstr("drawing: "));
}

TEST(ProgressLineTest, TheTimeLeftDoesNotGrow) {
  const WorkDone late{.what = "pairs",
                      .total = 0,
                      .unit = {},
                      .share = 0.5,
                      .seconds = 20,
                      .most_left = 4};
  EXPECT_EQ(SecondsLeft(late), 20);
  EXPECT_EQ(ProgressLine(late), "pairs: 50 %, 4 s left");
}

}  // namespace
}  // namespace orbox::cli
