// SPDX-License-Identifier: Apache-2.0

// Signed distances to a closed surface that ranks share.
//
//   absl::StatusOr<DistributedSignedDistanceField> field =
//       DistributedSignedDistanceField::Create(*scan);
//   if (!field.ok()) return field.status();     // is the mesh open?
//   auto distances = field->Distance(points);   // of this rank's own points
//   if (!distances.ok()) return distances.status();
//
// Requirements and results are those of large/chunked_signed_distance.h, to
// the bit, for any number of ranks. Each rank passes its own points, some or
// none. Collective; distributed_tree.h explains this and lists the errors.
//
// In Create, each rank reads the chunks that it owns once, or twice and more if
// the mesh is open. It holds 60 bytes for each edge between its chunks and
// others. The other functions cost what ClosestPoint and IsInside of
// distributed_queries.h cost.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_SIGNED_DISTANCE_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_SIGNED_DISTANCE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A value that shares its data with the tree.
class ORBOX_EXPORT DistributedSignedDistanceField {
 public:
  static absl::StatusOr<DistributedSignedDistanceField> Create(
      const DistributedTree& tree, const DistributedOptions& options = {});

  absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>> ClosestPoint(
      std::span<const Vec3> own_points,
      const DistributedOptions& options = {}) const;
  absl::StatusOr<std::vector<double>> Distance(
      std::span<const Vec3> own_points,
      const DistributedOptions& options = {}) const;
  absl::StatusOr<std::vector<uint8_t>> IsInside(
      std::span<const Vec3> own_points,
      const DistributedOptions& options = {}) const;

  const DistributedTree& tree() const { return tree_; }

 private:
  explicit DistributedSignedDistanceField(DistributedTree tree)
      : tree_(std::move(tree)) {}

  DistributedTree tree_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_SIGNED_DISTANCE_H_
