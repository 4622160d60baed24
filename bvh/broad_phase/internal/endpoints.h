// The beginnings and ends of boxes along an axis, in order. Private.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_ENDPOINTS_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_ENDPOINTS_H_

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

  // At one place, boxes begin before others end: touching is meeting.
  friend bool operator<(const Endpoint& a, const Endpoint& b) {
    return a.at != b.at ? a.at < b.at : a.is_end < b.is_end;
  }
};

// Puts endpoints in order, those that are in order nearly at once. Calls
// pass(e, other) wherever e comes to be before other.
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

// Which bodies were there in the frame before.
class Attendance {
 public:
  struct Changes {
    std::vector<BodyId> added;
    bool some_are_gone = false;

    // An added box is taken past all others on the average: so many at a time
    // are sorted anew.
    bool AreMany(const Bodies& bodies) const {
      return added.size() * added.size() > bodies.count();
    }
  };
  Changes Update(const Bodies& bodies);

  bool IsGone(BodyId body) const { return is_there_[body] == 0; }

 private:
  std::vector<uint8_t> is_there_;
};

// Drops the endpoints of bodies that are gone, adds those of bodies that are
// new at the end, from where they pass whatever they meet, and gives all of
// them their places of this frame.
void FollowBodies(const Bodies& bodies, const Attendance& attendance,
                  const Attendance::Changes& changes, size_t axis,
                  std::vector<Endpoint>* endpoints);

// Both of each body that is there, in the order of numbers.
std::vector<Endpoint> EndpointsOf(const Bodies& bodies, size_t axis);

// The axis along which boxes' centres vary most, by what boxes measure.
size_t AxisOfGreatestVariance(const Bodies& bodies);

// Whether two boxes meet on the two axes that are not this one.
bool OverlapsAcross(const Aabb& a, const Aabb& b, size_t axis);

// Makes `pairs` the sorted pairs of boxes that meet, from sorted endpoints
// along an axis: goes from one to the next with a list of boxes that have begun
// and not ended (Baraff, "Dynamic simulation of non-penetrating rigid bodies",
// 1992).
void SweepEndpoints(const std::vector<Endpoint>& sorted, const Bodies& bodies,
                    size_t axis, std::vector<BodyPair>* pairs);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_ENDPOINTS_H_
