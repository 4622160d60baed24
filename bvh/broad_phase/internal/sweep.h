// SPDX-License-Identifier: Apache-2.0

// Overlapping boxes of a row: the inner loop of most broad phases, eight boxes
// at a time. Private.
//
//   SweepRows rows;
//   rows.Resize(n);
//   for (size_t i = 0; i < n; ++i) rows.Set(i, map(bodies.box(id)), id);
//   AppendMeeting(rows, SweepOrder::kNone, &bodies, &pairs);
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_SWEEP_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_SWEEP_H_

#include <cstddef>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// The beginning of a box that began in an earlier column: below any value of
// BoxMap.
inline constexpr float kBegunBefore = -2 * kMapEnd;

// Boxes from BoxMap, coordinate by coordinate, with their bodies.
class SweepRows {
 public:
  // Lanes beyond the size overlap nothing.
  void Resize(size_t size) {
    if (ids_.size() < size + kPadding) {
      for (std::vector<float>& row : rows_) row.resize(size + kPadding);
      ids_.resize(size + kPadding);
    }
    size_ = size;
    for (size_t i = size; i < size + kPadding; ++i) {
      Set(i,
          {{kNowhere, kNowhere, kNowhere}, {-kNowhere, -kNowhere, -kNowhere}},
          0);
    }
  }
  size_t size() const { return size_; }

  void Set(size_t i, const Aabbf& box, BodyId body) {
    for (size_t axis = 0; axis < 3; ++axis) {
      rows_[axis][i] = box.lo[axis];
      rows_[3 + axis][i] = box.hi[axis];
    }
    ids_[i] = body;
  }

  // Eight values may be read from any position below size().
  const float* lo(size_t axis) const { return rows_[axis].data(); }
  const float* hi(size_t axis) const { return rows_[3 + axis].data(); }
  const BodyId* ids() const { return ids_.data(); }

 private:
  static constexpr size_t kPadding = 8;
  static constexpr float kNowhere = 8 * kMapEnd;

  size_t size_ = 0;
  std::vector<float> rows_[6];
  std::vector<BodyId> ids_;
};

enum class SweepOrder {
  kNone,
  // Sorted by BeginsBefore: a box is compared with those that follow, up to its
  // end.
  kAscending,
  // Sorted by BeginsBefore. A pair is omitted if neither of its boxes begins on
  // axis 1, or neither on axis 2. A box with lo == kBegunBefore does not begin.
  kColumn,
};

// If two boxes begin at equal coordinates, the one that ends first comes first.
// A box may end at the coordinate where an earlier box begins; floats do not
// distinguish this from ending below. In this order, such an earlier box also
// begins and ends at that coordinate, and so touches it.
inline bool BeginsBefore(float lo, float hi, float other_lo, float other_hi) {
  return lo != other_lo ? lo < other_lo : hi < other_hi;
}

// A sweep stops above this.
struct SweepLimit {
  static constexpr size_t kNone = static_cast<size_t>(-1);

  // A step is a test of eight boxes, or a comparison of two in double. Two
  // pairs found offset one step. Each box swept adds `steps_per_box` to the
  // limit.
  size_t steps = kNone;
  size_t steps_per_box = 0;
  size_t pairs = kNone;
};

struct SweepOutcome {
  size_t steps = 0;
  bool is_complete = true;  // not stopped by the limit
};

// Appends the pairs of boxes that overlap, in no particular order. `exact`
// contains the boxes in double, which decide if maps touch; without it, maps
// that touch count as overlapping.
ORBOX_EXPORT SweepOutcome AppendMeeting(const SweepRows& rows, SweepOrder order,
                                        const Bodies* exact,
                                        std::vector<BodyPair>* pairs,
                                        const SweepLimit& limit = {});

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_SWEEP_H_
