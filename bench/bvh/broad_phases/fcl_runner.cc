// SPDX-License-Identifier: Apache-2.0

// FCL's dynamic tree of boxes, in double: all objects are moved, then the
// manager refits and balances its tree once, as its update() does for many that
// moved. The callback gets leaves whose boxes overlap, and keeps the pairs.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/sphere.h>

#include <algorithm>

#include "bench/bvh/broad_phases/runner.h"

namespace orbox::broad_bench {
namespace {

using Object = fcl::CollisionObject<double>;

bool Keep(Object* a, Object* b, void* data) {
  const auto i =
      static_cast<BodyId>(reinterpret_cast<uintptr_t>(a->getUserData()));
  const auto j =
      static_cast<BodyId>(reinterpret_cast<uintptr_t>(b->getUserData()));
  static_cast<std::vector<BodyPair>*>(data)->push_back(
      {std::min(i, j), std::max(i, j)});
  return false;
}

class FclRunner final : public Runner {
 public:
  size_t Frame(std::span<const Ball> balls,
               std::span<const BodyId> moved) override {
    const bool is_first = objects_.empty();
    if (is_first) {
      objects_.reserve(balls.size());
      for (const Ball& ball : balls) {
        objects_.push_back(std::make_unique<Object>(
            std::make_shared<fcl::Sphere<double>>(ball.radius)));
        objects_.back()->setUserData(
            reinterpret_cast<void*>(objects_.size() - 1));
      }
    }
    const auto move = [&](size_t i) {
      const Vec3f& c = balls[i].center;
      objects_[i]->setTranslation(fcl::Vector3d(c.x, c.y, c.z));
      objects_[i]->computeAABB();
    };
    if (is_first) {
      for (size_t i = 0; i < balls.size(); ++i) move(i);
      std::vector<Object*> all;
      for (const auto& object : objects_) all.push_back(object.get());
      manager_.registerObjects(all);
      manager_.setup();
    } else {
      for (const BodyId i : moved) move(i);
      manager_.update();
    }
    pairs_.clear();
    manager_.collide(&pairs_, &Keep);
    size_t count = 0;
    for (const BodyPair& pair : pairs_) count += pair.a < pair.b;
    return count;
  }

  std::vector<BodyPair> Pairs() const override {
    std::vector<BodyPair> sorted = pairs_;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

 private:
  std::vector<std::unique_ptr<Object>> objects_;
  fcl::DynamicAABBTreeCollisionManager<double> manager_;
  std::vector<BodyPair> pairs_;
};

std::unique_ptr<Runner> Make(int) { return std::make_unique<FclRunner>(); }

}  // namespace

void AppendFclRunners(std::vector<RunnerRow>* rows) {
  rows->push_back({"fcl", true, &Make, 0});
}

}  // namespace orbox::broad_bench
