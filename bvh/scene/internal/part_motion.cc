// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/part_motion.h"

#include <algorithm>

#include "orbox/bvh/scene/internal/motion_bound.h"
#include "orbox/bvh/scene/internal/scene_query.h"

namespace orbox {

PartMotion::PartMotion(const Scene& scene, const Tree& part,
                       std::span<const Pose> poses, double distance,
                       const SceneOptions& options)
    : scene_(scene),
      part_(part),
      poses_(poses),
      distance_(distance),
      except_(options.except),
      center_(part.mesh().bounds().Center()),
      space_(SpaceOf(scene)),
      run_(space_, poses.size(), Execution(options)) {
  RequireUpToDate(scene);
}

bool PartMotion::AreInTurn() const {
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

}  // namespace orbox
