// SPDX-License-Identifier: Apache-2.0

// Work on several cores. Serial without oneTBB (the option ORBOX_WITH_TBB).
//
//   const Workers workers(options.threads);            // 0: all cores
//   workers.For(queries.size(), /*grain=*/256, [&](size_t begin, size_t end) {
//     for (size_t i = begin; i < end; ++i) answers[i] = Run(queries[i]);
//   });
//
// The pieces depend only on the arguments, never on the number of threads. If
// results are written piece by piece and combined in this order, they have
// equal bytes for any number of threads, and also without oneTBB. Private.
#ifndef ORBOX_BVH_BASE_INTERNAL_WORKERS_H_
#define ORBOX_BVH_BASE_INTERNAL_WORKERS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Uses up to a given number of threads, including the caller's, at most one per
// core. Any number of threads may use one object. A piece of work may call
// functions of the same object.
class ORBOX_EXPORT Workers {
 public:
  // 0 or less means one thread per core. `poll` is what Poll calls.
  explicit Workers(int threads, std::function<void()> poll = {});
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Returns the number of threads; 1 without oneTBB.
  int count() const { return count_; }

  // Long work calls this between blocks of items, on any of the threads. Calls
  // the constructor's `poll`, which may report progress, or throw to end the
  // work.
  void Poll() const {
    if (poll_) poll_();
  }
  // For loops over items that take nanoseconds each. Returns the end of the
  // block of items that begins at `begin`; polls if other blocks follow.
  //
  //   for (size_t i = 0; i < count;) {
  //     for (const size_t end = workers.EndOfBlock(i, count); i < end; ++i) ...
  //   }
  template <typename Index>
  Index EndOfBlock(Index begin, Index end) const {
    constexpr Index kBlock = 1 << 15;
    if (end - begin <= kBlock) return end;
    Poll();
    return begin + kBlock;
  }

  // Calls work(begin, end) once for each piece [0, grain), [grain, 2 * grain),
  // ... of [0, count), in any order and several at a time. Returns when all
  // calls have returned. A `grain` of 0 counts as 1. If calls of `work` throw,
  // rethrows one of the exceptions, and skips pieces that have not begun.
  void For(size_t count, size_t grain,
           absl::FunctionRef<void(size_t begin, size_t end)> work) const;

  // Calls both functions, possibly in parallel, and returns when both have
  // returned. Exceptions are handled as in For.
  void Invoke(absl::FunctionRef<void()> a, absl::FunctionRef<void()> b) const;

 private:
  struct Arena;

  int count_;
  std::unique_ptr<Arena> arena_;  // null if count_ is 1
  std::function<void()> poll_;    // may be empty
};

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_WORKERS_H_
