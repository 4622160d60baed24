// SPDX-License-Identifier: Apache-2.0

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/collision.h>

#include <algorithm>
#include <memory>

#include "bench/clashes/building.h"
#include "tests/support/fcl_mesh.h"

namespace orbox::clashes {
namespace {

using Object = fcl::CollisionObject<double>;

BodyId NumberOf(const Object* object) {
  return static_cast<BodyId>(
      reinterpret_cast<uintptr_t>(object->getUserData()));
}

bool Collide(Object* a, Object* b, void* data) {
  const fcl::CollisionRequest<double> request;
  fcl::CollisionResult<double> result;
  fcl::collide(a, b, request, result);
  if (result.isCollision()) {
    const BodyId i = NumberOf(a);
    const BodyId j = NumberOf(b);
    static_cast<std::vector<BodyPair>*>(data)->push_back(
        {std::min(i, j), std::max(i, j)});
  }
  return false;
}

}  // namespace

struct FclBodies::Data {
  std::vector<std::unique_ptr<Object>> bodies;
  fcl::DynamicAABBTreeCollisionManager<double> manager;
};

bool IsFclHere() { return true; }

FclBodies::FclBodies(const std::vector<Mesh>& meshes) : data_(new Data) {
  for (size_t i = 0; i < meshes.size(); ++i) {
    auto object = std::make_unique<Object>(
        std::shared_ptr<FclModel>(FclModelOf(meshes[i])));
    object->computeAABB();
    object->setUserData(reinterpret_cast<void*>(uintptr_t{i}));
    data_->manager.registerObject(object.get());
    data_->bodies.push_back(std::move(object));
  }
  data_->manager.setup();
}

FclBodies::~FclBodies() { delete data_; }

std::vector<BodyPair> FclBodies::AllOverlaps() const {
  std::vector<BodyPair> pairs;
  data_->manager.collide(&pairs, Collide);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace orbox::clashes
