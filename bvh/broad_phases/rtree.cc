// SPDX-License-Identifier: Apache-2.0

// Boost.Geometry's rtree. If few bodies moved, they are removed and inserted
// one by one. If many moved, the tree is rebuilt by packing.
#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <utility>

#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

namespace orbox {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using Point = bg::model::point<double, 3, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Value = std::pair<Box, BodyId>;
using Rtree = bgi::rtree<Value, bgi::rstar<16>>;

// Removing and inserting one body takes as long as packing this many bodies.
constexpr size_t kPackedPerMoved = 20;

Box BoxOf(const Aabb& b) {
  return {Point(b.lo.x, b.lo.y, b.lo.z), Point(b.hi.x, b.hi.y, b.hi.z)};
}

class RtreePhase final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    if (bodies.touched().size() * kPackedPerMoved > bodies.count()) {
      Pack(bodies);
    } else {
      Follow(bodies);
    }
    pairs->clear();
    for (const Value& value : tree_) {
      tree_.query(bgi::intersects(value.first),
                  boost::make_function_output_iterator(
                      [&value, pairs](const Value& other) {
                        if (value.second < other.second) {
                          pairs->push_back({value.second, other.second});
                        }
                      }));
    }
    Sort(pairs);
  }

  void Forget() noexcept override {
    tree_.clear();
    is_known_.clear();
  }

  void Pack(const Bodies& bodies) {
    boxes_.assign(bodies.id_end(), Box());
    is_known_.assign(bodies.id_end(), 0);
    std::vector<Value> values;
    values.reserve(bodies.count());
    for (BodyId body = 0; body < bodies.id_end(); ++body) {
      if (!bodies.Contains(body)) continue;
      boxes_[body] = BoxOf(bodies.box(body));
      is_known_[body] = 1;
      values.push_back({boxes_[body], body});
    }
    tree_ = Rtree(values);
  }

  void Follow(const Bodies& bodies) {
    boxes_.resize(bodies.id_end());
    is_known_.resize(bodies.id_end(), 0);
    for (const BodyId body : bodies.touched()) {
      if (is_known_[body] != 0) tree_.remove(Value{boxes_[body], body});
      is_known_[body] = bodies.Contains(body) ? 1 : 0;
      if (is_known_[body] == 0) continue;
      boxes_[body] = BoxOf(bodies.box(body));
      tree_.insert(Value{boxes_[body], body});
    }
  }

  Rtree tree_;
  std::vector<Box> boxes_;  // as they are in the tree
  std::vector<uint8_t> is_known_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeRtree() {
  return std::make_unique<RtreePhase>();
}

}  // namespace orbox
