// SPDX-License-Identifier: Apache-2.0

// The data of a binary OFF file (Geomview manual, "OFF files"): big-endian
// integers and floats of four bytes.
//
//   if (has_word_binary) return ReadBinaryOff(source, {offset, 3});
#ifndef ORBOX_BVH_IO_INTERNAL_BINARY_OFF_H_
#define ORBOX_BVH_IO_INTERNAL_BINARY_OFF_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

struct BinaryOff {
  size_t offset = 0;   // of the data in the file
  size_t numbers = 3;  // per vertex: x, y, z and others, which are skipped
};

absl::StatusOr<Mesh> ReadBinaryOff(const MeshSource& source,
                                   const BinaryOff& file);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_BINARY_OFF_H_
