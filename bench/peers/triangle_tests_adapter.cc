// SPDX-License-Identifier: Apache-2.0

// Not a library but a limit: the distances of just the pairs to report, known
// and moved before the clock starts. The additional time of Orbox is the cost
// of finding the pairs.
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/peer.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox::peers {
namespace {

class TriangleTestsPair : public MeshPair, public PairsWithinQuestion {
 public:
  TriangleTestsPair(const Mesh& a, const Mesh& b)
      : a_(Build(a).value()), b_(Build(b).value()) {}

  size_t Prepare(std::span<const Pose> poses, double clearance) override {
    known_.clear();
    for (const Pose& pose : poses) {
      known_.emplace_back();
      const PosedTree posed = PosedTree::Create(a_, pose).value();
      for (const PairDistance& p : orbox::AllWithin(posed, b_, clearance)) {
        known_.back().push_back({p.triangles, posed.triangle(p.triangles.a),
                                 b_.mesh().triangle(p.triangles.b)});
      }
    }
    return poses.size();
  }

  void PairsWithin(size_t pose, double distance, Pairs* pairs) override {
    for (const Known& known : known_[pose]) {
      if (DistanceBetween(known.a, known.b) <= distance) {
        pairs->push_back(known.ids);
      }
    }
  }

 private:
  struct Known {
    TrianglePair ids;
    Triangle a;
    Triangle b;
  };

  Tree a_;
  Tree b_;
  std::vector<std::vector<Known>> known_;  // by pose
};

}  // namespace

std::unique_ptr<MeshPair> TriangleTestsOverPair(const Mesh& a, const Mesh& b) {
  return std::make_unique<TriangleTestsPair>(a, b);
}

}  // namespace orbox::peers
