// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/task_run.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/traverse/internal/task_runner.h"

namespace orbox {

// Each thread holds two chunks. They should not displace those of other
// threads.
int TaskRun::ThreadsThatFit(int threads) const {
  size_t most = static_cast<size_t>(Workers(threads).count());
  for (const PosedChunkedTree* t : {&a_, &b_}) {
    uint64_t largest = 0;
    for (const ChunkRow& row : t->tree().table()) {
      largest = std::max(largest, row.bytes);
    }
    if (largest == 0) continue;  // in memory
    most = std::min<size_t>(most, t->tree().memory() / (2 * largest));
  }
  return static_cast<int>(std::max<size_t>(most, 1));
}

absl::Status TaskRun::ForEach(std::span<const ChunkTask> tasks, Work work,
                              Wants wants, int threads) const {
  std::mutex mutex;  // guards the error
  absl::Status first_error;
  std::atomic<bool> stopped = false;
  return GuardMemory("for pairs of chunks; request fewer", [&] {
    TaskRunner runner(run_, tasks.size(),
                      threads == 1 ? 1 : ThreadsThatFit(threads));
    runner.For(tasks.size(), 1, [&](size_t i, size_t, const Watch& watch) {
      if (stopped || !wants(i)) return;
      const absl::Status done = Do(tasks[i], i, watch, work, &stopped);
      if (done.ok()) return;
      const std::lock_guard lock(mutex);
      if (first_error.ok()) first_error = done;
      stopped = true;
    });
    if (first_error.ok()) runner.progress().Finish();
    return first_error;
  });
}

absl::Status TaskRun::Do(const ChunkTask& task, size_t index,
                         const Watch& watch, Work work,
                         std::atomic<bool>* stopped) const {
  absl::StatusOr<PosedChunk> a = a_.Load(task.a);
  if (!a.ok()) return a.status();
  const bool is_same = of_ == Of::kSelf && task.a == task.b;
  absl::StatusOr<PosedChunk> b = is_same ? a : b_.Load(task.b);
  if (!b.ok()) return b.status();
  const ChunkPairs pairs(*std::move(a), *std::move(b),
                         is_same           ? ChunkPairs::Kind::kSelf
                         : of_ == Of::kTwo ? ChunkPairs::Kind::kTwo
                                           : ChunkPairs::Kind::kCross);
  const QueryOptions alone = watch.Alone(run_.max_distance());
  if (work({index, pairs, alone}) == Visit::kStop) *stopped = true;
  return absl::OkStatus();
}

}  // namespace orbox
