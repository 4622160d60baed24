// SPDX-License-Identifier: Apache-2.0

// The verbs that steer a traversal, and its order. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_

namespace orbox {

// What comes after a leaf.
enum class Step {
  kContinue,  // the next subtree
  kStop,      // the query is answered
};

// In which order what was accepted is opened.
enum class Order {
  kAny,           // one tree: whichever is at hand
  kNearestFirst,  // one tree: of a node's children the nearest, depth first
  kLeavesFirst,   // one tree: of a node's children a leaf, if any is accepted,
                  // depth first, where the limit stays where it is
  kDeepestFirst,  // two trees: of the children the nearest or, where volumes
                  // overlap, the deepest, depth first
  kBestFirst,     // two trees: the same, over all that is before the traversal
};

// Which of the paper's two tests a block is put to (Larsson et al. 2007).
enum class VolumeTest {
  kConservative,  // quick rejections alone: may accept what does not meet
  kExact,         // the distance itself
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_STEP_H_
