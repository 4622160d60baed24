// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/workers.h"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {
namespace {

using Tasks = std::set<std::pair<size_t, size_t>>;

// Returns the tasks that Workers::For makes. Checks that each item is visited
// once.
Tasks TasksOf(size_t count, size_t grain, int threads) {
  std::mutex mutex;
  Tasks tasks;
  std::vector<int> met(count);
  Workers(threads).For(count, grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) ++met[i];
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(tasks.insert({begin, end}).second);
  });
  EXPECT_EQ(met, std::vector<int>(count, 1));
  return tasks;
}

TEST(WorkersTest, PiecesCoverAllItemsOnceWhateverTheThreads) {
  for (const size_t count : {0, 1, 2, 7, 100, 1000}) {
    for (const size_t grain : {1, 3, 100, 5000}) {
      const Tasks serial = TasksOf(count, grain, 1);
      EXPECT_EQ(serial.size(), (count + grain - 1) / grain);
      for (const int threads : {0, 2, 5}) {
        EXPECT_EQ(TasksOf(count, grain, threads), serial);
      }
    }
  }
}

TEST(WorkersTest, AGrainOfZeroIsOne) {
  EXPECT_EQ(TasksOf(5, 0, 1), TasksOf(5, 1, 1));
  EXPECT_EQ(TasksOf(5, 0, 2), TasksOf(5, 1, 1));
}

// Sums a range by halving it, both halves at a time.
size_t SumOf(const Workers& workers, size_t begin, size_t end) {
  if (end - begin == 1) return begin;
  const size_t middle = begin + (end - begin) / 2;
  size_t left = 0;
  size_t right = 0;
  workers.Invoke([&] { left = SumOf(workers, begin, middle); },
                 [&] { right = SumOf(workers, middle, end); });
  return left + right;
}

TEST(WorkersTest, WorkNests) {
  for (const int threads : {1, 2, 4}) {
    const Workers workers(threads);
    EXPECT_EQ(SumOf(workers, 0, 1000), size_t{1000 * 999 / 2});
    std::atomic<int> calls = 0;
    workers.For(10, 1, [&](size_t, size_t) {
      workers.For(10, 3, [&](size_t begin, size_t end) {
        calls += static_cast<int>(end - begin);
      });
    });
    EXPECT_EQ(calls, 100);
  }
}

TEST(WorkersTest, ExceptionsComeBack) {
  for (const int threads : {1, 2, 4}) {
    const Workers workers(threads);
    EXPECT_THROW(workers.For(100, 1,
                             [](size_t begin, size_t) {
                               if (begin == 50) throw std::runtime_error("50");
                             }),
                 std::runtime_error);
    EXPECT_THROW(
        workers.Invoke([] {}, [] { throw std::runtime_error("second"); }),
        std::runtime_error);
  }
}

TEST(WorkersTest, CountsThreads) {
  EXPECT_EQ(Workers(1).count(), 1);
  EXPECT_GE(Workers(0).count(), 1);
  EXPECT_EQ(Workers(-1).count(), Workers(0).count());
}

}  // namespace
}  // namespace orbox
