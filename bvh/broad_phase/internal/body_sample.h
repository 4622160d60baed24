// SPDX-License-Identifier: Apache-2.0

// A deterministic sample of the bodies, for estimates.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_BODY_SAMPLE_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_BODY_SAMPLE_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "orbox/bvh/broad_phase/broad_phase.h"

namespace orbox {

class BodySample {
 public:
  // About `wanted` of `count` bodies; all if there are no more.
  BodySample(size_t wanted, size_t count)
      : limit_(wanted >= count
                   ? std::numeric_limits<uint32_t>::max()
                   : static_cast<uint32_t>(
                         (static_cast<uint64_t>(wanted) << 32) / count)) {}

  // Multiples of the golden ratio are spread evenly, so that no period of the
  // body numbers biases the sample (Knuth, "The Art of Computer Programming",
  // volume 3, 6.4).
  bool Has(BodyId body) const { return body * 0x9e3779b1u <= limit_; }

 private:
  uint32_t limit_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_BODY_SAMPLE_H_
