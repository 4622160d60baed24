// SPDX-License-Identifier: Apache-2.0

#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <vector>

#include "bench/bvh/motion/solver.h"
#include "tests/support/fcl_mesh.h"

namespace orbox::motion_bench {
namespace {

std::unique_ptr<FclModel> BuildModel(const Mesh& mesh) {
  std::unique_ptr<FclModel> model = FclModelOf(mesh);
  model->computeLocalAABB();
  return model;
}

// The meshes' own origins are the centres of their turns. (Of the motion's
// constructors this one computes velocities from a centre; the one that takes
// transforms leaves them uninitialised.)
fcl::InterpMotion<double> MotionBetween(const Pose& from, const Pose& to) {
  return {FclTransformOf(from).linear(), FclTransformOf(from).translation(),
          FclTransformOf(to).linear(), FclTransformOf(to).translation(),
          fcl::Vector3d(0, 0, 0)};
}

class FclSolver : public Solver {
 public:
  FclSolver(const Mesh& a, const Mesh& b,
            const fcl::ContinuousCollisionRequestd& request)
      : a_(BuildModel(a)), b_(BuildModel(b)), request_(request) {}

  std::optional<double> Solve(const RigidMotion& first) override {
    const auto moving = MotionBetween(first.PoseAt(0), first.PoseAt(1));
    const auto still = MotionBetween({}, {});
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(static_cast<const Geometry*>(a_.get()), &moving,
                           static_cast<const Geometry*>(b_.get()), &still,
                           request_, result);
    if (!result.is_collide) return std::nullopt;
    return result.time_of_contact;
  }

 private:
  using Geometry = fcl::CollisionGeometry<double>;

  std::unique_ptr<FclModel> a_;
  std::unique_ptr<FclModel> b_;
  fcl::ContinuousCollisionRequestd request_;
};

}  // namespace

std::unique_ptr<Solver> MakeFclAdvancement(const Mesh& a, const Mesh& b,
                                           double error) {
  return std::make_unique<FclSolver>(
      a, b,
      fcl::ContinuousCollisionRequestd(1000, error, fcl::CCDM_LINEAR,
                                       fcl::GST_LIBCCD,
                                       fcl::CCDC_CONSERVATIVE_ADVANCEMENT));
}

std::unique_ptr<Solver> MakeFclSamples(const Mesh& a, const Mesh& b,
                                       int samples) {
  return std::make_unique<FclSolver>(
      a, b,
      fcl::ContinuousCollisionRequestd(static_cast<size_t>(samples),
                                       1.0 / samples, fcl::CCDM_LINEAR,
                                       fcl::GST_LIBCCD, fcl::CCDC_NAIVE));
}

}  // namespace orbox::motion_bench
