// SPDX-License-Identifier: Apache-2.0

// Tasks of a query about pairs of chunked trees: pairs of chunks, and their
// assignment to workers. Pure functions of the tables, so every machine and
// rank computes the same tasks.
//
//   std::vector<ChunkTask> tasks = PairTasks(a, b, 0.5);
//   std::vector<uint32_t> rank_of = AssignTasks(tasks, 64);
//   for (const ChunkTask& task : tasks) use(task.a, task.b, task.gap);
//
// A pair of triangles belongs to one task, and a task to one worker, so each
// pair is found once. Near O(chunks + tasks). Thread-safe.
#ifndef ORBOX_BVH_LARGE_CHUNK_TASKS_H_
#define ORBOX_BVH_LARGE_CHUNK_TASKS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A chunk at a pose.
struct PosedChunk {
  PosedTree tree;
  Array<uint64_t> ids;
};

// A chunked tree at a pose, as a PosedTree is a tree at a pose
// (posed/posed_tree.h).
class ORBOX_EXPORT PosedChunkedTree {
 public:
  // Types that a LargeSide has (pairs.h).
  using Tree = ChunkedTree;
  using Options = QueryOptions;
  using Posed = PosedChunkedTree;

  // Implicit, so that queries accept a ChunkedTree.
  PosedChunkedTree(const ChunkedTree& tree);  // NOLINT

  // kInvalidArgument for a pose with a number that is not finite or above 2^200
  // in size. If a pose moves a vertex that far, its chunk cannot be loaded.
  static absl::StatusOr<PosedChunkedTree> Create(const ChunkedTree& tree,
                                                 const Pose& pose);

  const ChunkedTree& tree() const { return tree_; }
  const Pose& pose() const { return pose_; }

  // Boxes around the moved chunks, rounded outward; those of the table without
  // a pose.
  std::span<const Aabb> boxes() const { return boxes_; }
  const Aabb& bounds() const { return bounds_; }  // of all chunks

  // Returns ChunkedTree::Load(i) at the pose.
  absl::StatusOr<PosedChunk> Load(size_t i) const;

 private:
  ChunkedTree tree_;
  Pose pose_;
  std::vector<Aabb> boxes_;
  Aabb bounds_;
};

struct ChunkTask {
  uint32_t a = 0;
  uint32_t b = 0;
  // Lower bound of the distance of the pairs of triangles, except for their
  // rounding.
  double gap = 0;
  // Estimate of the work, in triangles: the number of triangles of either chunk
  // that are near the other chunk, estimated from boxes and counts alone.
  double cost = 0;
};

// Returns the pairs of chunks that may contain pairs of triangles within
// `distance`, ascending by (a, b).
ORBOX_EXPORT std::vector<ChunkTask> PairTasks(const PosedChunkedTree& a,
                                              const PosedChunkedTree& b,
                                              double distance);

// PairTasks for a tree with itself: a <= b. If a == b, the task is the
// self-overlap of a chunk.
ORBOX_EXPORT std::vector<ChunkTask> SelfTasks(const PosedChunkedTree& tree,
                                              double distance);

// Returns the worker of each task, below `workers`. Each worker gets a run of
// consecutive tasks, so that it loads few chunks; the runs minimise the work of
// the busiest worker. If that work exceeds that of another assignment by more
// than a tenth, the other is returned: the longest task first, each to the
// worker with the least work so far. Requires workers > 0.
ORBOX_EXPORT std::vector<uint32_t> AssignTasks(std::span<const ChunkTask> tasks,
                                               size_t workers);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_CHUNK_TASKS_H_
