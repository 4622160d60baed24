// SPDX-License-Identifier: Apache-2.0

// Signed distances to a closed surface in chunks (chunked_tree.h).
//
//   absl::StatusOr<ChunkedSignedDistanceField> field =
//       ChunkedSignedDistanceField::Create(scan);
//   if (!field.ok()) return field.status();     // is the mesh open?
//   auto distances = field->Distance(points, {.threads = 4});
//   if (!distances.ok()) return distances.status();
//
// Requirements, results and options are those of query/inside/signed_distance.h
// for this mesh in memory, to the bit, with global ids. Errors, memory and the
// number of loads are those of chunked_queries.h, for two batches: the closest
// points, then inside or outside. Signs are decided by counting crossings,
// exact for every such mesh.
//
// A value that shares its data with the tree; thread-safe.
#ifndef ORBOX_BVH_LARGE_CHUNKED_SIGNED_DISTANCE_H_
#define ORBOX_BVH_LARGE_CHUNKED_SIGNED_DISTANCE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class ORBOX_EXPORT ChunkedSignedDistanceField {
 public:
  // The counterpart of SignedDistanceField::Create. Loads each chunk once, and
  // twice if the mesh is open. Takes 56 bytes for each edge between chunks.
  static absl::StatusOr<ChunkedSignedDistanceField> Create(
      const ChunkedTree& tree);

  absl::StatusOr<std::optional<GlobalSurfacePoint>> ClosestPoint(
      const Vec3& p, const QueryOptions& options = {}) const;
  absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>> ClosestPoint(
      std::span<const Vec3> points, const QueryOptions& options = {}) const;

  absl::StatusOr<double> Distance(const Vec3& p,
                                  const QueryOptions& options = {}) const;
  absl::StatusOr<std::vector<double>> Distance(
      std::span<const Vec3> points, const QueryOptions& options = {}) const;

  absl::StatusOr<bool> IsInside(const Vec3& p,
                                const QueryOptions& options = {}) const;
  absl::StatusOr<std::vector<uint8_t>> IsInside(
      std::span<const Vec3> points, const QueryOptions& options = {}) const;

  const ChunkedTree& tree() const { return tree_; }

 private:
  explicit ChunkedSignedDistanceField(ChunkedTree tree)
      : tree_(std::move(tree)) {}

  ChunkedTree tree_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_CHUNKED_SIGNED_DISTANCE_H_
