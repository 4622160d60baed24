// SPDX-License-Identifier: Apache-2.0

// Winding numbers of a large surface: inside and outside for meshes that are
// not closed.
//
//   absl::StatusOr<ChunkedWindingNumberField> field =
//       ChunkedWindingNumberField::Of(scan);
//   if (!field.ok()) return field.status();
//   auto inside = field->IsInside(points, {.threads = 4});
//   if (!inside.ok()) return inside.status();
//
// The target is a ChunkedTree, or a DistributedTree: then each rank passes its
// own points, some or none, and the functions are collective
// (mpi/distributed_tree.h). Values are those of query/inside/winding_number.h.
// They are within the requested error, as those of one tree are, so the two may
// differ by twice that error. IsInside is the same, except within rounding
// (some 1e-12) of an edge, or where the number is that close to 1/2. Values do
// not depend on the batch, on threads, on memory or on the number of ranks.
// Errors are those of queries.h; also kInvalidArgument for 2^32 points or more
// in a batch. A max_distance has no effect if it is valid.
//
// For points that are far enough, a chunk is approximated as a whole. For other
// points it is loaded, once per batch; IsInside for one point loads it up to
// four times. Memory: the mapped trees, 300 bytes per chunk, 50 bytes per
// triangle of one chunk, some 60 bytes per point, and 16 bytes for each chunk
// that a point is near to. All ranks have the far field of each chunk, and
// compute near chunks together, in rounds that fit into the memory.
//
// A value that shares its data; as thread-safe as the tree.
#ifndef ORBOX_BVH_LARGE_WINDING_NUMBER_H_
#define ORBOX_BVH_LARGE_WINDING_NUMBER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

template <LargeTree T>
class ORBOX_EXPORT LargeWindingNumberField {
 public:
  using Options = OptionsOf<T>;

  // Loads each chunk once; a rank loads those that it owns. The only effective
  // option is `cancelled`.
  static absl::StatusOr<LargeWindingNumberField> Of(
      const T& tree, const Options& options = {});

  // `max_error` is that of WindingNumberField::At. Requires equal ones on all
  // ranks.
  absl::StatusOr<std::vector<double>> At(
      std::span<const Vec3> points,
      double max_error = WindingNumberField::kMaxError,
      const Options& options = {}) const;
  absl::StatusOr<std::vector<uint8_t>> IsInside(
      std::span<const Vec3> points, const Options& options = {}) const;

  // One query: the only result of its batch.
  absl::StatusOr<double> At(const Vec3& p,
                            double max_error = WindingNumberField::kMaxError,
                            const Options& options = {}) const {
    return OnlyOne(At(std::span(&p, 1), max_error, options));
  }
  absl::StatusOr<bool> IsInside(const Vec3& p,
                                const Options& options = {}) const {
    return OnlyOne(IsInside(std::span(&p, 1), options));
  }

  const T& tree() const;

 private:
  struct Data;
  explicit LargeWindingNumberField(std::shared_ptr<const Data> data)
      : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

using ChunkedWindingNumberField = LargeWindingNumberField<ChunkedTree>;

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_WINDING_NUMBER_H_
