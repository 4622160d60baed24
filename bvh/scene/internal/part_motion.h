// SPDX-License-Identifier: Apache-2.0

// A part at many poses in a scene: what the batches of poses of
// scene_overlap.h, scene_within.h and scene_closest.h share. Private.
//
//   return PartMotion(scene, part, poses, 0, options)
//       .CollectEach<BodyId>([&](const Probe& probe, const Execution& run) {
//         return AllOverlaps(scene, probe, run);
//       });
#ifndef ORBOX_BVH_SCENE_INTERNAL_PART_MOTION_H_
#define ORBOX_BVH_SCENE_INTERNAL_PART_MOTION_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/first_refusal.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/internal/clearance.h"
#include "orbox/bvh/scene/internal/mesh_outline.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_options.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// What the last pose of a piece passes to the next one.
struct LastPose {
  BodyId guess = kNoBody;  // was near
  bool was_near = false;
  std::optional<BodyOverlap> overlap;  // was found
  std::optional<BodyGap> closest;      // was the closest body
};

class PartMotion {
 public:
  // Refers to all of them. Requires that the scene is up to date.
  PartMotion(const Scene& scene, const Tree& part, std::span<const Pose> poses,
             double distance, const SceneOptions& options);

  // Returns ask(probe, run, last) at each pose, or a default value if no body
  // is within the distance; ask would return the same. If is_known(pose, last),
  // ask would return 1.
  template <typename Result, typename IsKnown, typename Ask>
  absl::StatusOr<std::vector<Result>> AskEach(IsKnown is_known, Ask ask) {
    return Finish<std::vector<Result>>([&] {
      return run_.AskEachInTurn<Result>(
          [this](size_t i) { return PlaceInOrder(i); },
          [this] { return Start(); },
          [&](Turn& turn, uint32_t i, const QueryOptions& alone) {
            if (turn.clearance.MoveTo(poses_[i]); turn.clearance.IsCertain()) {
              return Result{};
            }
            if constexpr (std::same_as<Result, uint8_t>) {
              if (turn.clearance.IsNextToLast() &&
                  is_known(poses_[i], turn.last)) {
                return Result{1};
              }
            }
            return AskAt<Result>(turn, i, alone.statistics, ask);
          });
    });
  }
  template <typename Result, typename Ask>
  absl::StatusOr<std::vector<Result>> AskEach(Ask ask) {
    return AskEach<Result>([](const Pose&, const LastPose&) { return false; },
                           ask);
  }

  // The same for lists: ask(probe, run).
  template <typename Value, typename Ask>
  absl::StatusOr<Lists<Value>> CollectEach(Ask ask) {
    return Finish<Lists<Value>>([&] {
      return run_.CollectListsInTurn<Value>(
          [this](size_t i) { return PlaceInOrder(i); },
          [this] { return Start(); },
          [&](Turn& turn, uint32_t i, std::vector<Value>* values,
              TraversalStatistics* statistics) {
            turn.clearance.MoveTo(poses_[i]);
            if (turn.clearance.IsCertain()) return;
            const auto found = AskAt<std::vector<Value>>(
                turn, i, statistics,
                [&](const Probe& probe, const Execution& run, LastPose&) {
                  return ask(probe, run);
                });
            values->insert(values->end(), found.begin(), found.end());
          });
    });
  }

 private:
  // What a piece of the batch keeps from pose to pose.
  struct Turn {
    Clearance clearance;
    LastPose last;
  };
  Turn Start() const {
    return {Clearance(part_.mesh().bounds(), distance_), {}};
  }

  // Gets ready, runs the batch, and returns its result, unless a pose was
  // refused.
  template <typename Results, typename Run>
  absl::StatusOr<Results> Finish(Run run) {
    const absl::Status ready = BatchRun::GuardMemory([&] {
      outline_.emplace(part_);
      in_turn_ = AreInTurn();
      return absl::OkStatus();
    });
    if (!ready.ok()) return ready;
    absl::StatusOr<Results> results = run();
    if (results.ok() && !refusal_.status().ok()) return refusal_.status();
    return results;
  }

  template <typename Result, typename Ask>
  Result AskAt(Turn& turn, uint32_t i, TraversalStatistics* statistics,
               Ask ask) {
    const auto posed = PosedTree::Create(part_, poses_[i]);
    if (!posed.ok()) {
      // The next pose cannot use it: MotionBound is infinite.
      refusal_.Note(i, posed.status());
      return {};
    }
    const Probe probe{*posed, outline_->BoundsAt(*posed), except_};
    const QueryOptions alone{.statistics = statistics};
    const Execution run(alone);
    LastPose& last = turn.last;
    const auto is_clear = [&] {
      return turn.clearance.LookAhead(scene_, probe, run, &last.guess);
    };
    // What was near is probably still near.
    if (!last.was_near && is_clear()) return {};
    Result result = ask(probe, run, last);
    if (last.was_near && !IsNear(result)) is_clear();
    last.was_near = IsNear(result);
    return result;
  }

  // Whether an answer names a body.
  static bool IsNear(std::integral auto answer) { return answer != 0; }
  static bool IsNear(const std::optional<BodyGap>& answer) {
    return answer.has_value();
  }
  template <typename Value>
  static bool IsNear(const std::vector<Value>& answer) {
    return !answer.empty();
  }

  // A bad pose has no place, and gets no answer.
  Vec3 PlaceOf(size_t i) const {
    return poses_[i].IsFinite() ? poses_[i].Apply(center_) : center_;
  }
  Vec3 PlaceInOrder(size_t i) const { return in_turn_ ? Vec3{} : PlaceOf(i); }

  // Whether the part moves less from each pose to the next, as in a motion,
  // than along the curve by which batches are sorted.
  bool AreInTurn() const;

  const Scene& scene_;
  const Tree& part_;
  const std::span<const Pose> poses_;
  const double distance_;
  const BodyId except_;
  const Vec3 center_;
  // From when they are needed.
  std::optional<MeshOutline> outline_;
  bool in_turn_ = false;

  const TreeSpace space_;
  BatchRun run_;
  FirstRefusal refusal_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_PART_MOTION_H_
