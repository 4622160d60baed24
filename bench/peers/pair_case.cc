// SPDX-License-Identifier: Apache-2.0

#include "bench/peers/pair_case.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"

namespace orbox::peers {
namespace {

constexpr size_t kMeetingPoses = 1000;
// Distances take a thousand times longer than yes and no.
constexpr size_t kGapPoses = 100;
// There may be no pose at which a hollow mesh overlaps another.
constexpr size_t kTriesPerPose = 8;

// Its box around the origin, with a diagonal of 1.
Mesh Normalised(const Mesh& mesh) {
  const Aabb& box = mesh.bounds();
  const Mesh centred = meshes::Moved(mesh, Pose::Translation(-box.Center()));
  return meshes::Scaled(centred, 1 / Norm(box.hi - box.lo));
}

}  // namespace

PairCase::PairCase(std::string name, const Mesh& a, const Mesh& b)
    : name_(std::move(name)),
      a_(Normalised(a)),
      b_(Normalised(b)),
      tree_a_(Build(a_).value()),
      tree_b_(Build(b_).value()) {}

Pose PairCase::Approach::At(double along) const {
  Pose pose = turned;
  pose.translation = direction * along;
  return pose;
}

bool PairCase::OverlapsAt(const Pose& pose) const {
  return AnyOverlap(PosedTree::Create(tree_a_, pose).value(), tree_b_);
}

double PairCase::Gap(const Pose& pose) const {
  return ClosestPair(PosedTree::Create(tree_a_, pose).value(), tree_b_)
      ->distance;
}

PairCase::Approach PairCase::RandomApproach() {
  Approach approach;
  approach.turned = Pose::Rotation(random_.Direction(),
                                   random_.Uniform(0, 2 * std::numbers::pi));
  approach.direction = random_.Direction();
  double inside = 0;
  double outside = 1.01;  // half a diagonal each, and rounding
  // To a thousandth of the smallest gap of interest.
  while (outside - inside > 1e-6) {
    const double middle = (inside + outside) / 2;
    (OverlapsAt(approach.At(middle)) ? inside : outside) = middle;
  }
  approach.contact = outside;
  return approach;
}

const std::vector<Pose>& PairCase::HalfMeeting() {
  for (size_t i = 0; half_meeting_.size() < kMeetingPoses &&
                     i < kMeetingPoses * kTriesPerPose;
       ++i) {
    const bool wanted = half_meeting_.size() % 2 == 0;
    const Approach approach = RandomApproach();
    const double move = random_.Uniform(0, 0.05);
    const Pose pose = approach.At(approach.contact + (wanted ? -move : move));
    if (OverlapsAt(pose) == wanted) half_meeting_.push_back(pose);
  }
  return half_meeting_;
}

const std::vector<Pose>& PairCase::Meeting() {
  for (size_t i = 0;
       meeting_.size() < kGapPoses && i < kGapPoses * kTriesPerPose; ++i) {
    const Approach approach = RandomApproach();
    const double depth = random_.Uniform(0.01, 0.3);
    const Pose pose = approach.At(approach.contact - depth);
    if (OverlapsAt(pose)) meeting_.push_back(pose);
  }
  return meeting_;
}

std::vector<Pose> PairCase::WithGaps(double least, double most) {
  std::vector<Pose> poses;
  for (size_t i = 0; poses.size() < kGapPoses && i < kGapPoses * kTriesPerPose;
       ++i) {
    const Approach approach = RandomApproach();
    const double wanted =
        least * std::exp(random_.Uniform(0, std::log(most / least)));
    // A move by x changes the gap by x at most, so this never moves too far.
    double along = approach.contact;
    double gap = 0;
    for (int step = 0; step < 20 && gap < 0.9 * wanted; ++step) {
      along += wanted - gap;
      gap = Gap(approach.At(along));
    }
    if (gap >= least && gap <= most) poses.push_back(approach.At(along));
  }
  return poses;
}

const std::vector<Pose>& PairCase::NearlyMeeting() {
  if (nearly_meeting_.empty()) nearly_meeting_ = WithGaps(0.001, 0.01);
  return nearly_meeting_;
}

const std::vector<Pose>& PairCase::Apart() {
  if (apart_.empty()) apart_ = WithGaps(0.01, 0.5);
  return apart_;
}

const std::vector<Pose>& PairCase::HalfWithin() {
  if (half_within_.empty()) {
    const size_t count = std::min(NearlyMeeting().size(), Apart().size());
    for (size_t i = 0; i < count; ++i) {
      half_within_.push_back(nearly_meeting_[i]);
      half_within_.push_back(apart_[i]);
    }
  }
  return half_within_;
}

}  // namespace orbox::peers
