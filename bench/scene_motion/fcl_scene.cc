// FCL's side: a manager over objects that share one model.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/default_broadphase_callbacks.h>
#include <fcl/geometry/bvh/BVH_model.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/scene_motion/motion_case.h"

namespace orbox::scene_motion {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;
using Object = fcl::CollisionObject<double>;

std::shared_ptr<Model> ModelOf(const Mesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  for (const Vec3& v : mesh.vertices()) vertices.emplace_back(v.x, v.y, v.z);
  std::vector<fcl::Triangle> triangles;
  for (const TriangleIndices& t : mesh.triangles()) {
    triangles.emplace_back(t[0], t[1], t[2]);
  }
  auto model = std::make_shared<Model>();
  model->beginModel(static_cast<int>(triangles.size()),
                    static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

void Place(const Pose& pose, Object* object) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      transform.linear()(row, column) = pose.rows[row][column];
    }
    transform.translation()[row] = pose.translation[row];
  }
  object->setTransform(transform);
  object->computeAABB();
}

uint32_t NumberOf(const Object* object) {
  return static_cast<uint32_t>(
      reinterpret_cast<uintptr_t>(object->getUserData()));
}

}  // namespace

struct FclScene::Data {
  std::shared_ptr<Model> model;
  std::vector<std::unique_ptr<Object>> bodies;
  std::unique_ptr<Object> part;
  fcl::DynamicAABBTreeCollisionManager<double> manager;
};

FclScene::FclScene(const MotionCase& motion) : data_(new Data) {
  data_->model = ModelOf(motion.part);
  for (size_t i = 0; i < motion.bodies.size(); ++i) {
    auto object = std::make_unique<Object>(data_->model);
    Place(motion.bodies[i], object.get());
    object->setUserData(reinterpret_cast<void*>(uintptr_t{i}));
    data_->manager.registerObject(object.get());
    data_->bodies.push_back(std::move(object));
  }
  data_->manager.setup();
  data_->part = std::make_unique<Object>(data_->model);
}

FclScene::~FclScene() = default;

bool FclScene::IsHere() { return true; }

std::vector<uint8_t> FclScene::Meets(const std::vector<Pose>& poses) {
  std::vector<uint8_t> meets;
  for (const Pose& pose : poses) {
    Place(pose, data_->part.get());
    fcl::DefaultCollisionData<double> found;
    data_->manager.collide(data_->part.get(), &found,
                           fcl::DefaultCollisionFunction<double>);
    meets.push_back(found.result.isCollision() ? 1 : 0);
  }
  return meets;
}

std::vector<std::vector<uint32_t>> FclScene::BodiesMeeting(
    const std::vector<Pose>& poses) {
  std::vector<std::vector<uint32_t>> all;
  for (const Pose& pose : poses) {
    Place(pose, data_->part.get());
    struct Found {
      Object* part;
      std::vector<uint32_t> bodies;
    } found{data_->part.get(), {}};
    data_->manager.collide(
        data_->part.get(), &found, [](Object* a, Object* b, void* data) {
          auto* const to = static_cast<Found*>(data);
          const fcl::CollisionRequest<double> request;
          fcl::CollisionResult<double> result;
          fcl::collide(a, b, request, result);
          if (result.isCollision()) {
            to->bodies.push_back(NumberOf(a == to->part ? b : a));
          }
          return false;
        });
    std::sort(found.bodies.begin(), found.bodies.end());
    all.push_back(std::move(found.bodies));
  }
  return all;
}

std::vector<uint8_t> FclScene::Within(const std::vector<Pose>& poses,
                                      double distance) {
  std::vector<uint8_t> within;
  for (const Pose& pose : poses) {
    Place(pose, data_->part.get());
    struct Found {
      double distance;
      double nearest;
    } found{distance, std::nextafter(distance, 2 * distance)};
    data_->manager.distance(
        data_->part.get(), &found,
        [](Object* a, Object* b, void* data, double& bound) {
          auto* const to = static_cast<Found*>(data);
          const fcl::DistanceRequest<double> request;
          fcl::DistanceResult<double> result(to->nearest);
          fcl::distance(a, b, request, result);
          to->nearest = std::min(to->nearest, result.min_distance);
          bound = to->nearest;
          return to->nearest <= to->distance;
        });
    within.push_back(found.nearest <= distance ? 1 : 0);
  }
  return within;
}

std::vector<double> FclScene::Distances(const std::vector<Pose>& poses) {
  std::vector<double> distances;
  for (const Pose& pose : poses) {
    Place(pose, data_->part.get());
    fcl::DefaultDistanceData<double> found;
    data_->manager.distance(data_->part.get(), &found,
                            fcl::DefaultDistanceFunction<double>);
    distances.push_back(found.result.min_distance);
  }
  return distances;
}

}  // namespace orbox::scene_motion
