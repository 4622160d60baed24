// SPDX-License-Identifier: Apache-2.0

// FCL: BVHModel of OBBRSS. The built model is used by collide() and distance()
// in double.
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/peer.h"
#include "tests/support/fcl_mesh.h"

namespace orbox::peers {
namespace {

class FclMesh : public OneMesh {
 public:
  explicit FclMesh(const Mesh& mesh) : model_(FclModelOf(mesh)) {}

 private:
  std::unique_ptr<FclModel> model_;
};

class FclPair : public MeshPair,
                public OverlapQuestion,
                public OverlapAllQuestion,
                public DistanceQuestion,
                public WithinQuestion {
 public:
  FclPair(const Mesh& a, const Mesh& b)
      : a_(FclModelOf(a)), b_(FclModelOf(b)) {}

  size_t Prepare(std::span<const Pose> poses, double /*clearance*/) override {
    transforms_.clear();
    for (const Pose& pose : poses) {
      transforms_.push_back(FclTransformOf(pose));
    }
    return poses.size();
  }

  bool Overlap(size_t pose) override {
    const fcl::CollisionRequest<double> request(1, false);
    fcl::CollisionResult<double> result;
    fcl::collide(a_.get(), transforms_[pose], b_.get(), kStanding, request,
                 result);
    return result.isCollision();
  }

  void OverlapAll(size_t pose, Pairs* pairs) override {
    const fcl::CollisionRequest<double> request(
        std::numeric_limits<size_t>::max(), false);
    fcl::CollisionResult<double> result;
    fcl::collide(a_.get(), transforms_[pose], b_.get(), kStanding, request,
                 result);
    for (size_t i = 0; i < result.numContacts(); ++i) {
      const fcl::Contact<double>& contact = result.getContact(i);
      pairs->push_back({static_cast<uint32_t>(contact.b1),
                        static_cast<uint32_t>(contact.b2)});
    }
  }

  double Distance(size_t pose) override {
    return BoundedDistance(pose, std::numeric_limits<double>::max());
  }

  bool Within(size_t pose, double distance) override {
    // FCL prunes pairs at its bound or beyond.
    const double bound =
        std::nextafter(distance, std::numeric_limits<double>::infinity());
    return BoundedDistance(pose, bound) <= distance;
  }

 private:
  double BoundedDistance(size_t pose, double bound) {
    const fcl::DistanceRequest<double> request;
    fcl::DistanceResult<double> result(bound);
    fcl::distance(a_.get(), transforms_[pose], b_.get(), kStanding, request,
                  result);
    return result.min_distance;
  }

  static inline const fcl::Transform3d kStanding = fcl::Transform3d::Identity();

  std::unique_ptr<FclModel> a_;
  std::unique_ptr<FclModel> b_;
  // Eigen's fixed-size types may want more alignment than new gives.
  fcl::aligned_vector<fcl::Transform3d> transforms_;
};

}  // namespace

std::unique_ptr<OneMesh> FclOverMesh(const Mesh& mesh) {
  return std::make_unique<FclMesh>(mesh);
}

std::unique_ptr<MeshPair> FclOverPair(const Mesh& a, const Mesh& b) {
  return std::make_unique<FclPair>(a, b);
}

}  // namespace orbox::peers
