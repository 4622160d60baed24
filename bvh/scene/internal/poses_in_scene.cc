// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/poses_in_scene.h"

#include <algorithm>

#include "orbox/bvh/scene/internal/motion_bound.h"
#include "orbox/bvh/scene/internal/scene_query.h"

namespace orbox {
namespace {

// The first pose of a task searches the near bodies, which takes many times as
// long as a later pose.
constexpr size_t kLeastTask = 16;

}  // namespace

PosesInScene::PosesInScene(const Scene& scene, const Tree& mover,
                           std::span<const Pose> poses, double distance,
                           BodyId except, const RunOptions& options)
    : scene_(scene),
      mover_(mover),
      poses_(poses),
      distance_(distance),
      except_(except),
      center_(mover.mesh().bounds().Center()),
      space_(SpaceOf(scene)),
      run_(space_, poses.size(), Execution(options), kLeastTask) {}

PosesInScene::Way PosesInScene::WayOf(size_t begin, size_t end) const {
  Way way{0, PositionOf(begin), PositionOf(begin)};
  for (size_t i = begin + 1; i < end; ++i) {
    way.length += MotionBound(mover_.mesh().bounds(), poses_[i - 1], poses_[i]);
    const Vec3 place = PositionOf(i);
    way.lo = Min(way.lo, place);
    way.hi = Max(way.hi, place);
  }
  return way;
}

bool PosesInScene::IsMotion() const {
  constexpr size_t kTasks = 16;
  constexpr size_t kPoses = 32;
  // With steps this small, the near bodies hardly change, so sorting the poses
  // does not pay.
  constexpr double kStep = 1.0 / 64;
  if (poses_.size() < 2 * kTasks * kPoses) return false;
  const Aabb& box = mover_.mesh().bounds();
  // Approximate size of the part in world space. The poses of a motion have
  // similar scales.
  const double size =
      SafeNorm(box.hi - box.lo) * SafeNorm(poses_.front().rows[0]);
  const double most = kStep * kPoses * size;
  size_t straight = 0;
  for (size_t i = 0; i < kTasks; ++i) {
    const size_t begin = (poses_.size() - kPoses) / (kTasks - 1) * i;
    const Way way = WayOf(begin, begin + kPoses);
    if (way.length <= most && way.IsStraight()) ++straight;
  }
  return straight >= kTasks - kTasks / 4;
}

bool PosesInScene::AreInTurn() const {
  if (poses_.empty() || IsMotion()) return true;
  const Way in_turn = WayOf(0, poses_.size());
  if (in_turn.IsStraight()) return true;
  std::vector<std::pair<uint32_t, uint32_t>> sorted;
  sorted.reserve(poses_.size());
  for (size_t i = 0; i < poses_.size(); ++i) {
    sorted.emplace_back(MortonKey(space_, PositionOf(i)),
                        static_cast<uint32_t>(i));
  }
  std::sort(sorted.begin(), sorted.end());
  double along_curve = 0;
  for (size_t i = 1; i < poses_.size(); ++i) {
    along_curve +=
        MotionBound(mover_.mesh().bounds(), poses_[sorted[i - 1].second],
                    poses_[sorted[i].second]);
  }
  return in_turn.length <= along_curve;
}

}  // namespace orbox
