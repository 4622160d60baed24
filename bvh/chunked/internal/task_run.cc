// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/internal/task_run.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Each holds two chunks, which should not drive out those of others.
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
  Progress progress(run_.progress(), std::max<size_t>(tasks.size(), 1));
  const Workers workers(threads == 1 ? 1 : ThreadsThatFit(threads));
  std::mutex mutex;
  absl::Status first_error;
  std::atomic<bool> stopped = false;
  workers.For(tasks.size(), 1, [&](size_t i, size_t) {
    if (stopped || run_.is_cancelled() || !wants(i)) return;
    std::optional<TraversalStatistics> own;
    if (run_.statistics() != nullptr) own.emplace();
    const absl::Status status =
        Do(tasks[i], i, own ? &*own : nullptr, work, &stopped);
    progress.Add(1);
    const std::lock_guard lock(mutex);
    if (own) *run_.statistics() += *own;
    if (status.ok()) return;
    if (first_error.ok()) first_error = status;
    stopped = true;
  });
  if (!first_error.ok()) return first_error;
  if (run_.is_cancelled()) return Execution::Cancelled();
  progress.Finish();
  return absl::OkStatus();
}

absl::Status TaskRun::Do(const ChunkTask& task, size_t index,
                         TraversalStatistics* statistics, Work work,
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
  const QueryOptions alone{.max_distance = run_.max_distance(),
                           .statistics = statistics,
                           .cancelled = run_.cancelled()};
  if (work({index, pairs, alone}) == Visit::kStop) *stopped = true;
  return absl::OkStatus();
}

}  // namespace orbox
