// SPDX-License-Identifier: Apache-2.0

// A scene of many bodies: each is a mesh with a pose.
//
//   Scene scene;
//   absl::StatusOr<BodyId> wheel = scene.Add(tree, pose);   // trees are shared
//   absl::StatusOr<BodyId> fork = scene.Add(other);
//   scene.Update();                                         // a frame
//   for (const BodyPair& p : AllOverlaps(scene)) use(p.a, p.b);
//
// Bodies get the lowest free number, from 0; a removed body frees its number.
// body() and Contains() show a change at once. Queries require an Update after
// the last change, and never call it. For a scene that is not up to date, a
// query without run options ends the program with a message, and one with run
// options returns kFailedPrecondition. The mesh of a body is that of its
// PosedTree (posed/posed_tree.h). Results are exact for its moved vertices. Any
// number of threads may query a scene while no thread changes it.
//
// If memory runs out, Add, Move, Reshape and Remove return an error and change
// nothing. Update throws std::bad_alloc; the scene is then not up to date until
// an Update succeeds.
#ifndef ORBOX_BVH_SCENE_SCENE_H_
#define ORBOX_BVH_SCENE_SCENE_H_

#include <cstddef>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class ORBOX_EXPORT Scene {
 public:
  // Creates a scene with the broad phase of MakeBroadPhase().
  Scene();
  // Creates a scene with this broad phase, which must be empty (broad_phases.h
  // lists the kinds). Results do not depend on the kind.
  explicit Scene(std::unique_ptr<BroadPhase> broad_phase);
  ~Scene();
  // A scene that was moved from may be assigned to and destroyed; any other
  // use ends the program with a message.
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  // Adds a body and returns its number. Errors are kInvalidArgument for a pose
  // that PosedTree::Create refuses, and kResourceExhausted. A body takes a few
  // hundred bytes. The first body of a tree takes about seven kilobytes and a
  // microsecond more.
  absl::StatusOr<BodyId> Add(const Tree& tree, const Pose& pose = {});

  // Changes the pose of a body. Returns kNotFound if there is no such body.
  // Other errors are those of Add.
  absl::Status Move(BodyId body, const Pose& pose);
  // Changes the pose and the tree, for a mesh that deforms
  // (build/deforming_tree.h).
  absl::Status Reshape(BodyId body, const Tree& tree, const Pose& pose = {});
  absl::Status Remove(BodyId body);

  // Makes the changes visible to queries. Costs one frame of the broad phase.
  void Update();
  // Returns true if nothing has changed since the last Update that succeeded,
  // or since the scene was created.
  bool is_up_to_date() const;

  size_t body_count() const;
  bool Contains(BodyId body) const;
  // One more than the highest number in use; 0 without bodies.
  BodyId id_end() const;

  // Return the body, and a box that contains its posed mesh but may be larger.
  // Require Contains(body); otherwise they end the program with a message.
  const PosedTree& body(BodyId body) const;
  const Aabb& bounds(BodyId body) const;

  // The bodies, ascending, and the pairs whose bounds overlap, at the last
  // Update.
  std::span<const BodyId> bodies() const;
  std::span<const BodyPair> pairs_of_bounds() const;

  // The broad phase over the bounds, at the last Update.
  const BroadPhase& broad_phase() const;

 private:
  struct Data;
  // Requires that the scene has not been moved from.
  Data& data() const;

  std::unique_ptr<Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_H_
