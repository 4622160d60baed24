// SPDX-License-Identifier: Apache-2.0

// Winding numbers of a surface in chunks (chunked_tree.h): inside and outside
// for meshes that are not closed.
//
//   absl::StatusOr<ChunkedWindingNumberField> field =
//       ChunkedWindingNumberField::Of(scan);
//   if (!field.ok()) return field.status();
//   auto inside = field->IsInside(points, {.threads = 4});
//   if (!inside.ok()) return inside.status();
//
// Values and options are those of query/inside/winding_number.h. Values are
// within the requested error, as those of one tree are, so the two may differ
// by twice that error. IsInside has equal results, except for points at which
// the number is within rounding (some 1e-12) of 1/2. Values do not depend on
// the batch, on threads or on memory. Errors are those of queries.h;
// kCancelled if the query is cancelled.
//
// For points that are far enough, a chunk is approximated as a whole. For other
// points it is loaded, once per batch; IsInside for one point loads it up to
// four times. Memory: the mapped trees, 300 bytes per chunk, 50 bytes per
// triangle of one chunk, some 60 bytes per point, and 16 bytes for each chunk
// that a point is near to. A value that shares its data; thread-safe.
#ifndef ORBOX_BVH_LARGE_CHUNKED_WINDING_NUMBER_H_
#define ORBOX_BVH_LARGE_CHUNKED_WINDING_NUMBER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/query/inside/winding_number.h"
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

#endif  // ORBOX_BVH_LARGE_CHUNKED_WINDING_NUMBER_H_
