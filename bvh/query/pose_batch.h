// Two meshes at many poses of the first, on all cores: a robot's motion, a
// search, a Monte Carlo.
//
//   auto meets = MeshesOverlapAtPoses(arm, poses, wall);
//   if (!meets.ok()) return meets.status();       // cancelled, a bad pose
//   if ((*meets)[7] != 0) ...                     // at the eighth pose
//   auto gaps = MeshDistanceAtPoses(arm, poses, wall, {.threads = 4});
//
// Each pose has the answer that it has alone (mesh_overlap.h, mesh_distance.h,
// mesh_within.h), at its own place; the bytes do not depend on the number of
// threads. Poses are taken in an order in which the mesh is near where it was
// before, so that memory is shared and the last closest pair bounds the next
// distance. Costs the results, and 16 bytes a pose to sort them. Thread-safe.
#ifndef ORBOX_BVH_QUERY_POSE_BATCH_H_
#define ORBOX_BVH_QUERY_POSE_BATCH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/batch_options.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/mesh_distance.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/query/mesh_within.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Errors of all: those of batches (batch.h), and kInvalidArgument for a pose
// that PosedTree::Create refuses, the first of them by its number.

// As MeshesOverlap at each pose: 1 where they meet, and 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> MeshesOverlapAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// As MeshesWithin at each pose: 1 where they are, and 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> MeshesWithinAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// As MeshDistance at each pose.
ORBOX_EXPORT absl::StatusOr<std::vector<MeshDistanceResult>>
MeshDistanceAtPoses(const Tree& a, std::span<const Pose> poses,
                    const PosedTree& b, const BatchOptions& options = {},
                    TraversalStatistics* statistics = nullptr);

// As OverlappingPairs at each pose.
ORBOX_EXPORT absl::StatusOr<Lists<TrianglePair>> OverlappingPairsAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// As PairsWithin at each pose.
ORBOX_EXPORT absl::StatusOr<Lists<PairDistance>> PairsWithinAtPoses(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POSE_BATCH_H_
