// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunk_tasks.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "absl/status/status.h"
#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/bvh/posed/internal/check_pose.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox {
namespace {

// Cost of finding and mapping two chunks, in triangles: a guess.
constexpr double kCostOfTask = 256;

// Returns the fraction of a box's triangles that are within `distance` of
// another box. Along an axis it is the fraction of the box's length. The two
// smallest of the three fractions are multiplied, because triangles are on a
// surface.
double ShareNear(const Aabb& box, const Aabb& other, double distance) {
  double all = 1;
  double largest = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double length = box.hi[i] - box.lo[i];
    const double common = std::min(box.hi[i], other.hi[i] + distance) -
                          std::max(box.lo[i], other.lo[i] - distance);
    const double share =
        length > 0 ? std::clamp(common / length, 0.0, 1.0) : 1.0;
    all *= share;
    largest = std::max(largest, share);
  }
  return largest > 0 ? all / largest : 0;
}

ChunkTask TaskOf(const PosedChunkedTree& a, size_t i, const PosedChunkedTree& b,
                 size_t j, double distance) {
  const Aabb& box_a = a.boxes()[i];
  const Aabb& box_b = b.boxes()[j];
  const auto count_of = [](const PosedChunkedTree& t, size_t k) {
    return static_cast<double>(t.tree().table()[k].count);
  };
  return {static_cast<uint32_t>(i), static_cast<uint32_t>(j),
          GapOf(box_a, box_b),
          kCostOfTask + count_of(a, i) * ShareNear(box_a, box_b, distance) +
              count_of(b, j) * ShareNear(box_b, box_a, distance)};
}

// Calls take(i, j) for the chunks whose boxes are within the distance.
template <typename Take>
void ForEachNear(const PosedChunkedTree& a, const PosedChunkedTree& b,
                 double distance, Take take) {
  const ChunkLevels levels({b.boxes().begin(), b.boxes().end()});
  for (size_t i = 0; i < a.boxes().size(); ++i) {
    levels.Visit(
        [&](const Aabb& box) { return GapOf(a.boxes()[i], box) <= distance; },
        [&](size_t j) { take(i, j); });
  }
}

// The worker of each task, and the work of the busiest worker.
struct Shares {
  std::vector<uint32_t> worker_of;
  double most = 0;
};

// Gives the longest task first, each to the worker with the least work so far.
// Ties go to the lowest number.
Shares LongestFirst(std::span<const ChunkTask> tasks, size_t workers) {
  std::vector<size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) {
    return tasks[i].cost > tasks[j].cost;
  });
  using Load = std::pair<double, uint32_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
  for (size_t i = 0; i < workers; ++i) {
    least.push({0, static_cast<uint32_t>(i)});
  }
  Shares shares{std::vector<uint32_t>(tasks.size())};
  for (const size_t i : order) {
    const Load load = least.top();
    least.pop();
    shares.worker_of[i] = load.second;
    shares.most = std::max(shares.most, load.first + tasks[i].cost);
    least.push({load.first + tasks[i].cost, load.second});
  }
  return shares;
}

// Gives each worker a run of at most `limit` work, if there are enough workers.
// The last worker takes the remaining tasks.
Shares RunsBelow(std::span<const ChunkTask> tasks, size_t workers,
                 double limit) {
  Shares shares{std::vector<uint32_t>(tasks.size())};
  uint32_t worker = 0;
  double work = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (work > 0 && work + tasks[i].cost > limit && worker + 1 < workers) {
      ++worker;
      work = 0;
    }
    work += tasks[i].cost;
    shares.worker_of[i] = worker;
    shares.most = std::max(shares.most, work);
  }
  return shares;
}

// Gives each worker a run, and about minimises the work of the busiest worker.
Shares EvenRuns(std::span<const ChunkTask> tasks, size_t workers) {
  double all = 0;
  for (const ChunkTask& task : tasks) all += task.cost;
  Shares best = RunsBelow(tasks, workers, all / static_cast<double>(workers));
  double low = all / static_cast<double>(workers);
  for (int step = 0; step < 32 && best.most > low; ++step) {
    const double limit = low + (best.most - low) / 2;
    Shares shares = RunsBelow(tasks, workers, limit);
    if (shares.most > limit) low = limit;
    if (shares.most < best.most) best = std::move(shares);
  }
  return best;
}

}  // namespace

PosedChunkedTree::PosedChunkedTree(const ChunkedTree& tree)
    : tree_(tree), bounds_(tree.bounds()) {
  for (const ChunkRow& row : tree.table()) boxes_.push_back(row.box);
}

absl::StatusOr<PosedChunkedTree> PosedChunkedTree::Create(
    const ChunkedTree& tree, const Pose& pose) {
  if (absl::Status s = CheckPose(pose); !s.ok()) return s;
  PosedChunkedTree posed(tree);
  posed.pose_ = TinyAsZero(pose);
  for (Aabb& box : posed.boxes_) box = BoxAround(box, posed.pose_);
  posed.bounds_ = BoxAround(tree.bounds(), posed.pose_);
  return posed;
}

absl::StatusOr<PosedChunk> PosedChunkedTree::Load(size_t i) const {
  absl::StatusOr<Chunk> chunk = tree_.Load(i);
  if (!chunk.ok()) return chunk.status();
  if (pose_.IsIdentity()) return PosedChunk{chunk->tree, chunk->ids};
  absl::StatusOr<PosedTree> posed = PosedTree::Create(chunk->tree, pose_);
  if (!posed.ok()) return posed.status();
  return PosedChunk{*std::move(posed), chunk->ids};
}

std::vector<ChunkTask> PairTasks(const PosedChunkedTree& a,
                                 const PosedChunkedTree& b, double distance) {
  std::vector<ChunkTask> tasks;
  ForEachNear(a, b, distance, [&](size_t i, size_t j) {
    tasks.push_back(TaskOf(a, i, b, j, distance));
  });
  return tasks;
}

std::vector<ChunkTask> SelfTasks(const PosedChunkedTree& tree,
                                 double distance) {
  std::vector<ChunkTask> tasks;
  ForEachNear(tree, tree, distance, [&](size_t i, size_t j) {
    if (i <= j) tasks.push_back(TaskOf(tree, i, tree, j, distance));
  });
  return tasks;
}

std::vector<uint32_t> AssignTasks(std::span<const ChunkTask> tasks,
                                  size_t workers) {
  Shares even = LongestFirst(tasks, workers);
  Shares runs = EvenRuns(tasks, workers);
  constexpr double kWorthFewerChunks = 1.1;
  return std::move(runs.most <= kWorthFewerChunks * even.most ? runs : even)
      .worker_of;
}

}  // namespace orbox
