// SPDX-License-Identifier: Apache-2.0

// A list of triangles that may be longer than memory: those that do not fit are
// in a file without a name. Private.
//
//   TriangleSpool spool(folder, memory);
//   absl::Status status = spool.Add(triangles);
//   status = spool.Read(0, some);           // the first some.size()
#ifndef ORBOX_BVH_MPI_INTERNAL_TRIANGLE_SPOOL_H_
#define ORBOX_BVH_MPI_INTERNAL_TRIANGLE_SPOOL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/scratch_file.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class TriangleSpool {
 public:
  // Holds about `memory` bytes. Requires that the folder exists when they are
  // full.
  TriangleSpool(std::string folder, size_t memory);

  uint64_t size() const { return written_ + tail_.size(); }
  // May throw std::bad_alloc, because a vector grows.
  absl::Status Add(std::span<const Triangle> triangles);
  // Removes all triangles from index `size` on.
  void Shorten(uint64_t size);
  // Reads the triangles from `begin` on. Requires begin + out.size() <= size().
  absl::Status Read(uint64_t begin, std::span<Triangle> out) const;

 private:
  const std::string folder_;
  const size_t most_;  // size limit of tail_
  std::optional<ScratchFile> file_;
  uint64_t written_ = 0;
  std::vector<Triangle> tail_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_TRIANGLE_SPOOL_H_
