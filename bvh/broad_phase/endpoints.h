// The beginnings and ends of boxes along an axis, in order. Private.
#ifndef ORBOX_BVH_BROAD_PHASE_ENDPOINTS_H_
#define ORBOX_BVH_BROAD_PHASE_ENDPOINTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/bodies.h"
#include "orbox/bvh/broad_phase/broad_phase.h"

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

#endif  // ORBOX_BVH_BROAD_PHASE_ENDPOINTS_H_
