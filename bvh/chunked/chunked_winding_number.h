// SPDX-License-Identifier: Apache-2.0

// Winding numbers of a surface that is kept in chunks (chunked_tree.h): inside
// and outside for meshes that are not closed.
//
//   absl::StatusOr<ChunkedWindingNumberField> field =
//       ChunkedWindingNumberField::Of(scan);
//   if (!field.ok()) return field.status();
//   auto inside = field->IsInside(points, {.threads = 4});
//   if (!inside.ok()) return inside.status();
//
// Values and options are those of query/winding_number.h: within the error
// asked for, as those of one tree are, so that the two may differ by twice
// that; IsInside is the same, except for points where the number is within
// rounding (some 1e-12) of 1/2. Values do not depend on the batch, on threads
// or on memory. Errors are those of chunked_queries.h; what is cancelled is
// kCancelled.
//
// A chunk is seen as a whole from points that are far enough, and loaded for
// the others, once a batch; of IsInside for one point, up to four times.
// Memory: what the tree maps, 300 bytes a chunk, 50 bytes a triangle of one
// chunk, and some 60 bytes a point, and 16 for each chunk that it is near to. A
// value that shares its data; thread-safe.
#ifndef ORBOX_BVH_CHUNKED_CHUNKED_WINDING_NUMBER_H_
#define ORBOX_BVH_CHUNKED_CHUNKED_WINDING_NUMBER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/query/winding_number.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class ORBOX_EXPORT ChunkedWindingNumberField {
 public:
  // Loads each chunk once.
  static absl::StatusOr<ChunkedWindingNumberField> Of(const ChunkedTree& tree);

  absl::StatusOr<double> At(const Vec3& p,
                            const WindingOptions& options = {}) const;
  absl::StatusOr<std::vector<double>> At(
      std::span<const Vec3> points, const WindingOptions& options = {}) const;

  absl::StatusOr<bool> IsInside(const Vec3& p,
                                const QueryOptions& options = {}) const;
  absl::StatusOr<std::vector<uint8_t>> IsInside(
      std::span<const Vec3> points, const QueryOptions& options = {}) const;

  const ChunkedTree& tree() const;

 private:
  struct Data;
  explicit ChunkedWindingNumberField(std::shared_ptr<const Data> data)
      : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_CHUNKED_WINDING_NUMBER_H_
