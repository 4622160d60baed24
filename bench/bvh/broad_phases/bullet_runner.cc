// SPDX-License-Identifier: Apache-2.0

// Bullet's btDbvtBroadphase, in float, with balls of about a unit, the size its
// margins are made for. It keeps the pairs of enlarged boxes; a frame ends with
// those of them whose own boxes meet. Variant 1 defers finding pairs to
// calculateOverlappingPairs, from the trees as wholes.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>

#include <algorithm>

#include "bench/bvh/broad_phases/runner.h"

namespace orbox::broad_bench {
namespace {

class BulletRunner final : public Runner {
 public:
  explicit BulletRunner(bool deferred) {
    broad_phase_.m_deferedcollide = deferred;
  }
  ~BulletRunner() override {
    for (btBroadphaseProxy* proxy : proxies_) {
      broad_phase_.destroyProxy(proxy, nullptr);
    }
  }

  size_t Frame(std::span<const Ball> balls,
               std::span<const BodyId> moved) override {
    const bool is_first = proxies_.empty();
    const auto center = [&](size_t i) {
      const Vec3f& c = balls[i].center;
      return btVector3(c.x, c.y, c.z);
    };
    const auto radius = [&](size_t i) {
      return btVector3(balls[i].radius, balls[i].radius, balls[i].radius);
    };
    for (size_t i = 0; is_first && i < balls.size(); ++i) {
      proxies_.push_back(broad_phase_.createProxy(
          center(i) - radius(i), center(i) + radius(i), 0,
          reinterpret_cast<void*>(i), btBroadphaseProxy::DefaultFilter,
          btBroadphaseProxy::AllFilter, nullptr));
    }
    for (const BodyId i : moved) {
      broad_phase_.setAabb(proxies_[i], center(i) - radius(i),
                           center(i) + radius(i), nullptr);
    }
    broad_phase_.calculateOverlappingPairs(nullptr);
    if (is_first) broad_phase_.optimize();
    pairs_.clear();
    const btBroadphasePairArray& array =
        broad_phase_.getOverlappingPairCache()->getOverlappingPairArray();
    for (int k = 0; k < array.size(); ++k) {
      const btBroadphaseProxy& a = *array[k].m_pProxy0;
      const btBroadphaseProxy& b = *array[k].m_pProxy1;
      if (!TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin,
                                b.m_aabbMax)) {
        continue;
      }
      const auto i =
          static_cast<BodyId>(reinterpret_cast<uintptr_t>(a.m_clientObject));
      const auto j =
          static_cast<BodyId>(reinterpret_cast<uintptr_t>(b.m_clientObject));
      pairs_.push_back({std::min(i, j), std::max(i, j)});
    }
    return pairs_.size();
  }

  std::vector<BodyPair> Pairs() const override {
    std::vector<BodyPair> sorted = pairs_;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

 private:
  btDbvtBroadphase broad_phase_;
  std::vector<btBroadphaseProxy*> proxies_;
  std::vector<BodyPair> pairs_;
};

std::unique_ptr<Runner> Make(int deferred) {
  return std::make_unique<BulletRunner>(deferred != 0);
}

}  // namespace

void AppendBulletRunners(std::vector<RunnerRow>* rows) {
  rows->push_back({"bullet", true, &Make, 0});
  rows->push_back({"bullet_deferred", true, &Make, 1});
}

}  // namespace orbox::broad_bench
