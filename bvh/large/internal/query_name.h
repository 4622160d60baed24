// SPDX-License-Identifier: Apache-2.0

// The name of a query, and a number that belongs to it. Ranks compare them to
// find out whether they were called with equal arguments. Private.
//
//   QueryName name{"KNearest", k};
#ifndef ORBOX_BVH_LARGE_INTERNAL_QUERY_NAME_H_
#define ORBOX_BVH_LARGE_INTERNAL_QUERY_NAME_H_

#include <cstdint>

namespace orbox {

struct QueryName {
  const char* name;
  uint64_t number = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_QUERY_NAME_H_
