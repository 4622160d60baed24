// SPDX-License-Identifier: Apache-2.0

// FCL's side: a manager over objects that share one model.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/default_broadphase_callbacks.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/scene_motion/motion_case.h"
#include "tests/support/fcl_mesh.h"

namespace orbox::scene_motion {
namespace {

using Object = fcl::CollisionObject<double>;

void Place(const Pose& pose, Object* object) {
  object->setTransform(FclTransformOf(pose));
  object->computeAABB();
}

uint32_t NumberOf(const Object* object) {
  return static_cast<uint32_t>(
      reinterpret_cast<uintptr_t>(object->getUserData()));
}

}  // namespace

struct FclScene::Data {
  std::shared_ptr<FclModel> model;
  std::vector<std::unique_ptr<Object>> bodies;
  std::unique_ptr<Object> part;
  fcl::DynamicAABBTreeCollisionManager<double> manager;
};

FclScene::FclScene(const MotionCase& motion) : data_(new Data) {
  data_->model = FclModelOf(motion.part);
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

std::vector<uint8_t> FclScene::OverlapsAt(const std::vector<Pose>& poses) {
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
