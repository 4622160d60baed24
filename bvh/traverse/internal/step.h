// SPDX-License-Identifier: Apache-2.0

// The verbs and the orders of a traversal. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_

namespace orbox {

// The continuation after a leaf.
enum class Step {
  kContinue,  // visit the next subtree
  kStop,      // end: the query is decided
};

// The order in which accepted children are expanded.
enum class Order {
  // One tree: no particular order.
  kAny,
  // One tree, depth first: the nearest child of a node first.
  kNearestFirst,
  // One tree, depth first: an accepted leaf of a node first, if there is one.
  // For queries with a constant limit.
  kLeavesFirst,
  // Two trees, depth first: the nearest children of a pair first or, if
  // volumes overlap, the deepest.
  kDeepestFirst,
  // Two trees: the nearest or deepest of all waiting pairs first.
  kBestFirst,
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_
