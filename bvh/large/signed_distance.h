// SPDX-License-Identifier: Apache-2.0

// Signed distances to a large closed surface.
//
//   absl::StatusOr<ChunkedSignedDistanceField> field =
//       ChunkedSignedDistanceField::Create(scan);
//   if (!field.ok()) return field.status();     // is the mesh open?
//   auto distances = field->Distance(points);
//   if (!distances.ok()) return distances.status();
//
// The target is a ChunkedTree, or a DistributedTree: then each rank passes its
// own points, some or none, and the functions are collective
// (mpi/distributed_tree.h). Requirements, results and options are those of
// query/inside/signed_distance.h for this mesh in memory, to the bit, with
// global ids, for any number of ranks. Errors, memory and costs are those of
// queries.h, for two batches: the closest points, then inside or outside. Signs
// are decided by counting crossings, exact for every such mesh.
//
// A value that shares its data with the tree; as thread-safe as the tree.
#ifndef ORBOX_BVH_LARGE_SIGNED_DISTANCE_H_
#define ORBOX_BVH_LARGE_SIGNED_DISTANCE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

template <LargeTree T>
class ORBOX_EXPORT LargeSignedDistanceField {
 public:
  using Options = OptionsOf<T>;
  using Points = std::vector<std::optional<GlobalSurfacePoint>>;

  // The counterpart of SignedDistanceField::Create. Loads each chunk once, and
  // twice if the mesh is open; a rank loads those that it owns, and more than
  // twice if memory is short. Takes 56 bytes for each edge between chunks; a
  // rank takes 60 for its own. Effective options are `cancelled`, and `memory`
  // of ranks.
  static absl::StatusOr<LargeSignedDistanceField> Create(
      const T& tree, const Options& options = {});

  absl::StatusOr<Points> ClosestPoint(std::span<const Vec3> points,
                                      const Options& options = {}) const;
  absl::StatusOr<std::vector<double>> Distance(
      std::span<const Vec3> points, const Options& options = {}) const;
  absl::StatusOr<std::vector<uint8_t>> IsInside(
      std::span<const Vec3> points, const Options& options = {}) const {
    return orbox::IsInside(tree_, points, options);
  }

  // One query: the only result of its batch.
  absl::StatusOr<std::optional<GlobalSurfacePoint>> ClosestPoint(
      const Vec3& p, const Options& options = {}) const {
    return OnlyOne(ClosestPoint(std::span(&p, 1), options));
  }
  absl::StatusOr<double> Distance(const Vec3& p,
                                  const Options& options = {}) const {
    return OnlyOne(Distance(std::span(&p, 1), options));
  }
  absl::StatusOr<bool> IsInside(const Vec3& p,
                                const Options& options = {}) const {
    return OnlyOne(IsInside(std::span(&p, 1), options));
  }

  const T& tree() const { return tree_; }

 private:
  explicit LargeSignedDistanceField(T tree) : tree_(std::move(tree)) {}

  T tree_;
};

using ChunkedSignedDistanceField = LargeSignedDistanceField<ChunkedTree>;

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_SIGNED_DISTANCE_H_
