// SPDX-License-Identifier: Apache-2.0

// Reports to a caller, from time to time, the fraction of the work that is
// done.
//
//   Progress progress(options.progress, triangles);
//   workers.For(..., [&](size_t begin, size_t end) {
//     ...                                     // progress.Beat() in between
//     progress.Add(end - begin);
//   });
#ifndef ORBOX_BVH_BASE_INTERNAL_PROGRESS_H_
#define ORBOX_BVH_BASE_INTERNAL_PROGRESS_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

namespace orbox {

// Decides when to report: at first, and later some time after the last report.
// Reports are rare, so that a caller may redraw a progress bar at each.
class ReportInterval {
 public:
  bool IsDue() {
    constexpr std::chrono::milliseconds kPause(20);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + kPause;
    return true;
  }

 private:
  std::chrono::steady_clock::time_point next_{};
};

// Reports progress to a caller. Reports are made one at a time, with fractions
// that never decrease. Thread-safe.
class Progress {
 public:
  // `report` may be empty. It must outlive this object. `total` is in the units
  // of Add.
  Progress(const std::function<void(double)>& report, uint64_t total)
      : report_(report), total_(std::max<uint64_t>(total, 1)) {}

  // Adds finished work. Reports at every hundredth of the work, and also if the
  // last report was long ago.
  void Add(uint64_t work) {
    if (!report_) return;
    const uint64_t done = done_.fetch_add(work) + work;
    if ((done - work) * 100 / total_ == done * 100 / total_) return Beat();
    const std::lock_guard lock(mutex_);
    const double share = ShareOf(done);
    if (share > reported_) Report(share);
  }

  // Reports a fraction, unless a higher one was already reported.
  void Reach(double share) {
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    if (share > reported_) Report(share);
  }

  // Reports the current fraction if the last report was some time ago, so that
  // the caller knows that work continues. Does not report if it would have to
  // wait for another thread's report.
  void Beat() {
    if (!report_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || !interval_.IsDue()) return;
    Report(std::max(reported_, ShareOf(done_)));
  }

  // Makes the last report, with the fraction 1.
  void Finish() {
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    if (reported_ < 1) Report(1);
  }

 private:
  double ShareOf(uint64_t done) const {
    return static_cast<double>(done) / static_cast<double>(total_);
  }
  void Report(double share) {
    reported_ = share;
    report_(share);
  }

  const std::function<void(double)>& report_;
  const uint64_t total_;
  std::atomic<uint64_t> done_ = 0;
  std::mutex mutex_;  // protects the members below
  double reported_ = 0;
  ReportInterval interval_;
};

// The progress of a query that is part of another query or of a batch. It
// reports no fraction by itself.
class Heartbeat {
 public:
  explicit Heartbeat(Progress* whole) : whole_(whole) {}
  // Reports for a query that has no Progress yet.
  explicit Heartbeat(const std::function<void(double)>* report)
      : report_(report) {}

  void operator()(double) const {
    if (whole_ != nullptr) {
      whole_->Beat();
    } else {
      (*report_)(0);
    }
  }

 private:
  Progress* whole_ = nullptr;
  const std::function<void(double)>* report_ = nullptr;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_PROGRESS_H_
