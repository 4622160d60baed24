// SPDX-License-Identifier: Apache-2.0

// Implements the other forms of a query (any, count, all) with its visiting
// form. Private.
//
//   return AnyVisited([&](auto visitor) {
//     VisitHits(scene, ray, visitor, options);
//   });
#ifndef ORBOX_BVH_QUERY_RAYS_INTERNAL_VISITED_H_
#define ORBOX_BVH_QUERY_RAYS_INTERNAL_VISITED_H_

#include <cstddef>
#include <vector>

#include "orbox/bvh/query/visit.h"

namespace orbox {

template <typename VisitAll>
bool AnyVisited(VisitAll visit) {
  bool is_any = false;
  visit([&](const auto&) {
    is_any = true;
    return Visit::kStop;
  });
  return is_any;
}

template <typename VisitAll>
size_t CountVisited(VisitAll visit) {
  size_t count = 0;
  visit([&](const auto&) {
    ++count;
    return Visit::kContinue;
  });
  return count;
}

// Returns the results in the order of the visits.
template <typename Value, typename VisitAll>
std::vector<Value> AllVisited(VisitAll visit) {
  std::vector<Value> values;
  visit([&](const Value& value) {
    values.push_back(value);
    return Visit::kContinue;
  });
  return values;
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_RAYS_INTERNAL_VISITED_H_
