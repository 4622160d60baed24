#include "orbox/bvh/scene/motion_batch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/first_refusal.h"
#include "orbox/bvh/scene/internal/clearance.h"
#include "orbox/bvh/scene/internal/mesh_outline.h"
#include "orbox/bvh/scene/internal/motion_bound.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

TreeSpace SpaceOf(const Scene& scene) {
  if (scene.bodies().empty()) return {};
  Aabb all = scene.bounds(scene.bodies().front());
  for (const BodyId body : scene.bodies()) {
    all = Union(all, scene.bounds(body));
  }
  return SpaceAround(all);
}

// What the last pose of a piece passes to the next one.
struct Before {
  BodyId guess = kNoBody;  // was near
  bool was_near = false;
  std::optional<Meeting> meeting;   // was a pair of triangles that meet
  std::optional<NearBody> closest;  // was the closest body
};

bool KnowsNothing(const Pose&, const Before&) { return false; }

// Whether an answer names a body.
bool IsNear(uint8_t answer) { return answer != 0; }
bool IsNear(const std::optional<NearBody>& answer) {
  return answer.has_value();
}
template <typename Value>
bool IsNear(const std::vector<Value>& answer) {
  return !answer.empty();
}

// A part at its poses.
class Motion {
 public:
  Motion(const Scene& scene, const Tree& part, std::span<const Pose> poses,
         const BatchOptions& options, BodyId but,
         TraversalStatistics* statistics)
      : scene_(scene),
        part_(part),
        poses_(poses),
        but_(but),
        center_(part.mesh().bounds().Center()),
        space_(SpaceOf(scene)),
        run_(space_, poses.size(), options, statistics) {}

  // Returns ask(probe, before) at each pose, or a default value if no body is
  // within `distance`; ask would return the same. If is_known(pose, before),
  // ask would return 1.
  template <typename Result, typename IsKnown, typename Ask>
  absl::StatusOr<std::vector<Result>> AskEach(double distance, IsKnown is_known,
                                              Ask ask) {
    std::vector<Result> results;
    const absl::Status status = BatchRun::GuardMemory([&] {
      outline_.emplace(part_);
      results.resize(poses_.size());
      const bool in_turn = AreInTurn();
      const auto place_of = [&](size_t i) {
        return in_turn ? Vec3{} : PlaceOf(i);
      };
      return run_.ForEachPiece(place_of, [&](const BatchRun::Piece& piece) {
        RunPiece(piece, distance, is_known, ask, &results);
      });
    });
    if (!status.ok()) return status;
    if (!refusal_.status().ok()) return refusal_.status();
    return results;
  }

