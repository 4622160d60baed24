// Bodies' boxes that come, move and go, and which of them meet: the slow,
// obvious way.
#ifndef ORBOX_TESTS_SUPPORT_MOVING_BOXES_H_
#define ORBOX_TESTS_SUPPORT_MOVING_BOXES_H_

#include <cstddef>
#include <iterator>
#include <map>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/shapes.h"

namespace orbox::moving_boxes {

using Boxes = std::map<BodyId, Aabb>;

inline bool Meet(const Aabb& a, const Aabb& b) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (a.lo[axis] > b.hi[axis] || b.lo[axis] > a.hi[axis]) return false;
  }
  return true;
}

inline std::vector<BodyPair> Pairs(const Boxes& boxes) {
  std::vector<BodyPair> pairs;
  for (auto a = boxes.begin(); a != boxes.end(); ++a) {
    for (auto b = std::next(a); b != boxes.end(); ++b) {
      if (Meet(a->second, b->second)) pairs.push_back({a->first, b->first});
    }
  }
  return pairs;
}

}  // namespace orbox::moving_boxes

#endif  // ORBOX_TESTS_SUPPORT_MOVING_BOXES_H_
