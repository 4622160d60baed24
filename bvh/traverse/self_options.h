// SPDX-License-Identifier: Apache-2.0

// Options of the queries of a tree against itself.
//
//   SelfOptions options;
//   options.shared_corners = SharedCorners::kByIndex;
//
// query_options.h says what the other fields mean, and which errors there are.
#ifndef ORBOX_BVH_TRAVERSE_SELF_OPTIONS_H_
#define ORBOX_BVH_TRAVERSE_SELF_OPTIONS_H_

#include <atomic>
#include <functional>
#include <limits>

#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// When is a corner of two triangles the same?
enum class SharedCorners {
  // Corners with equal coordinates are common, as files without indices (STL)
  // mean it.
  kByPosition,
  // Corners with equal indices are common. Corners with equal coordinates and
  // different indices make their triangles overlap, as at a seam that was never
  // welded.
  kByIndex,
};

struct SelfOptions {
  SharedCorners shared_corners = SharedCorners::kByPosition;

  // The fields of QueryOptions.
  double max_distance = std::numeric_limits<double>::infinity();
  TraversalStatistics* statistics = nullptr;
  int threads = 1;
  std::function<void(double)> progress;
  const std::atomic<bool>* cancelled = nullptr;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_SELF_OPTIONS_H_
