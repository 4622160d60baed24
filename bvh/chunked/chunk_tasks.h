// SPDX-License-Identifier: Apache-2.0

// The work of a question about pairs of chunked trees: pairs of chunks, and who
// does which. Pure functions of the tables: every machine and rank computes the
// same.
//
//   std::vector<ChunkTask> tasks = PairTasks(a, b, 0.5);
//   std::vector<uint32_t> rank_of = AssignTasks(tasks, 64);
//   for (const ChunkTask& task : tasks) use(task.a, task.b, task.gap);
//
// A pair of triangles belongs to one task, and a task to one worker: each pair
// is found once. Near O(chunks + tasks). Thread-safe.
#ifndef ORBOX_BVH_CHUNKED_CHUNK_TASKS_H_
#define ORBOX_BVH_CHUNKED_CHUNK_TASKS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/chunked_tree.h"
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

// A chunked tree and where it stands, as PosedTree (posed/posed_tree.h).
class ORBOX_EXPORT PosedChunkedTree {
 public:
  // Implicit, so that a ChunkedTree serves.
  PosedChunkedTree(const ChunkedTree& tree);  // NOLINT

  // kInvalidArgument for a pose with a number that is not finite or above 2^200
  // in size. A vertex that it moves as far is refused when its chunk is loaded.
  static absl::StatusOr<PosedChunkedTree> Create(const ChunkedTree& tree,
                                                 const Pose& pose);

  const ChunkedTree& tree() const { return tree_; }
  const Pose& pose() const { return pose_; }

  // Boxes around the moved chunks, rounded outward; the table's where nothing
  // is moved.
  std::span<const Aabb> boxes() const { return boxes_; }
  const Aabb& bounds() const { return bounds_; }  // of all

  // As ChunkedTree::Load.
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
  // No pair of triangles is closer, but for rounding of its distance.
  double gap = 0;
  // What it may take, in units of a triangle: how many of both are expected
  // near the other, from boxes and counts alone.
  double cost = 0;
};

// The pairs of chunks that may hold pairs of triangles within `distance`,
// ascending by (a, b).
ORBOX_EXPORT std::vector<ChunkTask> PairTasks(const PosedChunkedTree& a,
                                              const PosedChunkedTree& b,
                                              double distance);

// The same for one against itself: a <= b. Where a == b, a chunk is asked
// against itself.
ORBOX_EXPORT std::vector<ChunkTask> SelfTasks(const PosedChunkedTree& tree,
                                              double distance);

// Which of `workers` does each task: each a run of the tasks, so that it loads
// few chunks, with the least work for the busiest. Where runs would give that
// one a tenth more than the longest task first, each to the worker with the
// least work so far, it is that. Requires workers > 0.
ORBOX_EXPORT std::vector<uint32_t> AssignTasks(std::span<const ChunkTask> tasks,
                                               size_t workers);

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_CHUNK_TASKS_H_
