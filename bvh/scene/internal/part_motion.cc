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
  const Aabb& box = part_.mesh().bounds();
  const auto motion = [&](size_t from, size_t to) {
    return MotionBound(box, poses_[from], poses_[to]);
  };
  double in_turn = 0;
  Vec3 lo = center_;
  Vec3 hi = center_;
  for (size_t i = 0; i < poses_.size(); ++i) {
    if (i > 0) in_turn += motion(i - 1, i);
    const Vec3 place = PlaceOf(i);
    lo = i > 0 ? Min(lo, place) : place;
    hi = i > 0 ? Max(hi, place) : place;
  }
  // A way that is not much longer than what it crosses is no curve's.
  constexpr double kStraight = 2;
  if (in_turn <= kStraight * SafeNorm(hi - lo)) return true;
  std::vector<std::pair<uint32_t, uint32_t>> sorted;
  sorted.reserve(poses_.size());
  for (size_t i = 0; i < poses_.size(); ++i) {
    sorted.emplace_back(MortonKey(space_, PlaceOf(i)),
                        static_cast<uint32_t>(i));
  }
  std::sort(sorted.begin(), sorted.end());
  double along_curve = 0;
  for (size_t i = 1; i < poses_.size(); ++i) {
    along_curve += motion(sorted[i - 1].second, sorted[i].second);
  }
  return in_turn <= along_curve;
}

}  // namespace orbox
