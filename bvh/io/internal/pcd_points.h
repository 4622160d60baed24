// SPDX-License-Identifier: Apache-2.0

// The points of a PCD file, of the Point Cloud Library: ascii, binary, and
// compressed by LZF.
//
//   if (IsPcdFile(bytes)) {
//     absl::StatusOr<std::vector<Vec3>> points = ReadPcdPoints(bytes, name);
//   }
//
// The fields x, y and z are read, of any place in a point. Others are skipped,
// and so is the viewpoint, which the file's own coordinates do not need.
#ifndef ORBOX_BVH_IO_INTERNAL_PCD_POINTS_H_
#define ORBOX_BVH_IO_INTERNAL_PCD_POINTS_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns true if the text begins with a header of PCD.
ORBOX_EXPORT bool IsPcdFile(std::string_view bytes);

// Returns the points in the order of the file; there may be none. `name` is the
// file's name in messages. Returns kInvalidArgument for bad contents. Points
// that are not finite, which mark missing ones, are errors, too, unless the
// options skip them. Memory is proportional to the bytes, which decompression
// multiplies by 88 at most.
ORBOX_EXPORT absl::StatusOr<std::vector<Vec3>> ReadPcdPoints(
    std::string_view bytes, std::string_view name,
    const ReadOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_IO_INTERNAL_PCD_POINTS_H_
