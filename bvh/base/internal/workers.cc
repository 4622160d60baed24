// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/workers.h"

#include <algorithm>
#include <utility>

// Distributions build oneTBB without the thread sanitizer. The sanitizer then
// reports correct synchronisation in oneTBB as races. So with the sanitizer,
// each call starts plain threads. This is slow, but it tests the shared data.
#if defined(__SANITIZE_THREAD__)
#define ORBOX_THREADS_FOR_TBB ORBOX_WITH_TBB
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORBOX_THREADS_FOR_TBB ORBOX_WITH_TBB
#endif
#endif

#if ORBOX_THREADS_FOR_TBB
#include <atomic>
#include <exception>
#include <thread>
#elif ORBOX_WITH_TBB
#include "oneapi/tbb/info.h"
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/parallel_invoke.h"
#include "oneapi/tbb/task_arena.h"
#endif

namespace orbox {
namespace {

// The pieces of [0, count).
struct Tasks {
  Tasks(size_t count_in_all, size_t at_most)
      : grain(std::max<size_t>(at_most, 1)),
        items(count_in_all),
        count(items / grain + (items % grain != 0 ? 1 : 0)) {}

  void Run(size_t task,
           absl::FunctionRef<void(size_t begin, size_t end)> work) const {
    const size_t begin = task * grain;
    work(begin, items - begin > grain ? begin + grain : items);
  }

  size_t grain;
  size_t items;
  size_t count;
};

void RunSerially(const Tasks& tasks,
                 absl::FunctionRef<void(size_t begin, size_t end)> work) {
  for (size_t task = 0; task < tasks.count; ++task) tasks.Run(task, work);
}

}  // namespace

#if ORBOX_THREADS_FOR_TBB

struct Workers::Arena {};

Workers::Workers(int threads, std::function<void()> poll)
    : count_(threads > 0 ? threads : 4),
      arena_(std::make_unique<Arena>()),
      poll_(std::move(poll)) {}

void Workers::For(
    size_t count, size_t grain,
    absl::FunctionRef<void(size_t begin, size_t end)> work) const {
  const Tasks tasks(count, grain);
  if (count_ == 1 || tasks.count <= 1) return RunSerially(tasks, work);
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    try {
      for (size_t task = next++; task < tasks.count; task = next++) {
        tasks.Run(task, work);
      }
    } catch (...) {
      next = tasks.count;
      throw;
    }
  };
  Invoke(run, run);
}

void Workers::Invoke(absl::FunctionRef<void()> a,
                     absl::FunctionRef<void()> b) const {
  if (count_ == 1) {
    a();
    b();
    return;
  }
  std::exception_ptr failure;
  std::thread other([&] {
    try {
      b();
    } catch (...) {
      failure = std::current_exception();
    }
  });
  try {
    a();
  } catch (...) {
    other.join();
    throw;
  }
  other.join();
  if (failure) std::rethrow_exception(failure);
}

#elif ORBOX_WITH_TBB

struct Workers::Arena {
  explicit Arena(int threads) : arena(threads) {}

  tbb::task_arena arena;
};

Workers::Workers(int threads, std::function<void()> poll)
    : count_(1), poll_(std::move(poll)) {
  if (threads == 1) return;
  // oneTBB prints a warning to stderr if it is given more threads than the
  // machine has.
  const int most = tbb::info::default_concurrency();
  count_ = threads > 0 ? std::min(threads, most) : most;
  if (count_ > 1) arena_ = std::make_unique<Arena>(count_);
}

void Workers::For(
    size_t count, size_t grain,
    absl::FunctionRef<void(size_t begin, size_t end)> work) const {
  const Tasks tasks(count, grain);
  if (arena_ == nullptr || tasks.count <= 1) return RunSerially(tasks, work);
  arena_->arena.execute([&] {
    tbb::parallel_for(size_t{0}, tasks.count,
                      [&](size_t task) { tasks.Run(task, work); });
  });
}

void Workers::Invoke(absl::FunctionRef<void()> a,
                     absl::FunctionRef<void()> b) const {
  if (arena_ == nullptr) {
    a();
    b();
    return;
  }
  arena_->arena.execute([&] { tbb::parallel_invoke(a, b); });
}

#else  // !ORBOX_WITH_TBB

struct Workers::Arena {};

Workers::Workers(int /*threads*/, std::function<void()> poll)
    : count_(1), poll_(std::move(poll)) {}

void Workers::For(
    size_t count, size_t grain,
    absl::FunctionRef<void(size_t begin, size_t end)> work) const {
  RunSerially(Tasks(count, grain), work);
}

void Workers::Invoke(absl::FunctionRef<void()> a,
                     absl::FunctionRef<void()> b) const {
  a();
  b();
}

#endif  // ORBOX_WITH_TBB

Workers::~Workers() = default;

}  // namespace orbox
