// SPDX-License-Identifier: Apache-2.0

// Used if FCL was not found.
#include "bench/scene_motion/motion_case.h"

namespace orbox::scene_motion {

struct FclScene::Data {};

FclScene::FclScene(const MotionCase&) {}
FclScene::~FclScene() = default;
bool FclScene::IsHere() { return false; }
std::vector<uint8_t> FclScene::OverlapsAt(const std::vector<Pose>&) {
  return {};
}
std::vector<std::vector<uint32_t>> FclScene::BodiesMeeting(
    const std::vector<Pose>&) {
  return {};
}
std::vector<uint8_t> FclScene::Within(const std::vector<Pose>&, double) {
  return {};
}
std::vector<double> FclScene::Distances(const std::vector<Pose>&) { return {}; }

}  // namespace orbox::scene_motion
