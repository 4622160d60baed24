// SPDX-License-Identifier: Apache-2.0

// Sorts triangles by (key, id) in bounded memory: runs that fit are sorted and
// written, then merged. Private.
//
//   TriangleSort sort(folder, memory);
//   if (absl::Status s = sort.Add({key, id, triangle}); !s.ok()) return s;
//   absl::Status status = sort.Merge([&](const SortedTriangle& next) {
//     return Take(next);
//   });
//
// The order does not depend on the memory.
#ifndef ORBOX_BVH_LARGE_INTERNAL_TRIANGLE_SORT_H_
#define ORBOX_BVH_LARGE_INTERNAL_TRIANGLE_SORT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct SortedTriangle {
  uint64_t key = 0;
  uint64_t id = 0;
  Triangle triangle;
};

class TriangleSort {
 public:
  using Take = absl::FunctionRef<absl::Status(const SortedTriangle&)>;

  // `memory` is in bytes; at least kLeastRun triangles are kept.
  TriangleSort(std::string folder, size_t memory);

  // Adds a triangle. In any order.
  absl::Status Add(const SortedTriangle& triangle);

  // Calls `take` with each triangle, in order. Call it once.
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

  const std::string folder_;
  const size_t memory_;
  const size_t most_;  // triangles per run
  std::vector<SortedTriangle> triangles_;
  std::optional<ScratchFile> file_;
  std::vector<Run> runs_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_TRIANGLE_SORT_H_
