// SPDX-License-Identifier: Apache-2.0

// Sorts triangles along a Morton curve in bounded memory: runs that fit are
// sorted and written, then merged. Private.
//
//   TriangleSort sort(bounds, folder, memory);
//   if (absl::Status s = sort.Add(id, triangle); !s.ok()) return s;  // each
//   absl::Status status = sort.Merge([&](const SortedTriangle& next) {
//     return Take(next);
//   });
//
// The order is that of (key of the centre, id), whatever the memory.
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_TRIANGLE_SORT_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_TRIANGLE_SORT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/scratch_file.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct SortedTriangle {
  uint64_t key = 0;
  uint64_t id = 0;
  Triangle triangle;
};

// Bits of a key.
inline constexpr int kCurveBits = 63;

// The place of a triangle's centre along the curve: 21 bits an axis, in cubes
// of one size over the bounds. Requires that they hold the triangle.
ORBOX_EXPORT uint64_t KeyOfTriangle(const Aabb& bounds,
                                    const Triangle& triangle);

class TriangleSort {
 public:
  using Take = absl::FunctionRef<absl::Status(const SortedTriangle&)>;

  // `memory` is in bytes; at least kLeastRun triangles are kept.
  TriangleSort(const Aabb& bounds, std::string folder, size_t memory);

  // In any order.
  absl::Status Add(uint64_t id, const Triangle& triangle);

  // Calls `take` with each, in order. Once.
  absl::Status Merge(Take take);

 private:
  static constexpr size_t kLeastRun = 256;

  struct Run {
    uint64_t begin;  // in triangles, from the beginning of the file
    uint64_t end;
  };

  void Sort();
  absl::Status Spill();
  absl::Status MergeRuns(Take take);

  const Aabb bounds_;
  const std::string folder_;
  const size_t memory_;
  const size_t most_;  // triangles in a run
  std::vector<SortedTriangle> triangles_;
  std::optional<ScratchFile> file_;
  std::vector<Run> runs_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_TRIANGLE_SORT_H_
