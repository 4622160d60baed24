#include "tools/orbox/progress.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kErase = "\r\x1b[K";

// A failure to show progress is no error.
void Show(int descriptor, std::string_view text) {
  [[maybe_unused]] const ssize_t written =
      write(descriptor, text.data(), text.size());
}

// The name of a file may be longer than the line of a terminal.
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

// In two units at most: "1 h 20 min".
std::string Duration(double seconds) {
  constexpr double kLongest = 1e9;
  const auto s = static_cast<int64_t>(std::ceil(std::min(seconds, kLongest)));
  if (s < 60) return Cat(s, " s");
  if (s < 3600) return Cat(s / 60, " min ", s % 60, " s");
  return Cat(s / 3600, " h ", s % 3600 / 60, " min");
}

}  // namespace

Progress::Progress(const ProgressOptions& options)
    : options_(options), start_(Clock::now()), began_(start_) {
  if (!options_.enabled) return;
  try {
    thread_ = std::thread([this] { Draw(); });
  } catch (const std::system_error&) {
    // There is no thread: the work matters more than its display.
  }
}

Progress::~Progress() { End(); }

void Progress::Begin(std::string_view what, uint64_t total,
                     std::string_view unit) {
  const std::lock_guard lock(mutex_);
  what_ = OnOneLine(Shortened(what));
  total_ = total;
  unit_ = unit;
  done_ = 0;
  share_ = 0;
  began_ = Clock::now();
}

void Progress::End() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::Draw() {
  std::unique_lock lock(mutex_);
  const auto ended = [this] { return ended_; };
  if (wake_.wait_until(lock, start_ + options_.delay, ended)) return;
  do {
    if (what_.empty()) continue;
    Show(options_.descriptor, Cat(kErase, Line()));
    drawn_ = true;
  } while (!wake_.wait_for(lock, options_.interval, ended));
  if (drawn_) Show(options_.descriptor, kErase);
}

std::string Progress::Line() const {
  WorkDone work{.what = what_, .total = total_, .unit = unit_};
  work.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  work.share = share_;
  const uint64_t done = done_;
  if (done > 0 && total_ > 0) {
    work.share = static_cast<double>(done) / static_cast<double>(total_);
  }
  return ProgressLine(work);
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
  // Earlier, a guess would be worth little.
  constexpr double kFirstSeconds = 1;
  if (work.seconds >= kFirstSeconds && share < 1) {
    line += Cat(", ", Duration(work.seconds * (1 - share) / share), " left");
  }
  return line;
}

}  // namespace orbox::cli
