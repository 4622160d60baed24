// SPDX-License-Identifier: Apache-2.0

// The broad phase of the core. Fast bodies: columns or a tree, rebuilt each
// frame. Slow bodies: candidates kept for some frames. Few bodies: all pairs.
// The choice depends only on the input, never on a clock.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/box_tree.h"
#include "orbox/bvh/broad_phase/internal/columns.h"
#include "orbox/bvh/broad_phase/internal/kept_candidates.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phase/internal/sweep.h"

namespace orbox {
namespace {

// Costs in nanoseconds (broad_phase_bench), compared only with each other: a
// body in rebuilt columns; a pair found in them and sorted; a test of a
// candidate; a body whose candidates are kept.
constexpr double kBodyAnew = 50;
constexpr double kPairAnew = 15;
constexpr double kCandidate = 3;
constexpr double kBodyKept = 8;

// Candidates are kept only if that costs less than this fraction of rebuilding.
constexpr double kGain = 0.8;

// Up to this many bodies, comparing all pairs is faster than sorting.
constexpr size_t kFew = 128;

// Up to this many bodies, deciding whether to keep candidates costs more than
// keeping them saves.
constexpr size_t kVeryFew = 24;

// Upper bound of kept candidates, per body and per pair.
constexpr size_t kMostCandidates = 8;

// Upper bound of the frames for which candidates are kept.
constexpr int kMaxHorizon = 64;

// Margin around a body's expected path, as a fraction of the path's length: for
// bodies that move straight on, and for bodies that did not.
constexpr float kStraight = 0.1f;
constexpr float kWinding = 0.6f;

// Upper bound of the frames between two attempts.
constexpr int kMaxPause = 64;

// Delays the next attempt after a failure. The delay doubles with each failure.
class Pause {
 public:
  bool Over() { return left_ == 0 || --left_ == 0; }
  void Fail() {
    length_ = std::min(2 * length_, kMaxPause);
    left_ = length_;
  }
  void Succeed() { length_ = 1; }

 private:
  int length_ = 1;
  int left_ = 0;
};

// Mean motion per frame and mean size of bodies, by axis.
struct MeanMotion {
  double step[3] = {0, 0, 0};
  double size[3] = {0, 0, 0};
};

class Adaptive final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    if (is_keeping_) {
      ++age_;
      if (kept_.Follow(bodies, map_, &boxes_)) {
        kept_.FindPairs(bodies, map_, boxes_, pairs);
        AddSteps(kept_.candidates());
        return;
      }
      is_keeping_ = false;
      // The rooms lasted less than half of the expected frames: bodies have
      // changed direction.
      if (2 * age_ < horizon_) {
        if (wobble_ == kWinding) keeping_.Fail();
        wobble_ = kWinding;
      } else {
        keeping_.Succeed();
      }
    } else {
      boxes_.swap(start_);
      age_ = 1;
    }
    const bool is_same_map = MapAnew(bodies);
    const bool may_keep =
        bodies.count() > kVeryFew && keeping_.Over() && is_same_map;
    if (may_keep && Keep(bodies, pairs->size())) {
      kept_.FindPairs(bodies, map_, boxes_, pairs);
      AddSteps(kept_.candidates());
      return;
    }
    FindAnew(bodies, pairs);
  }

  void Forget() noexcept override {
    is_keeping_ = false;
    has_map_ = false;
    boxes_.clear();
    start_.clear();
  }

  // Maps all boxes. Returns false if the map is new, so that motions relative
  // to the frame before are unknown.
  bool MapAnew(const Bodies& bodies) {
    const Aabb bounds = MapBoundsOf(bodies);
    const Aabbf mapped = map_(bounds);
    bool fits = has_map_;
    for (size_t axis = 0; axis < 3; ++axis) {
      fits &= mapped.lo[axis] >= -1.25f && mapped.hi[axis] <= 1.25f;
      fits &= mapped.hi[axis] - mapped.lo[axis] >= 1 || was_flat_[axis];
    }
    if (!fits) {
      map_ = BoxMap(bounds);
      for (size_t axis = 0; axis < 3; ++axis) {
        was_flat_[axis] = bounds.lo[axis] == bounds.hi[axis];
      }
      has_map_ = true;
    }
    MapAll(bodies, map_, &boxes_);
    return fits;
  }

  MeanMotion MotionOfAll(size_t count) const {
    MeanMotion motion;
    for (size_t body = 0; body < boxes_.size(); ++body) {
      const MappedBox& box = boxes_[body];
      if (box.IsNothing()) continue;
      const bool was_here = body < start_.size() && !start_[body].IsNothing();
      for (size_t axis = 0; axis < 3; ++axis) {
        motion.size[axis] += static_cast<double>(box.hi[axis] - box.lo[axis]);
        if (was_here) {
          motion.step[axis] += std::abs(
              static_cast<double>(box.lo[axis] - start_[body].lo[axis]));
        }
      }
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      motion.size[axis] /= static_cast<double>(count);
      motion.step[axis] /= static_cast<double>(count) * age_;
    }
    return motion;
  }

