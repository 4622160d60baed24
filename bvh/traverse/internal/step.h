// SPDX-License-Identifier: Apache-2.0

// The results of a visit, and the orders of a traversal. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_

namespace orbox {

// The continuation of a search after a leaf.
enum class Step {
  kContinue,  // visit the next subtree
  kStop,      // end: the query is decided
};

// The order in which accepted children are expanded.
enum class Order {
  // One tree: no particular order.
  kAny,
  // One tree, depth first: the nearest child of a node comes first.
  kNearestFirst,
  // One tree, depth first: if an accepted child of a node is a leaf, it comes
  // first. For queries with a constant limit.
  kLeavesFirst,
  // Two trees, depth first: the nearest children of a pair come first or, if
  // volumes overlap, those that overlap most deeply.
  kDeepestFirst,
  // Two trees: the nearest or most deeply overlapping one of all waiting pairs
  // comes first.
  kBestFirst,
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_
