// SPDX-License-Identifier: Apache-2.0

// Winding numbers of a surface that ranks share: inside and outside for meshes
// that are not closed.
//
//   absl::StatusOr<DistributedWindingNumberField> field =
//       DistributedWindingNumberField::Of(*scan);
//   if (!field.ok()) return field.status();
//   auto inside = field->IsInside(points);      // of this rank's own points
//   if (!inside.ok()) return inside.status();
//
// Results are those of large/chunked_winding_number.h, to the bit, for any
// number of ranks. Each rank passes its own points, some or none, fewer than
// 2^32. Collective; distributed_tree.h explains this and lists the errors. A
// max_distance has no effect as long as it is valid.
//
// In Of, each rank reads the chunks that it owns once. Then all ranks have the
// far field of each chunk, in 300 bytes. All ranks compute near chunks, in
// rounds that fit into the memory.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_WINDING_NUMBER_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_WINDING_NUMBER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A value that shares its data.
class ORBOX_EXPORT DistributedWindingNumberField {
 public:
  static absl::StatusOr<DistributedWindingNumberField> Of(
      const DistributedTree& tree, const DistributedOptions& options = {});

  // Requires equal `max_error` on all ranks.
  absl::StatusOr<std::vector<double>> At(
      std::span<const Vec3> own_points, double max_error = 1e-3,
      const DistributedOptions& options = {}) const;
  absl::StatusOr<std::vector<uint8_t>> IsInside(
      std::span<const Vec3> own_points,
      const DistributedOptions& options = {}) const;

  const DistributedTree& tree() const;

 private:
  struct Data;
  explicit DistributedWindingNumberField(std::shared_ptr<const Data> data)
      : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_WINDING_NUMBER_H_
