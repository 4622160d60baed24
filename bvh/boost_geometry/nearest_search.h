// SPDX-License-Identifier: Apache-2.0

// The search for the nearest boxes of boost_geometry/index.h.
//
//   NearestSearch search(boxes, AsTuple(bgi::nearest(p, 3)));
//   search.ForEach([](const Value& v) { use(v.second); });   // or use Next
//
// A search is a value: its copy continues independently. Users of the index do
// not need this header.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_NEAREST_SEARCH_H_
#define ORBOX_BVH_BOOST_GEOMETRY_NEAREST_SEARCH_H_

#include <algorithm>
#include <bit>
#include <boost/geometry/algorithms/comparable_distance.hpp>
#include <boost/geometry/strategies/strategies.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "orbox/bvh/boost_geometry/boxes.h"
#include "orbox/bvh/boost_geometry/concepts.h"
#include "orbox/bvh/boost_geometry/predicates.h"
#include "orbox/bvh/boost_geometry/runs.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox::boost_geometry_internal {

// Search for the nearest values among those that satisfy the other predicates,
// nearest first.
template <typename Value, typename... Ps>
class NearestSearch {
 public:
  NearestSearch(const ValueTree<Value>& boxes, const std::tuple<Ps...>& all)
      : boxes_(&boxes),
        all_(all),
        reach_(ReachOf<T>(all)),
        count_(std::get<NearestAt<Ps...>()>(all).count),
        left_(count_) {}

  // Returns the next value, or an empty run after the last. Visits only the
  // nodes that this requires.
  Run<Value> Next();

  // Calls visit(value) for each value, in the order of Next. Searches depth
  // first, which is faster than a queue if all values are needed. Do not call
  // it after Next.
  template <typename Visit>
  void ForEach(Visit visit) const;

 private:
  using T = typename ValueTree<Value>::T;
  using Box = typename ValueTree<Value>::Box;
  using Geometry =
      std::remove_cvref_t<decltype(std::get<NearestAt<Ps...>()>(
                                       std::declval<const std::tuple<Ps...>&>())
                                       .point_or_relation)>;
  // Squared distance, in the type in which Boost computes it. Each operation
  // rounds monotonically. So no box gets a smaller distance than a box that
  // contains it.
  using Distance = decltype(bg::comparable_distance(
      std::declval<const Geometry&>(), std::declval<const Box&>()));
  struct Entry {
    Distance distance;
    bool is_value;  // below.first is the value's position
    Below below;
    uint32_t triangle = 0;
  };
  // A value that may be among the nearest.
  struct Found {
    Distance distance;
    uint32_t triangle;
    uint32_t value;

    friend bool operator<(const Found& a, const Found& b) {
      return a.distance != b.distance ? a.distance < b.distance
                                      : a.triangle < b.triangle;
    }
  };
  struct StackEntry {
    Distance distance;
    Below below;
  };
  // Order of a heap with the nearest on top. At equal distances, nodes come
  // before values, because they may contain values with lower ids, and lower
  // ids come first.
  static bool Later(const Entry& a, const Entry& b) {
    if (a.distance != b.distance) return a.distance > b.distance;
    if (a.is_value != b.is_value) return a.is_value;
    return a.triangle > b.triangle;
  }

  const Geometry& geometry() const {
    return std::get<NearestAt<Ps...>()>(all_).point_or_relation;
  }
  // Returns true if enough values are known to be nearer than `distance`.
  bool IsTooFar(Distance distance) const {
    return nearest_.size() == count_ && distance > nearest_.front();
  }
  void Push(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), Later);
  }
  void Expand(const Below& below);
  // Returns all lanes if there are no other predicates.
  uint32_t LanesWithinReach(const BoxNode<T>& node) const {
    return sizeof...(Ps) == 1 ? (1u << node.count) - 1
                              : WithinReach(node, reach_);
  }
  // Sets `to` to lower bounds of the distances of the children's values.
  void LaneDistances(const BoxNode<T>& node, Distance (&to)[kLanes]) const;

  const ValueTree<Value>* boxes_;
  std::tuple<Ps...> all_;
  Reach<T> reach_;
  size_t count_;
  size_t left_;
  bool is_begun_ = false;  // true after the first call of Next
  std::vector<Entry> heap_;
  std::vector<Distance> nearest_;  // of values so far; a heap, largest on top
};

// Implementation only below.

