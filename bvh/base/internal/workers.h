// SPDX-License-Identifier: Apache-2.0

// Work on several cores. Serial without oneTBB (the option ORBOX_WITH_TBB).
//
//   const Workers workers(options.threads);            // 0: all cores
//   workers.For(queries.size(), /*grain=*/256, [&](size_t begin, size_t end) {
//     for (size_t i = begin; i < end; ++i) answers[i] = Run(queries[i]);
//   });
//
// The pieces depend only on the arguments, never on the number of threads. So
// results that are written piece by piece, and combined in their order, have
// equal bytes with any number of threads and without oneTBB. Private.
#ifndef ORBOX_BVH_BASE_INTERNAL_WORKERS_H_
#define ORBOX_BVH_BASE_INTERNAL_WORKERS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Uses up to this many threads, including the caller's, at most one per core.
// Any number of threads may use one object, and work may use it recursively.
class ORBOX_EXPORT Workers {
 public:
  // 0 or less means one thread per core. `poll` is what Poll calls.
  explicit Workers(int threads, std::function<void()> poll = {});
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // 1 without oneTBB.
  int count() const { return count_; }

  // Called by long work between blocks of items, from any of the threads. Calls
  // the `poll` of the constructor, which may report progress, or throw to end
  // the work.
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
  // ... of [0, count), in any order and several at a time. Returns when all are
  // done. A `grain` of 0 is 1. Rethrows an exception of `work`, one of them if
  // there are several; then pieces that have not begun are skipped.
  void For(size_t count, size_t grain,
           absl::FunctionRef<void(size_t begin, size_t end)> work) const;

  // Calls both, possibly in parallel, and returns when both are done.
  // Exceptions as in For.
  void Invoke(absl::FunctionRef<void()> a, absl::FunctionRef<void()> b) const;

 private:
  struct Arena;

  int count_;
  std::unique_ptr<Arena> arena_;  // null if count_ is 1
  std::function<void()> poll_;    // may be empty
};

// Workers(threads).For(count, grain, work).
ORBOX_EXPORT void ParallelFor(
    size_t count, size_t grain, int threads,
    absl::FunctionRef<void(size_t begin, size_t end)> work);

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_WORKERS_H_
