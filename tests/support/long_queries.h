// SPDX-License-Identifier: Apache-2.0

// Queries that take hundreds of steps each, and the requirements of every
// batch: it ends from inside a query, reports from inside a query, and uses the
// threads that it is given.
#ifndef ORBOX_TESTS_SUPPORT_LONG_QUERIES_H_
#define ORBOX_TESTS_SUPPORT_LONG_QUERIES_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/base/query_cancelled.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/shapes/shapes.h"
#include "tests/support/meshes.h"

namespace orbox::long_queries {

inline constexpr uint32_t kLength = 5120;

// A fence along x of triangles, in turn in the planes y = z and z = 1. The line
// y = 0.1, z = 0.9 is between them, and so in every volume around two.
inline Mesh Fence() {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < kLength; ++i) {
    const double x = i;
    const double z = i % 2;
    vertices.insert(vertices.end(), {{x, 0, z}, {x + 1, 0, z}, {x, 1, 1}});
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

// The line, as segments.
inline Mesh Line() {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < kLength; ++i) {
    const double x = i;
    vertices.insert(vertices.end(), {{x, 0.1, 0.9}, {x + 1, 0.1, 0.9}});
    triangles.push_back({2 * i, 2 * i + 1, 2 * i + 1});
  }
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}
inline const Ray kAlongLine{{0.01, 0.1, 0.9}, {1, 0, 0}};
inline const Aabb kAroundLine{{-1, 0.1, 0.9}, {kLength + 1.0, 0.1, 0.9}};

// Half of a ball. The other half is its mirror image, so that the center sees
// this one under a winding number of 1/2: no sum of a part decides if it is
// more.
inline Mesh HalfBall() {
  const Mesh ball = meshes::Icosphere(5);
  std::vector<TriangleIndices> half;
  for (size_t i = 0; i < ball.triangle_count(); ++i) {
    const Triangle t = ball.triangle(i);
    const Vec3 middle = t.a + t.b + t.c;
    if (Dot(middle, Vec3{0.1, 0.2, 1}) < 0) half.push_back(ball.triangles()[i]);
  }
  return Mesh::Create({ball.vertices().begin(), ball.vertices().end()},
                      std::move(half))
      .value();
}

// A batch of `count` equal queries.
struct Batch {
  std::string name;
  std::function<absl::Status(size_t count, const QueryOptions& options)> call;
};

// Steps that a search has taken.
inline uint64_t StepsOf(const TraversalStatistics& statistics) {
  uint64_t steps = statistics.leaves_visited + statistics.triangle_tests;
  for (const auto& level : statistics.volumes) {
    for (const VolumeStatistics& v : level) steps += v.nodes_visited;
  }
  return steps;
}

// The first report comes before the one query ends.
inline void ExpectReportsFromInside(const Batch& batch) {
  std::vector<double> shares;
  QueryOptions options;
  options.progress = [&](double share) { shares.push_back(share); };
  ASSERT_TRUE(batch.call(1, options).ok()) << batch.name;
  ASSERT_FALSE(shares.empty()) << batch.name;
  EXPECT_EQ(shares.front(), 0) << batch.name;
  EXPECT_EQ(shares.back(), 1) << batch.name;
}

// Calls a query that returns a plain value, or throws.
template <typename Call>
absl::Status StatusOfPlain(Call call) {
  try {
    call();
  } catch (const QueryCancelled& cancelled) {
    return absl::CancelledError(cancelled.what());
  }
  return absl::OkStatus();
}

// Shares that come from inside a query.
enum class Shares {
  kOne,  // always that of the queries before it: one of a batch
  kOwn,  // those of its own work
};

// Cancelled at the first report, the one query takes fewer steps.
inline void ExpectEndsFromInside(const Batch& batch,
                                 Shares shares = Shares::kOne) {
  TraversalStatistics whole;
  ASSERT_TRUE(batch.call(1, {.statistics = &whole}).ok()) << batch.name;
  TraversalStatistics part;
  for (TraversalStatistics* statistics :
       {&part, static_cast<TraversalStatistics*>(nullptr)}) {
    std::atomic<bool> cancelled = false;
    double last = -1;
    QueryOptions options{.statistics = statistics, .cancelled = &cancelled};
    options.progress = [&](double share) {
      last = share;
      cancelled = true;
    };
    EXPECT_EQ(batch.call(1, options).code(), absl::StatusCode::kCancelled)
        << batch.name;
    if (shares == Shares::kOne) {
      EXPECT_EQ(last, 0) << batch.name;
    } else {
      EXPECT_LT(last, 1) << batch.name;
    }
  }
  EXPECT_LT(StepsOf(part), StepsOf(whole)) << batch.name;
}

// Counts the pieces of work that begin, of queries of one thread. Cancels at
// the start of piece `at`, counted from 1.
class PieceStarts {
 public:
  explicit PieceStarts(size_t at = 0) : at_(at) {
    starts_ = this;
    TaskRunner::at_start = [] { starts_->Begin(); };
  }
  ~PieceStarts() { TaskRunner::at_start = nullptr; }
  PieceStarts(const PieceStarts&) = delete;
  PieceStarts& operator=(const PieceStarts&) = delete;

