#include "tools/orbox/progress.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kErase = "\r\x1b[K";

// Progress that cannot be shown is no error.
void Show(int descriptor, std::string_view text) {
  [[maybe_unused]] const ssize_t written =
      write(descriptor, text.data(), text.size());
}

// The name of a file may be longer than a terminal is wide.
std::string Shortened(std::string_view what) {
  constexpr size_t kWidth = 44;
  if (what.size() <= kWidth) return std::string(what);
  return Cat("...", what.substr(what.size() - kWidth + 3));
}

}  // namespace

Progress::Progress(const ProgressOptions& options)
    : options_(options), start_(Clock::now()), began_(start_) {
  if (!options_.enabled) return;
  try {
    thread_ = std::thread([this] { Draw(); });
  } catch (const std::system_error&) {
    // No thread to be had: the work matters more than the sight of it.
  }
}

Progress::~Progress() { End(); }

void Progress::Begin(std::string_view what, uint64_t total) {
  const std::lock_guard lock(mutex_);
  what_ = OnOneLine(Shortened(what));
  total_ = total;
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
  const double seconds =
      std::chrono::duration<double>(Clock::now() - began_).count();
  const auto percent = [](double share) {
    return Cat(static_cast<int>(100 * std::clamp(share, 0.0, 1.0)), " %");
  };
  if (total_ > 0) {
    const uint64_t done = done_;
    const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
    return Cat(what_, ": ", percent(static_cast<double>(done) / total_), ", ",
               Grouped(done), " of ", Grouped(total_), ", ",
               Grouped(std::llround(rate)), "/s");
  }
  if (share_ > 0) return Cat(what_, ": ", percent(share_));
  return Cat(what_, ": ", static_cast<int>(seconds), " s");
}

}  // namespace orbox::cli
