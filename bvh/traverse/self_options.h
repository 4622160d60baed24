// SPDX-License-Identifier: Apache-2.0

// Options of the queries of a tree against itself.
//
//   SelfOptions options;
//   options.shared_corners = SharedCorners::kByIndex;
//
// query_options.h describes the other fields and the errors.
#ifndef ORBOX_BVH_TRAVERSE_SELF_OPTIONS_H_
#define ORBOX_BVH_TRAVERSE_SELF_OPTIONS_H_

#include <atomic>
#include <functional>
#include <limits>

#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Rule that decides which corners of two triangles are common.
enum class SharedCorners {
  // Corners with equal coordinates are common. This suits files without indices
  // (STL).
  kByPosition,
  // Corners with equal indices are common. If corners have equal coordinates
  // and different indices, their triangles overlap, as at a seam that was not
  // welded.
  kByIndex,
};

struct SelfOptions {
  SharedCorners shared_corners = SharedCorners::kByPosition;

  // The fields of QueryOptions.
  double max_distance = std::numeric_limits<double>::infinity();
  TraversalStatistics* statistics = nullptr;
  int threads = 1;
  std::function<void(double)> progress = {};
  const std::atomic<bool>* cancelled = nullptr;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_SELF_OPTIONS_H_
