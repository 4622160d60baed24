// SPDX-License-Identifier: Apache-2.0

// Coal: BVHModel of OBBRSS, its best setting, in double. It reports collisions
// below a gap of about 1e-6, for any size of the meshes.
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/peer.h"

namespace orbox::peers {
namespace {

using Model = coal::BVHModel<coal::OBBRSS>;

std::unique_ptr<Model> BuildModel(const Mesh& mesh) {
  std::vector<coal::Vec3s> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3& v : mesh.vertices()) vertices.emplace_back(v.x, v.y, v.z);
  std::vector<coal::Triangle> triangles;
  triangles.reserve(mesh.triangle_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    triangles.emplace_back(t[0], t[1], t[2]);
  }
  auto model = std::make_unique<Model>();
  model->beginModel(static_cast<unsigned>(triangles.size()),
                    static_cast<unsigned>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

class CoalMesh : public OneMesh {
 public:
  explicit CoalMesh(const Mesh& mesh) : model_(BuildModel(mesh)) {}

 private:
  std::unique_ptr<Model> model_;
};

class CoalPair : public MeshPair,
                 public OverlapQuestion,
                 public OverlapAllQuestion,
                 public DistanceQuestion,
                 public WithinQuestion {
 public:
  CoalPair(const Mesh& a, const Mesh& b)
      : a_(BuildModel(a)), b_(BuildModel(b)) {}

  size_t Prepare(std::span<const Pose> poses, double /*clearance*/) override {
    transforms_.clear();
    for (const Pose& pose : poses) {
      coal::Matrix3s rotation;
      coal::Vec3s translation;
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
          rotation(row, column) = pose.rows[row][column];
        }
        translation[row] = pose.translation[row];
      }
      transforms_.emplace_back(rotation, translation);
    }
    return poses.size();
  }

  bool Overlap(size_t pose) override {
    const coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::CollisionResult result;
    coal::collide(a_.get(), transforms_[pose], b_.get(), coal::Transform3s(),
                  request, result);
    return result.isCollision();
  }

  void OverlapAll(size_t pose, Pairs* pairs) override {
    const coal::CollisionRequest request(coal::NO_REQUEST,
                                         std::numeric_limits<size_t>::max());
    coal::CollisionResult result;
    coal::collide(a_.get(), transforms_[pose], b_.get(), coal::Transform3s(),
                  request, result);
    for (const coal::Contact& contact : result.getContacts()) {
      pairs->push_back({static_cast<uint32_t>(contact.b1),
                        static_cast<uint32_t>(contact.b2)});
    }
  }

  double Distance(size_t pose) override {
    return BoundedDistance(pose, std::numeric_limits<double>::max());
  }

  bool Within(size_t pose, double distance) override {
    // Pairs at the bound or beyond are pruned.
    const double bound =
        std::nextafter(distance, std::numeric_limits<double>::infinity());
    return BoundedDistance(pose, bound) <= distance;
  }

 private:
  double BoundedDistance(size_t pose, double bound) {
    const coal::DistanceRequest request(false, false);
    coal::DistanceResult result(bound);
    coal::distance(a_.get(), transforms_[pose], b_.get(), coal::Transform3s(),
                   request, result);
    return result.min_distance;
  }

  std::unique_ptr<Model> a_;
  std::unique_ptr<Model> b_;
  std::vector<coal::Transform3s> transforms_;
};

}  // namespace

std::unique_ptr<OneMesh> CoalOverMesh(const Mesh& mesh) {
  return std::make_unique<CoalMesh>(mesh);
}

std::unique_ptr<MeshPair> CoalOverPair(const Mesh& a, const Mesh& b) {
  return std::make_unique<CoalPair>(a, b);
}

}  // namespace orbox::peers
