// SPDX-License-Identifier: Apache-2.0

// Rule that decides which corners of two triangles of one mesh are common.
//
//   auto pairs = AllSelfOverlaps(tree, SharedCorners::kByIndex);
#ifndef ORBOX_BVH_TRAVERSE_SHARED_CORNERS_H_
#define ORBOX_BVH_TRAVERSE_SHARED_CORNERS_H_

#include "orbox/overlap/base/language.h"

namespace orbox {

enum class SharedCorners {
  // Corners with equal coordinates are common. This suits files without indices
  // (STL).
  kByPosition,
  // Corners with equal indices are common. If corners have equal coordinates
  // and different indices, their triangles overlap, as at a seam that was not
  // welded.
  kByIndex,
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_SHARED_CORNERS_H_
