// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/task_runner.h"

#include <optional>

#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Statistics of one piece. At the end, also if there is an exception, they are
// added to those of the caller.
class TaskRunner::OwnStatistics {
 public:
  explicit OwnStatistics(TaskRunner& run) : run_(run) {
    if (run_.run_.statistics() != nullptr) own_.emplace();
  }
  ~OwnStatistics() {
    if (!own_) return;
    const std::lock_guard lock(run_.mutex_);
    *run_.run_.statistics() += *own_;
  }
  OwnStatistics(const OwnStatistics&) = delete;
  OwnStatistics& operator=(const OwnStatistics&) = delete;

  TraversalStatistics* get() { return own_ ? &*own_ : nullptr; }

 private:
  TaskRunner& run_;
  std::optional<TraversalStatistics> own_;
};

TaskRunner::TaskRunner(const Execution& run, uint64_t total, int threads)
    : run_(run),
      workers_(threads, PollOfRun()),
      progress_(run.progress(), total),
      heartbeat_(run.progress()
                     ? std::function<void(double)>(Heartbeat{&progress_})
                     : std::function<void(double)>()) {}

std::function<void()> TaskRunner::PollOfRun() {
  if (run_.cancelled() == nullptr && !run_.progress()) return {};
  return [this] {
    progress_.Beat();
    run_.CheckCancelled();
  };
}

void TaskRunner::For(size_t count, size_t grain, Work work, uint64_t worth) {
  const Watch whole = run_;
  workers_.For(count, grain, [&](size_t begin, size_t end) {
    whole.CheckCancelled();
    if (const auto start = at_start.load()) start();
    {
      OwnStatistics own(*this);
      work(begin, end,
           {own.get(), whole.cancelled, heartbeat_ ? &heartbeat_ : nullptr});
    }
    progress_.Add((end - begin) * worth);
  });
  // A cancellation at the very end also has an effect.
  whole.CheckCancelled();
}

}  // namespace orbox
