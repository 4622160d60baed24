// SPDX-License-Identifier: Apache-2.0

// Sorted beginnings and ends of boxes along an axis. Private.
#ifndef ORBOX_BVH_BROAD_PHASES_INTERNAL_ENDPOINTS_H_
#define ORBOX_BVH_BROAD_PHASES_INTERNAL_ENDPOINTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/bodies.h"

namespace orbox {

struct Endpoint {
  double at;
  BodyId body;
  uint32_t is_end;

  // At equal coordinates, beginnings come before ends: touching is overlapping.
  friend bool operator<(const Endpoint& a, const Endpoint& b) {
    return a.at != b.at ? a.at < b.at : a.is_end < b.is_end;
  }
};

// Sorts endpoints; almost linear if they are almost sorted. Calls pass(e,
// other) whenever e moves before other.
template <typename Pass>
void SortByInsertion(std::vector<Endpoint>* endpoints, Pass pass) {
  std::vector<Endpoint>& all = *endpoints;
  for (size_t i = 1; i < all.size(); ++i) {
    const Endpoint e = all[i];
    size_t place = i;
    for (; place > 0 && e < all[place - 1]; --place) {
      all[place] = all[place - 1];
      pass(e, all[place]);
    }
    all[place] = e;
  }
}

// The bodies that were present in the previous frame.
class Attendance {
 public:
  struct Changes {
    std::vector<BodyId> added;
    bool some_are_gone = false;

    // Returns true if sorting all endpoints is faster than inserting the added
    // ones: if there are more than the square root of the number of bodies.
    // Insertion moves each added endpoint past many others.
    bool AreMany(const Bodies& bodies) const {
      return added.size() * added.size() > bodies.count();
    }
  };
  Changes Update(const Bodies& bodies);

  bool IsGone(BodyId body) const { return is_there_[body] == 0; }

 private:
  std::vector<uint8_t> is_there_;
};

// Updates all endpoints to the coordinates of this frame. Removes the endpoints
// of removed bodies. Appends those of new bodies at the end, so that insertion
// sort moves them past all boxes that they overlap.
void FollowBodies(const Bodies& bodies, const Attendance& attendance,
                  const Attendance::Changes& changes, size_t axis,
                  std::vector<Endpoint>* endpoints);

// Returns both endpoints of each body that is present, in the order of body
// numbers.
std::vector<Endpoint> EndpointsOf(const Bodies& bodies, size_t axis);

// Returns the axis with the greatest variance of the centres, in units of the
// boxes' size.
size_t AxisOfGreatestVariance(const Bodies& bodies);

// Returns true if two boxes overlap on the two other axes.
bool OverlapsAcross(const Aabb& a, const Aabb& b, size_t axis);

// Sets `pairs` to the sorted pairs of overlapping boxes, from sorted endpoints
// along an axis. Visits the endpoints in order and keeps a list of the boxes
// that have begun and not ended (Baraff, "Dynamic simulation of non-penetrating
// rigid bodies", 1992).
void SweepEndpoints(const std::vector<Endpoint>& sorted, const Bodies& bodies,
                    size_t axis, std::vector<BodyPair>* pairs);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASES_INTERNAL_ENDPOINTS_H_
