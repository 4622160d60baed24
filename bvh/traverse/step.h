// The verbs that steer a traversal, and its order. Private.
#ifndef ORBOX_BVH_TRAVERSE_STEP_H_
#define ORBOX_BVH_TRAVERSE_STEP_H_

namespace orbox {

// What comes after a leaf.
enum class Step {
  kContinue,  // the next subtree
  kStop,      // the query is answered
};

// In which order a node's accepted children are opened.
enum class Order {
  kAny,           // whichever is at hand
  kNearestFirst,  // the one with the lowest key first
};

// Which of the paper's two tests a block is put to (Larsson et al. 2007).
enum class VolumeTest {
  kConservative,  // quick rejections alone: may accept what does not meet
  kExact,         // the distance itself
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_STEP_H_
