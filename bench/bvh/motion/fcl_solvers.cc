#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <vector>

#include "bench/bvh/motion/solver.h"

namespace orbox::motion_bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;

std::unique_ptr<Model> BuildModel(const Mesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  for (const Vec3& v : mesh.vertices()) vertices.emplace_back(v.x, v.y, v.z);
  std::vector<fcl::Triangle> triangles;
  for (const TriangleIndices& t : mesh.triangles()) {
    triangles.emplace_back(t[0], t[1], t[2]);
  }
  auto model = std::make_unique<Model>();
  model->beginModel(static_cast<int>(triangles.size()),
                    static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  model->computeLocalAABB();
  return model;
}

fcl::Matrix3d RotationOf(const Pose& pose) {
  fcl::Matrix3d rotation;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      rotation(row, column) = pose.rows[row][column];
    }
  }
  return rotation;
}
fcl::Vector3d TranslationOf(const Pose& pose) {
  return {pose.translation.x, pose.translation.y, pose.translation.z};
}

// The meshes' own origins are the centres of their turns. (Of the motion's
// constructors this one computes velocities from a centre; the one that takes
// transforms leaves them uninitialised.)
fcl::InterpMotion<double> MotionBetween(const Pose& from, const Pose& to) {
  return {RotationOf(from), TranslationOf(from), RotationOf(to),
          TranslationOf(to), fcl::Vector3d(0, 0, 0)};
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

  std::unique_ptr<Model> a_;
  std::unique_ptr<Model> b_;
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
