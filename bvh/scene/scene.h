// Many meshes in one place: bodies, each a tree and a pose.
//
//   Scene scene;
//   absl::StatusOr<BodyId> wheel = scene.Add(tree, pose);   // trees are shared
//   absl::StatusOr<BodyId> fork = scene.Add(other);
//   scene.Update();                                         // a frame
//   for (const BodyPair& p : ClashingBodies(scene)) ...     // scene_pairs.h
//
// Numbers of bodies are given in order from 0, and a removed one's is given
// again, the lowest first. Add, Move and Remove take effect at Update, which
// queries of the scene require after the last of them. A body's mesh is the one
// that PosedTree (query/posed_tree.h) says: answers are exact for its moved
// vertices. Any number of threads may query a scene that none is changing.
#ifndef ORBOX_BVH_SCENE_SCENE_H_
#define ORBOX_BVH_SCENE_SCENE_H_

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/query/posed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/export.h"
#include "orbox/overlap/pose.h"
#include "orbox/overlap/shapes.h"

namespace orbox {

class ORBOX_EXPORT Scene {
 public:
  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  // kInvalidArgument for poses that PosedTree::Create refuses;
  // kResourceExhausted.
  absl::StatusOr<BodyId> Add(const Tree& tree, const Pose& pose = {});

  // kNotFound where there is no such body; otherwise as Add.
  absl::Status Move(BodyId body, const Pose& pose);
  absl::Status Remove(BodyId body);

  void Update();

  size_t body_count() const;
  bool Contains(BodyId body) const;
  // One more than the highest number in use; 0 without bodies.
  BodyId id_end() const;

  // Require Contains(body). The box contains the posed mesh; it need not be the
  // smallest that does.
  const PosedTree& body(BodyId body) const;
  const Aabb& bounds(BodyId body) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_H_
