// SPDX-License-Identifier: Apache-2.0

// The boxes of all bodies in float (box_map.h), by number. Private.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_MAPPED_BOXES_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_MAPPED_BOXES_H_

#include <cstddef>
#include <vector>

#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Half a cache line, aligned so that it never crosses a line. The fourth
// coordinates fill vectors of four and always overlap.
struct alignas(32) MappedBox {
  float lo[4];
  float hi[4];

  static MappedBox Of(const Aabbf& box) {
    return {{box.lo.x, box.lo.y, box.lo.z, 0},
            {box.hi.x, box.hi.y, box.hi.z, 1}};
  }
  // Returns a box that overlaps nothing.
  static MappedBox Nothing() {
    constexpr auto kFar = static_cast<float>(kInfinity);
    return {{kFar, kFar, kFar, 0}, {-kFar, -kFar, -kFar, 1}};
  }
  bool IsNothing() const { return lo[0] > hi[0]; }
  bool Contains(const MappedBox& box) const {
    return (lo[0] <= box.lo[0]) & (lo[1] <= box.lo[1]) & (lo[2] <= box.lo[2]) &
           (hi[0] >= box.hi[0]) & (hi[1] >= box.hi[1]) & (hi[2] >= box.hi[2]);
  }
};

inline bool Overlaps(const MappedBox& a, const MappedBox& b) {
  return (a.lo[0] <= b.hi[0]) & (a.lo[1] <= b.hi[1]) & (a.lo[2] <= b.hi[2]) &
         (b.lo[0] <= a.hi[0]) & (b.lo[1] <= a.hi[1]) & (b.lo[2] <= a.hi[2]);
}

using MappedBoxes = std::vector<MappedBox>;

// Maps the boxes of all bodies. Numbers without a body get Nothing().
inline void MapAll(const Bodies& bodies, const BoxMap& map,
                   MappedBoxes* boxes) {
  boxes->resize(bodies.id_end());
  for (BodyId body = 0; body < bodies.id_end(); ++body) {
    (*boxes)[body] = bodies.Contains(body)
                         ? MappedBox::Of(map(bodies.box(body)))
                         : MappedBox::Nothing();
  }
}

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_MAPPED_BOXES_H_