  // The same for lists.
  template <typename Value, typename Ask>
  absl::StatusOr<Lists<Value>> CollectEach(double distance, Ask ask) {
    auto found = AskEach<std::vector<Value>>(
        distance, KnowsNothing,
        [&](const Probe& probe, const Before&) { return ask(probe); });
    if (!found.ok()) return found.status();
    std::optional<Lists<Value>> made;  // within the guard: it allocates
    const absl::Status status = BatchRun::GuardMemory([&] {
      Lists<Value>& lists = made.emplace();
      lists.offsets.reserve(found->size() + 1);
      for (std::vector<Value>& of_one : *found) {
        lists.values.insert(lists.values.end(), of_one.begin(), of_one.end());
        lists.offsets.push_back(lists.values.size());
        of_one = {};  // one copy at a time
      }
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    return *std::move(made);
  }

 private:
  template <typename Result, typename IsKnown, typename Ask>
  void RunPiece(const BatchRun::Piece& piece, double distance, IsKnown is_known,
                Ask ask, std::vector<Result>* results) {
    Clearance clearance(part_.mesh().bounds(), distance);
    Before before;
    for (const uint32_t i : piece.queries) {
      clearance.MoveTo(poses_[i]);
      if (clearance.IsCertain()) continue;
      Result& result = (*results)[i];
      if constexpr (std::is_same_v<Result, uint8_t>) {
        if (clearance.IsNextToLast() && is_known(poses_[i], before)) {
          result = 1;
          continue;
        }
      }
      const auto posed = PosedTree::Create(part_, poses_[i]);
      if (!posed.ok()) {
        // The next pose cannot use it: MotionBound is infinite.
        refusal_.Note(i, posed.status());
        continue;
      }
      const Probe probe{*posed, outline_->BoundsAt(*posed), but_,
                        piece.statistics};
      const auto is_clear = [&] {
        return clearance.LookAhead(scene_, probe, &before.guess);
      };
      // What was near is probably still near.
      if (!before.was_near && is_clear()) continue;
      result = ask(probe, before);
      if (before.was_near && !IsNear(result)) is_clear();
      before.was_near = IsNear(result);
    }
  }

  // A bad pose has no place, and gets no answer.
  Vec3 PlaceOf(size_t i) const {
    return poses_[i].IsFinite() ? poses_[i].Apply(center_) : center_;
  }

  // Whether the part moves less from each pose to the next, as in a motion,
  // than along the curve by which batches are sorted.
  bool AreInTurn() const {
    std::vector<std::pair<uint32_t, uint32_t>> sorted;
    sorted.reserve(poses_.size());
    for (size_t i = 0; i < poses_.size(); ++i) {
      sorted.emplace_back(MortonKey(space_, PlaceOf(i)),
                          static_cast<uint32_t>(i));
    }
    std::sort(sorted.begin(), sorted.end());
    const Aabb& box = part_.mesh().bounds();
    double in_turn = 0;
    double along_curve = 0;
    for (size_t i = 1; i < poses_.size(); ++i) {
      in_turn += MotionBound(box, poses_[i - 1], poses_[i]);
      along_curve += MotionBound(box, poses_[sorted[i - 1].second],
                                 poses_[sorted[i].second]);
    }
    return in_turn <= along_curve;
  }

  const Scene& scene_;
  const Tree& part_;
  const std::span<const Pose> poses_;
  const BodyId but_;
  const Vec3 center_;
  std::optional<MeshOutline> outline_;  // from when it is needed
  const TreeSpace space_;
  BatchRun run_;
  FirstRefusal refusal_;
};

// Whether the triangles that overlapped at the last pose still do.
bool StillMeet(const Scene& scene, const Tree& part, const Pose& pose,
               const Meeting& meeting) {
  const TrianglePair& pair = meeting.triangles;
  return Overlaps(pose.Apply(part.mesh().triangle(pair.a)),
                  scene.body(meeting.body).triangle(pair.b));
}

// The present distance of the pair of triangles that was closest: an upper
// bound.
double BoundBy(const Scene& scene, const NearBody& last, const Probe& probe) {
  const TrianglePair& pair = last.gap.triangles;
  return AboveRounded(DistanceBetween(probe.mesh.triangle(pair.a),
                                      scene.body(last.body).triangle(pair.b)));
}

}  // namespace

absl::StatusOr<std::vector<uint8_t>> MeetsAnyBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options, BodyId but, TraversalStatistics* statistics) {
  return Motion(scene, part, poses, options, but, statistics)
      .AskEach<uint8_t>(
          0,
          [&](const Pose& pose, const Before& before) {
            return before.meeting &&
                   StillMeet(scene, part, pose, *before.meeting);
          },
          [&](const Probe& probe, Before& before) {
            before.meeting = FindMeeting(scene, probe, before.guess);
            if (before.meeting) before.guess = before.meeting->body;
            return before.meeting ? 1 : 0;
          });
}

absl::StatusOr<Lists<BodyId>> BodiesMeetingAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options, BodyId but, TraversalStatistics* statistics) {
  return Motion(scene, part, poses, options, but, statistics)
      .CollectEach<BodyId>(
          0, [&](const Probe& probe) { return AllMeeting(scene, probe); });
}

absl::StatusOr<std::vector<uint8_t>> IsNearAnyBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BatchOptions& options, BodyId but,
    TraversalStatistics* statistics) {
  return Motion(scene, part, poses, options, but, statistics)
      .AskEach<uint8_t>(
          distance, KnowsNothing, [&](const Probe& probe, Before& before) {
            const auto found = FindNear(scene, probe, distance, before.guess);
            if (found) before.guess = *found;
            return found ? 1 : 0;
          });
}

absl::StatusOr<Lists<NearBody>> BodiesNearAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BatchOptions& options, BodyId but,
    TraversalStatistics* statistics) {
  return Motion(scene, part, poses, options, but, statistics)
      .CollectEach<NearBody>(distance, [&](const Probe& probe) {
        return AllNear(scene, probe, distance);
      });
}

absl::StatusOr<std::vector<std::optional<NearBody>>> ClosestBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options, double max_distance, BodyId but,
    TraversalStatistics* statistics) {
  return Motion(scene, part, poses, options, but, statistics)
      .AskEach<std::optional<NearBody>>(
          max_distance, KnowsNothing, [&](const Probe& probe, Before& before) {
            double limit = max_distance;
            if (before.closest && limit > 0) {
              limit = std::min(limit, BoundBy(scene, *before.closest, probe));
            }
            const auto closest = Closest(scene, probe, limit);
            if (closest) before.closest = closest;
            return closest;
          });
}

}  // namespace orbox
