// SPDX-License-Identifier: Apache-2.0

// Bodies that may be near to a moving part. Results at earlier poses are kept
// for each body: the distance that the part has to move before it can be near,
// or the nodes at which the two were near. Private.
//
//   NearBodies near(scene, outline, mover.mesh().bounds(), distance, except);
//   for (const Pose& pose : motion) {
//     near.MoveTo(pose);
//     if (near.IsCertain()) continue;            // nothing is within
//     bool any = near.AnyWithin(posed, run, [&](NearBody& body) {
//       return IsAnyWithin({posed, scene.body(body.id)}, distance, statistics);
//     });
//   }
#ifndef ORBOX_BVH_SCENE_INTERNAL_NEAR_BODIES_H_
#define ORBOX_BVH_SCENE_INTERNAL_NEAR_BODIES_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/internal/look_ahead.h"
#include "orbox/bvh/scene/internal/mesh_outline.h"
#include "orbox/bvh/scene/internal/motion_bound.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct NearBody {
  BodyId id = kNoBody;
  // The body is farther than the distance until the part's path has this
  // length.
  double clear_until = -kInfinity;
  bool was_near = false;  // at the last query
  NodePair nodes;         // for the caller: the nodes that were near
  LookAhead ahead;
};

class NearBodies {
 public:
  // `mover` contains the mesh before posing. Refers to scene and outline.
  NearBodies(const Scene& scene, const MeshOutline& outline, const Aabb& mover,
             double within, BodyId except)
      : scene_(scene),
        outline_(outline),
        mover_(mover),
        within_(within),
        except_(except) {}

  // Advances to the next pose. Call it for each pose, in order.
  void MoveTo(const Pose& pose) {
    step_ = has_last_ ? MotionBound(mover_, last_, pose) : kInfinity;
    last_ = pose;
    has_last_ = true;
    if (step_ < kInfinity) {
      way_ = SumAbove(way_, step_);
    } else {
      Forget();
    }
  }

  // Returns true if certainly no body is within the distance. Then
  // PosedTree::Create accepts this pose if it accepted the one before.
  bool IsCertain() const { return way_ < clear_until_; }

  // Returns true if call(body) is true for any body. Requires that call(body)
  // is true if and only if the body is within the distance. The body that was
  // within last time is queried first.
  using Call = absl::FunctionRef<bool(NearBody& body)>;
  bool AnyWithin(const PosedTree& posed, const Execution& run, Call call);

  // Calls call(body) for all bodies that may be within the distance, ascending.
  void VisitWithin(const PosedTree& posed, const Execution& run, Call call);

 private:
  void Forget();
  // Finds the bodies again if the part has moved too far.
  void Refresh(const PosedTree& posed);
  bool IsWithin(NearBody& body, const PosedTree& posed, const Execution& run,
                Call call);
  // Returns true if the body is clear of the part by more than the distance, so
  // that later poses need no query.
  bool IsClearAhead(NearBody& body, const PosedTree& posed,
                    const Execution& run);
  void NoteAllClear();

  // Returns a lower bound of the path length after the part has moved by
  // `distance` from here.
  double Ahead(double distance) const {
    return DifferenceBelow(way_, -distance);
  }

  const Scene& scene_;
  const MeshOutline& outline_;
  const Aabb mover_;
  const double within_;
  const BodyId except_;

  Pose last_;
  bool has_last_ = false;
  double step_ = kInfinity;
  double way_ = 0;  // upper bound of the length of the path so far
  double clear_until_ = -kInfinity;

  std::vector<NearBody> bodies_;  // ascending
  double bodies_until_ = -kInfinity;
  size_t guess_ = 0;  // index of a body that was within
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_NEAR_BODIES_H_
