// SPDX-License-Identifier: Apache-2.0

// Clusters of pairs of triangles within d of each other. They reduce ten
// thousand pairs to a few clusters that a person can inspect.
//
//   for (const NearCluster& cluster : AllClustersWithin(a, b, 0.002)) {
//     report(cluster.closest.distance, cluster.closest.on_a, cluster.box);
//   }
//
// Two pairs of triangles within d are joined if they are connected on both
// meshes. Two triangles of a mesh are connected if they are one triangle or
// share a corner. A cluster is a maximal set of pairs that are joined, directly
// or through other pairs. The four legs of a table are four clusters on a floor
// of two triangles. Several pairs around one common corner or edge are one
// cluster. Corners are shared if their coordinates in the mesh are equal.
// Clusters are exact, because the pairs are (pair_within.h). They depend
// neither on the order of the triangles nor on the number of threads.
//
// AllClustersWithin has a form with run options (query_options.h). Costs
// O(pairs) in addition to AllWithin, and about 100 bytes per pair. Thread-safe.
#ifndef ORBOX_BVH_QUERY_PAIRS_PAIR_CLUSTERS_H_
#define ORBOX_BVH_QUERY_PAIRS_PAIR_CLUSTERS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct NearCluster {
  size_t pair_count = 0;
  // The nearest pair and a point on each of its triangles. The lowest pair (a,
  // b) among ties.
  Witness closest;
  // A box that contains all points of the cluster's triangles that are within d
  // of the other triangle of their pair. If the triangles are small, the box is
  // tight.
  Aabb box;
  // Sum of the areas of the cluster's triangles of each mesh, after posing,
  // rounded. A triangle counts with its whole area, and may be in several
  // clusters.
  double area_a = 0;
  double area_b = 0;
};

// Returns all clusters, the nearest first. Equally near clusters are in the
// order of their nearest pairs.
ORBOX_EXPORT std::vector<NearCluster> AllClustersWithin(const PosedTree& a,
                                                        const PosedTree& b,
                                                        double distance);
ORBOX_EXPORT absl::StatusOr<std::vector<NearCluster>> AllClustersWithin(
    const PosedTree& a, const PosedTree& b, double distance,
    const RunOptions& options);

// AllClustersWithin at each of many poses of `a`; pair_overlap.h describes such
// batches.
ORBOX_EXPORT absl::StatusOr<Lists<NearCluster>> AllClustersWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const RunOptions& options = {});

// Returns the clusters of given pairs. Requires pairs of these trees with
// distances of at most `distance`, ascending by (a, b), fewer than 2^32.
ORBOX_EXPORT std::vector<NearCluster> ClustersOf(
    const PosedTree& a, const PosedTree& b, std::span<const PairDistance> pairs,
    double distance);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_PAIR_CLUSTERS_H_
