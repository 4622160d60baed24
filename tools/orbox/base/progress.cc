// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/base/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "orbox/bvh/base/internal/os.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kErase = "\r\x1b[K";

// Descriptor on which a line is currently drawn, for a signal handler.
constexpr int kNowhere = -1;
std::atomic<int> drawn_on = kNowhere;
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler reads it");

// Ignores failures, because progress is not essential.
void Show(int descriptor, std::string_view text) {
  static_cast<void>(os::Write(descriptor, text));
}

// Shortens the name of a file that may be longer than a line of the terminal.
std::string Shortened(std::string_view what) {
  constexpr size_t kWidth = 44;
  if (what.size() <= kWidth) return std::string(what);
  return Cat("...", what.substr(what.size() - kWidth + 3));
}

std::string Amount(double count, std::string_view unit) {
  return Grouped(std::llround(unit == kBytes ? count / 1e6 : count));
}

std::string UnitOf(std::string_view unit) {
  return unit.empty() ? "" : Cat(" ", unit == kBytes ? "MB" : unit);
}

// Returns a duration in at most two units: "1 h 20 min".
std::string Duration(double seconds) {
  constexpr double kLongest = 1e9;
  const auto s = static_cast<int64_t>(std::ceil(std::min(seconds, kLongest)));
  if (s < 60) return Cat(s, " s");
  if (s < 3600) return Cat(s / 60, " min ", s % 60, " s");
  return Cat(s / 3600, " h ", s % 3600 / 60, " min");
}

}  // namespace

bool IsTerminal(int descriptor) { return os::IsTerminal(descriptor); }

std::chrono::milliseconds ProgressDelay() {
  constexpr double kUsual = 1, kLongest = 1e6;
  const char* const text = std::getenv("ORBOX_PROGRESS_AFTER");
  const double seconds = text == nullptr ? kUsual : std::atof(text);
  return std::chrono::milliseconds(
      std::llround(1000 * std::clamp(seconds, 0.0, kLongest)));
}

ProgressDisplay::ProgressDisplay(const ProgressOptions& options)
    : options_(options), start_(Clock::now()), began_(start_) {
  if (!options_.enabled) return;
  try {
    thread_ = std::thread([this] { Draw(); });
  } catch (const std::system_error&) {
    // Without the thread, the work continues and its progress is not shown.
  }
}

ProgressDisplay::~ProgressDisplay() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  Erase();
}

void ProgressDisplay::Begin(std::string_view what, uint64_t total,
                            std::string_view unit) {
  const std::lock_guard lock(mutex_);
  what_ = OnOneLine(Shortened(what));
  total_ = total;
  unit_ = unit;
  done_ = 0;
  share_ = 0;
  shown_share_ = 0;
  most_left_ = std::numeric_limits<double>::infinity();
  began_ = Clock::now();
  active_ = true;
  paused_ = false;
  if (thread_.joinable() && Clock::now() >= start_ + options_.delay) DrawLine();
}

void ProgressDisplay::End() {
  const std::lock_guard lock(mutex_);
  active_ = false;
  Erase();
}

void ProgressDisplay::Pause() {
  const std::lock_guard lock(mutex_);
  paused_ = true;
  Erase();
}

void ProgressDisplay::Resume() {
  const std::lock_guard lock(mutex_);
  paused_ = false;
}

void ProgressDisplay::Observe(uint64_t done) {
  uint64_t total = 0;
  {
    const std::lock_guard lock(mutex_);
    total = total_;
  }
  if (total > 0) {
    options_.observe(static_cast<double>(done) / static_cast<double>(total));
  }
}

void ProgressDisplay::Draw() {
  std::unique_lock lock(mutex_);
  const auto stopped = [this] { return stopped_; };
  if (wake_.wait_until(lock, start_ + options_.delay, stopped)) return;
  do {
    if (active_ && !paused_) DrawLine();
  } while (!wake_.wait_for(lock, options_.interval, stopped));
}

void ProgressDisplay::DrawLine() {
  drawn_ = true;
  drawn_on = options_.descriptor;
  Show(options_.descriptor, Cat(kErase, Line()));
}

void ProgressDisplay::Erase() {
  if (!drawn_) return;
  Show(options_.descriptor, kErase);
  drawn_on = kNowhere;
  drawn_ = false;
}

std::string ProgressDisplay::Line() {
  WorkDone work{.what = what_, .total = total_, .unit = unit_};
  work.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  const uint64_t done = done_;
  const double share = done > 0 && total_ > 0 ? static_cast<double>(done) /
                                                    static_cast<double>(total_)
                                              : share_.load();
  shown_share_ = std::max(shown_share_, share);
  work.share = shown_share_;
  most_left_ = std::min(most_left_, SecondsLeft(work).value_or(most_left_));
  work.most_left = most_left_;
  return ProgressLine(work);
}

void EraseProgressAtSignal() {
  const int descriptor = drawn_on;
  if (descriptor != kNowhere) Show(descriptor, kErase);
}

std::optional<double> SecondsLeft(const WorkDone& work) {
  // Before this time, an estimate would be poor.
  constexpr double kFirstSeconds = 1;
  const double share = std::clamp(work.share, 0.0, 1.0);
  if (work.seconds < kFirstSeconds || share == 0 || share == 1) {
    return std::nullopt;
  }
  return work.seconds * (1 - share) / share;
}

std::string ProgressLine(const WorkDone& work) {
  const double share = std::clamp(work.share, 0.0, 1.0);
  if (share == 0) {
    return Cat(work.what, ": ", static_cast<int64_t>(work.seconds), " s");
  }
  std::string line = Cat(work.what, ": ", static_cast<int>(100 * share), " %");
  if (work.total > 0) {
    const double total = static_cast<double>(work.total);
    const double done = share * total;
    const double rate = work.seconds > 0 ? done / work.seconds : 0;
    line += Cat(", ", Amount(done, work.unit), " of ", Amount(total, work.unit),
                UnitOf(work.unit), ", ", Amount(rate, work.unit),
                UnitOf(work.unit), "/s");
  }
  if (const std::optional<double> left = SecondsLeft(work)) {
    line += Cat(", ", Duration(std::min(*left, work.most_left)), " left");
  }
  return line;
}

}  // namespace orbox::cli
