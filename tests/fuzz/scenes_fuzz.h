// SPDX-License-Identifier: Apache-2.0

// Differential fuzzing of scenes: a few bodies of a few
// triangles come, move, change and go from frame to frame, and the results are
// those of testing every triangle of every body, to the bit. A violation
// aborts.
#ifndef ORBOX_TESTS_FUZZ_SCENES_FUZZ_H_
#define ORBOX_TESTS_FUZZ_SCENES_FUZZ_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/broad_phases/broad_phases.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/scene/contact_tracker.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_region_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/fuzz/boxes_fuzz.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/mesh_pairs_fuzz.h"
#include "tests/fuzz/require.h"
#include "tests/support/brute_force.h"
#include "tests/support/moving_boxes.h"
#include "tests/support/special_numbers.h"

namespace orbox {

class ScenesFuzz {
 public:
  explicit ScenesFuzz(FuzzInput& in)
      : in_(in),
        scene_(MakeBroadPhase(
            kBroadPhases[in.Below(std::size(kBroadPhases))].kind)) {}

  void Run();

 private:
  static constexpr size_t kMostBodies = 5;

  // Input of the scene, and the triangles of each body at its pose.
  struct Actor {
    Tree tree;
    Mesh moved;
  };

  void Change();
  void Add();
  void Move(BodyId body, const Tree& tree);
  void CheckFrame();
  void RunQuery();
  void RunClashes();
  void RunGaps();
  void RunProbe();
  void RunBatch();
  void RunPoint();
  void RunRange();
  void RunRay();

  std::optional<Mesh> AnyPart(Pose* pose);
  const Actor& AnyActor() {
    return std::next(cast_.begin(),
                     static_cast<ptrdiff_t>(in_.Below(cast_.size())))
        ->second;
  }
  double AnyLength() {
    const Actor& actor = AnyActor();
    return in_.LengthNear(actor.moved, AnyActor().moved.triangle(0).a);
  }

