// SPDX-License-Identifier: Apache-2.0

// The bodies that a moving part may be near, and what its last poses tell of
// each: that the part cannot have come to it since, or where they met. Private.
//
//   NearBodies near(scene, outline, part.mesh().bounds(), distance, except);
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
#include "orbox/bvh/scene/internal/look_ahead.h"
#include "orbox/bvh/scene/internal/mesh_outline.h"
#include "orbox/bvh/scene/internal/motion_bound.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_options.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct NearBody {
  BodyId id = kNoBody;
  // It is not within until the part has come so far on its way.
  double clear_until = -kInfinity;
  bool was_near = false;  // when it was asked last
  NodePair nodes;         // for who asks: where it was near
  LookAhead ahead;
};

class NearBodies {
 public:
  // `part` contains the mesh before any pose. Refers to scene and outline.
  NearBodies(const Scene& scene, const MeshOutline& outline, const Aabb& part,
             double within, BodyId except)
      : scene_(scene),
        outline_(outline),
        part_(part),
        within_(within),
        except_(except) {}

  // Call this at each pose in turn.
  void MoveTo(const Pose& pose) {
    step_ = has_last_ ? MotionBound(part_, last_, pose) : kInfinity;
    last_ = pose;
    has_last_ = true;
    if (step_ < kInfinity) {
      way_ = SumAbove(way_, step_);
    } else {
      Forget();
    }
  }

  // Whether certainly no body is within the distance. PosedTree::Create takes
  // this pose if it takes the one before.
  bool IsCertain() const { return way_ < clear_until_; }

  // Whether ask(body), which says whether a body is within the distance, is
  // true of any. Asks first which was the answer last time.
  using Ask = absl::FunctionRef<bool(NearBody& body)>;
  bool AnyWithin(const PosedTree& posed, const Execution& run, Ask ask);

  // Asks of all bodies that may be, ascending.
  void VisitWithin(const PosedTree& posed, const Execution& run, Ask ask);

 private:
  void Forget();
  // Finds the bodies anew where the part has moved too far.
  void Refresh(const PosedTree& posed);
  bool IsWithin(NearBody& body, const PosedTree& posed, const Execution& run,
                Ask ask);
  // Whether the body is not within the distance plus some more, so that later
  // poses are certain.
  bool LooksClear(NearBody& body, const PosedTree& posed, const Execution& run);
  void NoteAllClear();

  // What is certainly not beyond here.
  double Ahead(double distance) const {
    return DifferenceBelow(way_, -distance);
  }

  const Scene& scene_;
  const MeshOutline& outline_;
  const Aabb part_;
  const double within_;
  const BodyId except_;

  Pose last_;
  bool has_last_ = false;
  double step_ = kInfinity;
  double way_ = 0;  // of the part so far, or more
  double clear_until_ = -kInfinity;

  std::vector<NearBody> bodies_;  // ascending
  double bodies_until_ = -kInfinity;
  size_t guess_ = 0;  // was within
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_NEAR_BODIES_H_
