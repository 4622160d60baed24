// SPDX-License-Identifier: Apache-2.0

// Reports to a caller, from time to time, the fraction of the work that is
// done.
//
//   Progress progress(options.progress, triangles);
//   workers.For(..., [&](size_t begin, size_t end) {
//     ...
//     progress.Add(end - begin);
//   });
#ifndef ORBOX_BVH_BASE_INTERNAL_PROGRESS_H_
#define ORBOX_BVH_BASE_INTERNAL_PROGRESS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

namespace orbox {

// Reports come one at a time, with growing fractions. Thread-safe.
class Progress {
 public:
  // `report` may be empty; it must outlive this object. `total` is in units of
  // Add.
  Progress(const std::function<void(double)>& report, uint64_t total)
      : report_(report), total_(total) {}

  void Add(uint64_t work) {
    if (!report_) return;
    const uint64_t done = done_.fetch_add(work) + work;
    // One report for about every hundredth of the work is enough.
    if ((done - work) * 100 / total_ == done * 100 / total_) return;
    const std::lock_guard lock(mutex_);
    Report(static_cast<double>(done) / static_cast<double>(total_));
  }

  // Makes the last report, of 1.
  void Finish() {
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    Report(1);
  }

 private:
  void Report(double share) {
    if (share <= reported_) return;
    reported_ = share;
    report_(share);
  }

  const std::function<void(double)>& report_;
  const uint64_t total_;
  std::atomic<uint64_t> done_ = 0;
  std::mutex mutex_;
  double reported_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_PROGRESS_H_