  size_t count() const { return count_; }
  const std::atomic<bool>* cancelled() const { return &cancelled_; }

 private:
  void Begin() {
    if (++count_ == at_) cancelled_ = true;
  }

  static inline PieceStarts* starts_ = nullptr;
  const size_t at_;
  size_t count_ = 0;
  std::atomic<bool> cancelled_ = false;
};

// Cancelled when its last task has begun, the one query takes fewer steps. For
// queries whose first report comes before their long work.
inline void ExpectEndsInLastPiece(const Batch& batch) {
  TraversalStatistics whole;
  size_t pieces = 0;
  {
    const PieceStarts all;
    ASSERT_TRUE(batch.call(1, {.statistics = &whole}).ok()) << batch.name;
    pieces = all.count();
  }
  ASSERT_GT(pieces, 0u) << batch.name;
  const PieceStarts last(pieces);
  TraversalStatistics part;
  EXPECT_EQ(batch.call(1, {.statistics = &part, .cancelled = last.cancelled()})
                .code(),
            absl::StatusCode::kCancelled)
      << batch.name;
  EXPECT_EQ(last.count(), pieces) << batch.name;
  EXPECT_LT(StepsOf(part), StepsOf(whole)) << batch.name;
}

// The threads that have begun a piece of work. Each waits at the start of a
// piece until as many as expected have begun one.
class Gathering {
 public:
  explicit Gathering(size_t expected) : expected_(expected) {
    gathering_ = this;
    TaskRunner::at_start = [] { gathering_->Join(); };
  }
  ~Gathering() { TaskRunner::at_start = nullptr; }
  Gathering(const Gathering&) = delete;
  Gathering& operator=(const Gathering&) = delete;

  size_t threads() const { return threads_.size(); }

 private:
  void Join() {
    // Only ends a test that would hang.
    constexpr std::chrono::minutes kLongest(2);
    std::unique_lock lock(mutex_);
    threads_.insert(std::this_thread::get_id());
    joined_.notify_all();
    if (!gave_up_ && !joined_.wait_for(lock, kLongest, [this] {
          return threads_.size() >= expected_;
        })) {
      gave_up_ = true;
    }
  }

  static inline Gathering* gathering_ = nullptr;
  const size_t expected_;
  std::mutex mutex_;
  std::condition_variable joined_;
  std::set<std::thread::id> threads_;
  bool gave_up_ = false;
};

// Checks that all available threads work on a batch of `questions` queries. A
// task has at most 256 of them.
inline void ExpectUsesThreads(const Batch& batch, size_t questions = 512) {
  constexpr int kThreads = 2;
  const auto expected = static_cast<size_t>(Workers(kThreads).count());
  Gathering gathering(expected);
  ASSERT_TRUE(batch.call(questions, {.threads = kThreads}).ok()) << batch.name;
  EXPECT_EQ(gathering.threads(), expected) << batch.name;
}

inline void ExpectEach(std::span<const Batch> batches, size_t questions = 512) {
  for (const Batch& batch : batches) {
    SCOPED_TRACE(batch.name);
    ExpectReportsFromInside(batch);
    ExpectEndsFromInside(batch);
    ExpectUsesThreads(batch, questions);
  }
}

}  // namespace orbox::long_queries

#endif  // ORBOX_TESTS_SUPPORT_LONG_QUERIES_H_
