// SPDX-License-Identifier: Apache-2.0

// Memory that the threads of a build write once. It is not cleared first.
//
//   FreshArray<Leaf> leaves = FreshInLargePages<Leaf>(count);
//
// Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_FRESH_ARRAY_H_
#define ORBOX_BVH_BUILD_INTERNAL_FRESH_ARRAY_H_

#include <cstddef>

#include "orbox/bvh/base/internal/large_pages.h"
#include "orbox/bvh/mesh/array.h"

namespace orbox {

// May throw std::bad_alloc.
template <typename T>
FreshArray<T> FreshInLargePages(size_t count) {
  FreshArray<T> values(count);
  PreferLargePages(values.values().data(), values.values().size_bytes());
  return values;
}

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_FRESH_ARRAY_H_