template <typename Value, typename... Ps>
void NearestSearch<Value, Ps...>::LaneDistances(const BoxNode<T>& node,
                                                Distance (&to)[kLanes]) const {
  if constexpr (BoostPoint<Geometry> && std::floating_point<Distance>) {
    const Distance p[3] = {static_cast<Distance>(bg::get<0>(geometry())),
                           static_cast<Distance>(bg::get<1>(geometry())),
                           static_cast<Distance>(bg::get<2>(geometry()))};
    // Boost adds these squares too, possibly in another order. There are two
    // roundings here and two in Boost.
    constexpr Distance kBelow =
        1 - 4 * std::numeric_limits<Distance>::epsilon();
    for (size_t lane = 0; lane < kLanes; ++lane) {
      Distance sum = 0;
      for (size_t axis = 0; axis < 3; ++axis) {
        const Distance above = p[axis] - node.hi[axis][lane];
        const Distance below = node.lo[axis][lane] - p[axis];
        const Distance out = above > below ? above : below;
        const Distance gap = out > 0 ? out : 0;
        sum += gap * gap;
      }
      to[lane] = sum * kBelow;
    }
  } else {
    for (size_t lane = 0; lane < node.count; ++lane) {
      to[lane] = bg::comparable_distance(geometry(),
                                         ValueTree<Value>::LaneBox(node, lane));
    }
  }
}

template <typename Value, typename... Ps>
void NearestSearch<Value, Ps...>::Expand(const Below& below) {
  if (below.count == 0) {
    const BoxNode<T>& node = boxes_->nodes[below.first];
    Distance distances[kLanes];
    LaneDistances(node, distances);
    for (uint32_t m = LanesWithinReach(node); m != 0; m &= m - 1) {
      const int lane = std::countr_zero(m);
      if (IsTooFar(distances[lane])) continue;
      Push({distances[lane], false, node.below[lane]});
    }
    return;
  }
  for (uint32_t i = below.first; i < below.first + below.count; ++i) {
    const Value& value = boxes_->values[i];
    if (!FulfilledBy(all_, value)) continue;
    const Distance distance = bg::comparable_distance(geometry(), value.first);
    if (IsTooFar(distance)) continue;
    Push({distance, true, {i, 1, 0}, boxes_->triangles[i]});
    nearest_.push_back(distance);
    std::push_heap(nearest_.begin(), nearest_.end());
    if (nearest_.size() > count_) {
      std::pop_heap(nearest_.begin(), nearest_.end());
      nearest_.pop_back();
    }
  }
}

template <typename Value, typename... Ps>
Run<Value> NearestSearch<Value, Ps...>::Next() {
  if (!std::exchange(is_begun_, true) && !boxes_->nodes.empty()) {
    heap_.reserve(64);  // enough for most
    nearest_.reserve(std::min(count_ + 1, size_t{64}));
    heap_.push_back({{}, false, {Tree::kRoot, 0, 0}});
  }
  while (left_ > 0 && !heap_.empty()) {
    const Entry nearest = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), Later);
    heap_.pop_back();
    if (nearest.is_value) {
      --left_;
      const Value* const value = &boxes_->values[nearest.below.first];
      return {value, value + 1};
    }
    Expand(nearest.below);
  }
  return {};
}

template <typename Value, typename... Ps>
template <typename Visit>
void NearestSearch<Value, Ps...>::ForEach(Visit visit) const {
  if (boxes_->nodes.empty() || count_ == 0) return;
  std::vector<Found> found;  // a heap, the last one on top
  found.reserve(std::min(count_ + 1, size_t{64}));
  ChildStack<StackEntry> stack;
  stack.Push({{}, {Tree::kRoot, 0, 0}});
  while (!stack.is_empty()) {
    const auto [distance_to_child, below] = stack.Pop();
    if (found.size() == count_ && distance_to_child > found.front().distance) {
      continue;
    }
    if (below.count == 0) {
      const BoxNode<T>& node = boxes_->nodes[below.first];
      Distance distances[kLanes];
      LaneDistances(node, distances);
      uint32_t lanes = 0;
      int nearest = -1;
      for (uint32_t m = LanesWithinReach(node); m != 0; m &= m - 1) {
        const int lane = std::countr_zero(m);
        if (found.size() == count_ &&
            distances[lane] > found.front().distance) {
          continue;
        }
        lanes |= 1u << lane;
        nearest = nearest < 0 || distances[lane] < distances[nearest] ? lane
                                                                      : nearest;
      }
      if (nearest < 0) continue;
      for (uint32_t m = lanes & ~(1u << nearest); m != 0; m &= m - 1) {
        const int lane = std::countr_zero(m);
        stack.Push({distances[lane], node.below[lane]});
      }
      stack.Push({distances[nearest], node.below[nearest]});
      continue;
    }
    for (uint32_t i = below.first; i < below.first + below.count; ++i) {
      const Value& value = boxes_->values[i];
      if (!FulfilledBy(all_, value)) continue;
      const Found next = {bg::comparable_distance(geometry(), value.first),
                          boxes_->triangles[i], i};
      if (found.size() == count_) {
        if (!(next < found.front())) continue;
        std::pop_heap(found.begin(), found.end());
        found.pop_back();
      }
      found.push_back(next);
      std::push_heap(found.begin(), found.end());
    }
  }
  std::sort_heap(found.begin(), found.end());
  for (const Found& next : found) visit(boxes_->values[next.value]);
}

}  // namespace orbox::boost_geometry_internal

#endif  // ORBOX_BVH_BOOST_GEOMETRY_NEAREST_SEARCH_H_
