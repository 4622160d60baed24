// SPDX-License-Identifier: Apache-2.0

// A part at many poses in a scene: the common code of the batches of poses of
// scene_overlap.h, scene_within.h and scene_closest.h. Private.
//
//   return PosesInScene(scene, mover, poses, 0, except, options)
//       .RunEach<uint8_t>([&](const PosedTree& posed, NearBodies& near,
//                             const Execution& run) {
//         return near.AnyWithin(posed, run, meets) ? 1 : 0;
//       });
#ifndef ORBOX_BVH_SCENE_INTERNAL_POSES_IN_SCENE_H_
#define ORBOX_BVH_SCENE_INTERNAL_POSES_IN_SCENE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/pairs/internal/first_refusal.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/internal/mesh_outline.h"
#include "orbox/bvh/scene/internal/near_bodies.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

class PosesInScene {
 public:
  // Refers to all arguments.
  PosesInScene(const Scene& scene, const Tree& mover,
               std::span<const Pose> poses, double distance, BodyId except,
               const RunOptions& options);

  // Returns call(posed, near, run) for each pose. If no body is within the
  // distance, returns a default value without the call. Requires that `call`
  // would return this value, too.
  template <typename Result, typename Call>
  absl::StatusOr<std::vector<Result>> RunEach(Call call) {
    return RunEachInTurn<Result>(
        [] { return false; },
        [&](const PosedTree& posed, NearBodies& near, const Execution& run,
            bool&) { return call(posed, near, run); });
  }

  // Like RunEach, for queries that reuse the result of the previous pose in
  // their task. start() makes the first value of a task. `call` gets the value
  // as its last argument.
  template <typename Result, typename Start, typename Call>
  absl::StatusOr<std::vector<Result>> RunEachInTurn(Start start, Call call) {
    return Finish<std::vector<Result>>([&] {
      return run_.RunEachInTurn<Result>(
          [this](size_t i) { return PositionInOrder(i); },
          [&] { return std::pair(NewNear(), start()); },
          [&](auto& turn, uint32_t i, const QueryOptions& alone) {
            Result result{};
            RunAt(turn.first, i, alone,
                  [&](const PosedTree& posed, const Execution& run) {
                    result = call(posed, turn.first, run, turn.second);
                  });
            return result;
          });
    });
  }

  // Like RunEach, for lists: call(posed, near, run, values) appends the values
  // of a pose.
  template <typename Value, typename Call>
  absl::StatusOr<Lists<Value>> CollectEach(Call call) {
    return Finish<Lists<Value>>([&] {
      return run_.CollectListsInTurn<Value>(
          [this](size_t i) { return PositionInOrder(i); },
          [this] { return NewNear(); },
          [&](NearBodies& near, uint32_t i, std::vector<Value>* values,
              const QueryOptions& alone) {
            RunAt(near, i, alone,
                  [&](const PosedTree& posed, const Execution& run) {
                    call(posed, near, run, values);
                  });
          });
    });
  }

  Probe ProbeOf(const PosedTree& posed) const {
    return {posed, outline_->BoundsAt(posed), except_};
  }

 private:
  // Returns the initial state of a task, which is kept from pose to pose.
  NearBodies NewNear() const {
    return {scene_, *outline_, mover_.mesh().bounds(), distance_, except_};
  }

  // Prepares and runs the batch. Returns its result, or an error if a pose is
  // not valid.
  template <typename Results, typename Run>
  absl::StatusOr<Results> Finish(Run run) {
    if (absl::Status s = CheckUpToDate(scene_); !s.ok()) return s;
    if (absl::Status s = CheckDistance("distance", distance_); !s.ok()) {
      return s;
    }
    const absl::Status ready = BatchRun::GuardMemory([&] {
      outline_.emplace(mover_);
      in_turn_ = AreInTurn();
      return absl::OkStatus();
    });
    if (!ready.ok()) return ready;
    absl::StatusOr<Results> results = run();
    if (results.ok() && !refusal_.status().ok()) return refusal_.status();
    return results;
  }

  template <typename Call>
  void RunAt(NearBodies& near, uint32_t i, const QueryOptions& alone,
             Call call) {
    near.MoveTo(poses_[i]);
    if (near.IsCertain()) return;
    const auto posed = PosedTree::Create(mover_, poses_[i]);
    if (!posed.ok()) {
      // The next pose does not reuse this pose, because MotionBound returns
      // infinity.
      refusal_.Note(i, posed.status());
      return;
    }
    call(*posed, Execution(alone));
  }

  // Returns the rounded position of the part at pose i. A pose that is not
  // valid gets the centre, because it has no result.
  Vec3 PositionOf(size_t i) const {
    const Pose& pose = poses_[i];
    const Vec3 place =
        Vec3{Dot(pose.rows[0], center_), Dot(pose.rows[1], center_),
             Dot(pose.rows[2], center_)} +
        pose.translation;
    return IsFinite(place) ? place : center_;
  }
  Vec3 PositionInOrder(size_t i) const {
    return in_turn_ ? Vec3{} : PositionOf(i);
  }

  // Path of the part along some poses: its length and its bounding box.
  struct Way {
    double length;
    Vec3 lo;
    Vec3 hi;

    // Returns true if the length is at most twice the box's diagonal. This is
    // never true for a long space-filling curve.
    bool IsStraight() const { return length <= 2 * SafeNorm(hi - lo); }
  };
  // Requires begin < end.
  Way WayOf(size_t begin, size_t end) const;

  // Returns true if the part moves less in the given order of poses, as in a
  // motion, than along the curve by which batches are sorted.
  bool AreInTurn() const;
  // Returns true if samples of the poses prove a motion: in most samples, the
  // steps are small and nearly straight.
  bool IsMotion() const;

  const Scene& scene_;
  const Tree& mover_;
  const std::span<const Pose> poses_;
  const double distance_;
  const BodyId except_;
  const Vec3 center_;
  // Set by Finish.
  std::optional<MeshOutline> outline_;
  bool in_turn_ = false;

  const TreeSpace space_;
  BatchRun run_;
  FirstRefusal refusal_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_POSES_IN_SCENE_H_
