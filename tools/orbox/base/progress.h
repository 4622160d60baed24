// SPDX-License-Identifier: Apache-2.0

// Shows the progress of long work at a terminal.
//
//   ProgressDisplay progress;                     // draws only on a terminal
//   progress.Begin("queries", queries.size());
//   for (...) progress.Advance(1);
//   progress.End();                               // erases the line
//   progress.Begin("drawing");                    // draws it again
//
// The display is one line on standard error. It appears after the command has
// run for a second: at the beginning of a stage, and then from a thread. It is
// rewritten in place. At the end it is erased, also by a signal that ends the
// process. The environment variable ORBOX_PROGRESS_AFTER, in seconds, replaces
// the second. Within a stage, the displayed fraction does not decrease and the
// time left does not increase. If standard error is not a terminal, there is no
// thread and no output. All calls are cheap and may come from any thread.
#ifndef ORBOX_TOOLS_ORBOX_BASE_PROGRESS_H_
#define ORBOX_TOOLS_ORBOX_BASE_PROGRESS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace orbox::cli {

// Returns the time after which a command shows progress.
std::chrono::milliseconds ProgressDelay();

inline constexpr int kStandardErrorDescriptor = 2;
bool IsTerminal(int descriptor);

struct ProgressOptions {
  int descriptor = kStandardErrorDescriptor;
  bool enabled = IsTerminal(kStandardErrorDescriptor);
  std::chrono::milliseconds delay = ProgressDelay();
  std::chrono::milliseconds interval{100};
  // Called with the finished fraction of the stage, if it has a total, by
  // Advance. May throw, which ends the work. May be null.
  std::function<void(double)> observe = nullptr;
};

inline constexpr std::string_view kBytes = "bytes";

// Progress of a stage of the work.
struct WorkDone {
  std::string_view what;
  uint64_t total = 0;  // 0 if there is no count
  std::string_view unit;
  double share = 0;  // 0 .. 1; 0 if unknown
  double seconds = 0;
  // Upper limit of the displayed time left, in seconds.
  double most_left = std::numeric_limits<double>::infinity();
};

// Returns the estimated time left at the current rate. Returns nothing if the
// rate is unknown or the estimate would be poor.
std::optional<double> SecondsLeft(const WorkDone& work);

// Returns a line such as "queries: 50 %, 1,000 of 2,000, 340/s, 3 s left".
std::string ProgressLine(const WorkDone& work);

// Erases the line if it is drawn. Call it only from a signal handler that ends
// the process. Uses only functions that POSIX allows there.
void EraseProgressAtSignal();

class ProgressDisplay {
 public:
  explicit ProgressDisplay(const ProgressOptions& options = {});
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  ~ProgressDisplay();

  // Begins a stage of the work. With a total, Advance counts up to it or
  // ShareDone sets the finished fraction, and the line shows the rate and the
  // time left. Without a total, only ShareDone sets the progress. Before the
  // first such call, the line shows the elapsed time. `unit` is the name of the
  // counted items, for example "triangles". kBytes are shown in megabytes.
  void Begin(std::string_view what, uint64_t total = 0,
             std::string_view unit = {});
  void Advance(uint64_t count) {
    const uint64_t done = done_ += count;
    if (options_.observe) Observe(done);
  }
  void ShareDone(double share) { share_ = share; }

  // Erases the line until the next stage begins.
  void End();

  // Erases the line until Resume, so that results can be written to the same
  // terminal.
  void Pause();
  void Resume();

 private:
  using Clock = std::chrono::steady_clock;

  void Observe(uint64_t done);
  void Draw();
  void DrawLine();
  void Erase();
  std::string Line();

  const ProgressOptions options_;
  const Clock::time_point start_;
  std::atomic<uint64_t> done_ = 0;
  std::atomic<double> share_ = 0;

  std::mutex mutex_;  // guards the members below
  std::condition_variable wake_;
  std::string what_;
  uint64_t total_ = 0;
  std::string unit_;
  Clock::time_point began_;
  double shown_share_ = 0;
  double most_left_ = 0;
  bool drawn_ = false;
  bool active_ = false;
  bool paused_ = false;
  bool stopped_ = false;

  std::thread thread_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_BASE_PROGRESS_H_