  // Returns the number of frames for which keeping candidates is cheapest; 0 if
  // rebuilding is cheaper.
  int BestHorizon(const MeanMotion& motion, size_t count, size_t pairs) const {
    const auto n = static_cast<double>(count);
    const auto p = static_cast<double>(pairs);
    double best = kGain * (n * kBodyAnew + p * kPairAnew);
    int best_horizon = 0;
    for (int horizon = 2; horizon <= kMaxHorizon; horizon *= 2) {
      double more = 1;
      for (size_t axis = 0; axis < 3; ++axis) {
        const double growth = (1 + 2 * static_cast<double>(wobble_)) * horizon *
                              motion.step[axis];
        more *= 1 + growth / std::max(motion.size[axis], 1e-9);
      }
      // If few or no boxes overlap, their number does not predict the number of
      // candidates.
      const double candidates = std::max(p, n / 64) * more;
      const double cost =
          (n * kBodyAnew * std::cbrt(more) + candidates * kPairAnew) / horizon +
          n * kBodyKept + candidates * kCandidate;
      if (cost < best) {
        best = cost;
        best_horizon = horizon;
      }
    }
    return best_horizon;
  }

  bool Keep(const Bodies& bodies, size_t pairs) {
    horizon_ = BestHorizon(MotionOfAll(bodies.count()), bodies.count(), pairs);
    if (horizon_ == 0) return false;
    MappedBoxes& rooms = kept_.rooms();
    rooms = boxes_;
    const float frames =
        static_cast<float>(horizon_) / static_cast<float>(age_);
    for (size_t body = 0; body < std::min(rooms.size(), start_.size());
         ++body) {
      MappedBox& room = rooms[body];
      if (room.IsNothing() || start_[body].IsNothing()) continue;
      float way[3];
      double longest = 0;  // in units of the bodies, equal on all axes
      for (size_t axis = 0; axis < 3; ++axis) {
        way[axis] = (room.lo[axis] - start_[body].lo[axis]) * frames;
        longest = std::max(longest, static_cast<double>(std::abs(way[axis])) /
                                        map_.scale(axis));
      }
      for (size_t axis = 0; axis < 3; ++axis) {
        const float margin = std::min(
            wobble_ * static_cast<float>(longest * map_.scale(axis)), kMapEnd);
        room.lo[axis] = std::max(
            room.lo[axis] + std::min(way[axis], 0.0f) - margin, -kMapEnd);
        room.hi[axis] = std::min(
            room.hi[axis] + std::max(way[axis], 0.0f) + margin, kMapEnd);
      }
    }
    // Many more candidates than this cost more than they save.
    const bool kept = kept_.Build(kMostCandidates * (pairs + bodies.count()));
    AddSteps(kept_.steps());
    if (!kept) {
      keeping_.Fail();
      return false;
    }
    start_ = boxes_;
    age_ = 0;
    is_keeping_ = true;
    return true;
  }

  void FindAnew(const Bodies& bodies, std::vector<BodyPair>* pairs) {
    pairs->clear();
    if (bodies.count() <= kFew) {
      FindAllPairs(bodies, pairs);
      return;
    }
    if (columns_may_do_.Over()) {
      columns_.Build(boxes_);
      const bool found = columns_.AppendPairs(&bodies, pairs);
      AddSteps(columns_.steps());
      if (found) {
        columns_may_do_.Succeed();
        Sort(pairs);
        return;
      }
      columns_may_do_.Fail();
      pairs->clear();
    }
    tree_.Build(bodies);
    AddSteps(tree_.AppendPairs(pairs));
    Sort(pairs);
  }

  void FindAllPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) {
    rows_.Resize(bodies.count());
    size_t row = 0;
    for (BodyId body = 0; body < boxes_.size(); ++body) {
      const MappedBox& box = boxes_[body];
      if (box.IsNothing()) continue;
      rows_.Set(row++,
                {{box.lo[0], box.lo[1], box.lo[2]},
                 {box.hi[0], box.hi[1], box.hi[2]}},
                body);
    }
    AddSteps(AppendMeeting(rows_, SweepOrder::kNone, &bodies, pairs).steps);
    Sort(pairs);
  }

  BoxMap map_;
  bool has_map_ = false;
  bool was_flat_[3] = {false, false, false};
  MappedBoxes boxes_;
  // Boxes of `age_` frames ago.
  MappedBoxes start_;
  int age_ = 1;

  bool is_keeping_ = false;
  int horizon_ = 0;
  float wobble_ = kStraight;
  Pause keeping_;
  KeptCandidates kept_;

  Pause columns_may_do_;
  Columns columns_;
  BoxTree tree_;
  SweepRows rows_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeBroadPhase() {
  return std::make_unique<Adaptive>();
}

}  // namespace orbox
