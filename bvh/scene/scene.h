// Many meshes in one place: bodies, each a tree and a pose.
//
//   Scene scene;
//   absl::StatusOr<BodyId> wheel = scene.Add(tree, pose);   // trees are shared
//   absl::StatusOr<BodyId> fork = scene.Add(other);
//   scene.Update();                                         // a frame
//   for (const BodyPair& p : ClashingBodies(scene)) ...     // scene_pairs.h
//
// Numbers of bodies are given in order from 0, and a removed one's is given
// again, the lowest first. A body is told of as soon as it is added or moved;
// queries of the scene require an Update after the last change. A body's mesh
// is the one that PosedTree (query/posed_tree.h) says: answers are exact for
// its moved vertices. Any number of threads may query a scene that none is
// changing.
//
// Where memory runs out, Add, Move, Reshape and Remove say so and change
// nothing. Update throws std::bad_alloc, and so do queries: the scene is up to
// date after the next Update that succeeds.
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
  // With MakeBroadPhase().
  Scene();
  // Requires an empty broad phase (broad_phases.h has the kinds); answers do
  // not depend on it.
  explicit Scene(std::unique_ptr<BroadPhase> broad_phase);
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  // kInvalidArgument for poses that PosedTree::Create refuses;
  // kResourceExhausted.
  // A body costs a few hundred bytes; a tree that no other body has, a
  // microsecond and seven kilobytes more.
  absl::StatusOr<BodyId> Add(const Tree& tree, const Pose& pose = {});

  // kNotFound where there is no such body; otherwise as Add.
  absl::Status Move(BodyId body, const Pose& pose);
  // The same with another tree: of a mesh that changes its shape, say
  // (build/deforming_tree.h).
  absl::Status Reshape(BodyId body, const Tree& tree, const Pose& pose = {});
  absl::Status Remove(BodyId body);

  // Costs what the broad phase does.
  void Update();

  size_t body_count() const;
  bool Contains(BodyId body) const;
  // One more than the highest number in use; 0 without bodies.
  BodyId id_end() const;

  // Require Contains(body). The box contains the posed mesh; it need not be the
  // smallest that does.
  const PosedTree& body(BodyId body) const;
  const Aabb& bounds(BodyId body) const;

  // The bodies, ascending, and the pairs of them whose bounds meet; both of the
  // last Update.
  std::span<const BodyId> bodies() const;
  std::span<const BodyPair> pairs_of_bounds() const;

  // Over the bounds; of the last Update.
  const BroadPhase& broad_phase() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_H_