  FuzzInput& in_;
  std::vector<Tree> parts_;
  Scene scene_;
  std::map<BodyId, Actor> cast_;
  EveryPhase phases_;
};

void FuzzScenes(std::string_view bytes);

// Implementation.

inline void ScenesFuzz::Add() {
  if (cast_.size() == kMostBodies) return;
  const Tree& tree = parts_[in_.Below(parts_.size())];
  const Pose pose = in_.AnyPose();
  const auto moved = MovedMesh(tree.mesh(), pose);
  const auto body = scene_.Add(tree, pose);
  Require(body.ok() == moved.has_value(), "poses out of range are refused");
  if (!moved) return;
  Require(!cast_.contains(*body), "a number is given once");
  cast_.insert({*body, Actor{tree, *moved}});
}

inline void ScenesFuzz::Move(BodyId body, const Tree& tree) {
  const Pose pose = in_.AnyPose();
  const auto moved = MovedMesh(tree.mesh(), pose);
  const absl::Status status = scene_.Reshape(body, tree, pose);
  Require(status.ok() == moved.has_value(), "poses out of range are refused");
  if (moved) cast_.insert_or_assign(body, Actor{tree, *moved});
}

inline void ScenesFuzz::Change() {
  if (cast_.empty()) return Add();
  const auto at =
      std::next(cast_.begin(), static_cast<ptrdiff_t>(in_.Below(cast_.size())));
  switch (in_.Below(6)) {
    case 0:
    case 1:
      return Add();
    case 2:
      return Move(at->first, parts_[in_.Below(parts_.size())]);
    case 3:
      Require(scene_.Remove(at->first).ok(), "a body can be removed");
      cast_.erase(at);
      return;
    default:
      return Move(at->first, Tree(at->second.tree));
  }
}

inline void ScenesFuzz::CheckFrame() {
  scene_.Update();
  Require(scene_.body_count() == cast_.size(), "how many bodies there are");
  moving_boxes::Boxes boxes;
  for (const auto& [body, actor] : cast_) {
    const Aabb& bounds = scene_.bounds(body);
    const Aabb& exact = actor.moved.bounds();
    Require(Min(bounds.lo, exact.lo) == bounds.lo &&
                Max(bounds.hi, exact.hi) == bounds.hi,
            "bounds contain the mesh");
    boxes[body] = bounds;
  }
  const std::vector<BodyPair> pairs = moving_boxes::Pairs(boxes);
  Require(
      std::equal(pairs.begin(), pairs.end(), scene_.pairs_of_bounds().begin(),
                 scene_.pairs_of_bounds().end()),
      "which bounds meet");
  phases_.Check(boxes, in_.Byte());
}

inline void ScenesFuzz::RunClashes() {
  std::vector<BodyPair> bodies;
  std::vector<TrianglePair> triangles;
  for (const auto& [a, actor] : cast_) {
    for (const auto& [b, other] : cast_) {
      if (a >= b) continue;
      const auto pairs = brute_force::Overlapping(actor.moved, other.moved);
      if (!pairs.empty()) bodies.push_back({a, b});
      triangles.insert(triangles.end(), pairs.begin(), pairs.end());
    }
  }
  Require(AllOverlaps(scene_) == bodies, "who clashes");
  const auto found = AllOverlappingTriangles(scene_);
  Require(found.bodies == bodies && found.pairs.values == triangles,
          "which triangles do");
}

inline void ScenesFuzz::RunGaps() {
  const double distance = AnyLength();
  std::vector<BodyPair> bodies;
  std::vector<Witness> gaps;
  for (const auto& [a, actor] : cast_) {
    for (const auto& [b, other] : cast_) {
      if (a >= b) continue;
      if (!(distance >= 0)) continue;
      const auto gap =
          brute_force::ClosestWithin(actor.moved, other.moved, distance);
      if (!gap) continue;
      bodies.push_back({a, b});
      gaps.push_back(*gap);
    }
  }
  // If the distance is above the largest double, so are the gaps that count.
  if (distance == kInf) return;
  const auto found = AllWithin(scene_, distance);
  Require(found.size() == bodies.size(), "how many are within");
  for (size_t i = 0; i < found.size(); ++i) {
    Require(found[i].bodies == bodies[i], "which are within");
    Require(IsOneOf(found[i].gap, cast_.at(bodies[i].a).moved,
                    cast_.at(bodies[i].b).moved, gaps[i].distance),
            "how far they are apart");
  }
  ContactTracker tracker(distance, ContactGaps::kYes);
  tracker.Update(scene_);
  Require(std::equal(bodies.begin(), bodies.end(), tracker.contacts().begin(),
                     tracker.contacts().end()),
          "what a tracker finds");
}

// A mesh that is no body.
inline std::optional<Mesh> ScenesFuzz::AnyPart(Pose* pose) {
  *pose = in_.AnyPose();
  return MovedMesh(parts_[0].mesh(), *pose);
}

inline void ScenesFuzz::RunProbe() {
  Pose pose;
  const auto moved = AnyPart(&pose);
  if (!moved) return;
  const auto mesh = PosedTree::Create(parts_[0], pose);
  RequireOk(mesh.status(), "the pose is good");
  std::vector<BodyId> meeting;
  std::optional<BodyGap> closest;
  for (const auto& [body, actor] : cast_) {
    const auto gap = brute_force::Closest(*moved, actor.moved);
    if (gap.distance == 0) meeting.push_back(body);
    if (gap.distance == kInf) continue;
    if (!closest || gap.distance < closest->gap.distance) {
      closest = BodyGap{body, gap};
    }
  }
  Require(AllOverlaps(scene_, *mesh) == meeting, "what a mesh meets");
  Require(AnyOverlap(scene_, *mesh) == !meeting.empty(), "whether any");
  const auto found = ClosestPair(scene_, *mesh);
  if (!closest) return;
  Require(found && found->body == closest->body &&
              IsOneOf(found->gap, cast_.at(closest->body).moved, *moved,
                      closest->gap.distance),
          "which body is closest");
}

inline void ScenesFuzz::RunBatch() {
  std::vector<Pose> poses(in_.Below(6) + 1, in_.AnyPose());
  for (size_t i = 1; i < poses.size(); ++i) {
    if (in_.Below(3) == 0) poses[i] = in_.AnyPose();
    poses[i].translation = poses[i - 1].translation;
    poses[i].translation[in_.Below(3)] += in_.Number() * 0.125;
  }
  const auto meets = AnyOverlap(scene_, parts_[0], poses);
  const auto bodies = AllOverlaps(scene_, parts_[0], poses);
  for (size_t i = 0; i < poses.size(); ++i) {
    const auto posed = PosedTree::Create(parts_[0], poses[i]);
    if (!posed.ok()) {
      Require(!meets.ok() && !bodies.ok(), "a bad pose is refused");
      return;
    }
  }
  Require(meets.ok() && bodies.ok(), "good poses are not");
  for (size_t i = 0; i < poses.size(); ++i) {
    const auto moved = MovedMesh(parts_[0].mesh(), poses[i]);
    std::vector<BodyId> expected;
    for (const auto& [body, actor] : cast_) {
      if (!brute_force::Overlapping(*moved, actor.moved).empty()) {
        expected.push_back(body);
      }
    }
    Require(((*meets)[i] != 0) == !expected.empty(), "whether it meets any");
    Require(std::equal(expected.begin(), expected.end(), (*bodies)[i].begin(),
                       (*bodies)[i].end()),
            "what it meets at a pose");
  }
}

inline void ScenesFuzz::RunPoint() {
  const Vec3 p = in_.PointNear(AnyActor().moved);
  if (!IsFinite(p)) return;
  std::optional<BodyPoint> expected;
  for (const auto& [body, actor] : cast_) {
    const auto near = brute_force::Nearest(actor.moved, p)[0];
    if (near.distance == kInf) continue;
    if (!expected || near.distance < expected->surface.distance) {
      expected = BodyPoint{body, near};
    }
  }
  const auto found = ClosestPoint(scene_, p);
  if (!expected) return;
  Require(found && found->body == expected->body &&
              IsOneOf(found->surface, cast_.at(found->body).moved, p,
                      expected->surface.distance),
          "what is closest to a point");
}

inline void ScenesFuzz::RunRange() {
  const Sphere ball{in_.PointNear(AnyActor().moved), AnyLength()};
  const Vec3 p = in_.PointNear(AnyActor().moved);
  const Vec3 q = in_.PointNear(AnyActor().moved);
  const auto check = [this](const auto& shape) {
    std::vector<BodyTriangle> expected;
    std::vector<BodyId> bodies;
    for (const auto& [body, actor] : cast_) {
      const auto ids = brute_force::InRange(actor.moved, shape);
      for (const uint32_t id : ids) expected.push_back({body, id});
      if (!ids.empty()) bodies.push_back(body);
    }
    Require(AllOverlappingTriangles(scene_, shape) == expected,
            "what is in range");
    Require(AllOverlaps(scene_, shape) == bodies, "which bodies are");
  };
  if (IsValid(ball)) check(ball);
  const Aabb box{Min(p, q), Max(p, q)};
  if (IsValid(box)) check(box);
}

inline void ScenesFuzz::RunRay() {
  Ray ray;
  ray.origin = in_.PointNear(AnyActor().moved);
  ray.direction = in_.Below(2) == 0
                      ? in_.Direction()
                      : in_.PointNear(AnyActor().moved) - ray.origin;
  if (in_.Below(2) == 0) ray.max_t = 1;
  if (!CheckQuery(ray).ok()) return;
  std::optional<BodyTriangle> expected;
  double t = 0;
  for (const auto& [body, actor] : cast_) {
    for (uint32_t i = 0; i < actor.moved.triangle_count(); ++i) {
      const auto hit = Intersect(ray, actor.moved.triangle(i));
      if (!hit) continue;
      if (expected &&
          CompareHits(
              ray, actor.moved.triangle(i),
              cast_.at(expected->body).moved.triangle(expected->triangle)) >=
              0) {
        continue;
      }
      expected = BodyTriangle{body, i};
      t = hit->t;
    }
  }
  const auto found = ClosestHit(scene_, ray);
  Require(found.has_value() == expected.has_value(), "whether a ray hits");
  Require(AnyHit(scene_, ray) == expected.has_value(), "any hit");
  if (!found) return;
  Require(BodyTriangle{found->body, found->hit.triangle} == *expected,
          "what a ray hits first");
  Require(found->hit.t == t, "where a ray hits");
}

inline void ScenesFuzz::RunQuery() {
  switch (in_.Below(8)) {
    case 0:
    case 1:
      return RunClashes();
    case 2:
      return RunGaps();
    case 3:
      return RunProbe();
    case 4:
      return RunBatch();
    case 5:
      return RunPoint();
    case 6:
      return RunRange();
    default:
      return RunRay();
  }
}

inline void ScenesFuzz::Run() {
  const size_t most = in_.is_wild() ? 2 : 4;
  for (size_t n = in_.Below(2) + 1; n > 0; --n) {
    const std::optional<Mesh> mesh = in_.SmallMesh(most);
    if (!mesh) return;
    const auto tree = Build(*mesh, in_.Options());
    RequireOk(tree.status(), "every mesh has a tree");
    parts_.push_back(*tree);
  }
  Add();
  Add();
  ContactTracker tracker;
  for (int frame = 0; frame < 4 && !in_.is_at_end(); ++frame) {
    for (size_t n = in_.Below(4); n > 0; --n) Change();
    CheckFrame();
    if (cast_.empty()) continue;
    RunQuery();
    tracker.Update(scene_);
    Require(
        AllOverlaps(scene_) == std::vector<BodyPair>(tracker.contacts().begin(),
                                                     tracker.contacts().end()),
        "a tracker forgets nothing, and remembers nothing false");
  }
}

inline void FuzzScenes(std::string_view bytes) {
  FuzzInput in(bytes);
  if (in.Below(4) == 0) return FuzzBoxes(in);
  ScenesFuzz(in).Run();
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_SCENES_FUZZ_H_
