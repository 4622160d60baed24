// SPDX-License-Identifier: Apache-2.0

// How the boxes below boost_geometry/index.h are searched.
//
//   auto search = SearchFor(boxes, AsTuple(bgi::intersects(box)));
//   while (const Value* value = search.Next()) ...
//
// A search is a value: its copy continues independently. Users of the index
// need nothing from here.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_SEARCH_H_
#define ORBOX_BVH_BOOST_GEOMETRY_SEARCH_H_

#include <algorithm>
#include <array>
#include <bit>
#include <boost/geometry/algorithms/comparable_distance.hpp>
#include <boost/geometry/strategies/strategies.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "orbox/bvh/boost_geometry/boxes.h"
#include "orbox/bvh/boost_geometry/concepts.h"
#include "orbox/bvh/boost_geometry/predicates.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::boost_geometry_internal {

// Whether boxes or triangles have to satisfy the predicates.
enum class Of { kBoxes, kTriangles };

// All values that satisfy the predicates, none of which is nearest.
template <Of kOf, typename Value, typename... Ps>
class SpatialSearch {
 public:
  SpatialSearch(const BoxTree<Value>& boxes, const std::tuple<Ps...>& all)
      : boxes_(&boxes), all_(all), reach_(ReachOf<T>(all)) {
    if (!boxes.nodes.empty()) stack_[size_++] = {Tree::kRoot, 0};
  }

  // Null after the last one.
  const Value* Next();

 private:
  using T = typename BoxTree<Value>::T;

  void Push(const BoxNode<T>& node);

  const BoxTree<Value>* boxes_;
  std::tuple<Ps...> all_;
  Reach<T> reach_;
  // The values of a leaf, or of a subtree, that are still to be tested.
  const Value* at_ = nullptr;
  const Value* leaf_end_ = nullptr;
  bool fulfil_ = false;
  // Each node on the path leaves at most its other children on the stack.
  std::array<Below, kLanes*(kMaxTreeDepth + 1)> stack_;
  size_t size_ = 0;
};

// The nearest of the values that satisfy the others, nearest first.
template <typename Value, typename... Ps>
class NearestSearch {
 public:
  NearestSearch(const BoxTree<Value>& boxes, const std::tuple<Ps...>& all)
      : boxes_(&boxes),
        all_(all),
        reach_(ReachOf<T>(all)),
        count_(std::get<NearestAt<Ps...>()>(all).count),
        left_(count_) {
    heap_.reserve(64);  // enough for most
    nearest_.reserve(std::min(count_ + 1, size_t{64}));
    if (!boxes.nodes.empty()) heap_.push_back({{}, false, {Tree::kRoot, 0}});
  }

  const Value* Next();

 private:
  using T = typename BoxTree<Value>::T;
  using Box = typename BoxTree<Value>::Box;
  using Geometry =
      std::remove_cvref_t<decltype(std::get<NearestAt<Ps...>()>(
                                       std::declval<const std::tuple<Ps...>&>())
                                       .point_or_relation)>;
  // Squared, in the type in which Boost computes it. Each operation rounds
  // monotonically, so no box is nearer than one around it.
  using Distance = decltype(bg::comparable_distance(
      std::declval<const Geometry&>(), std::declval<const Box&>()));
  struct Entry {
    Distance distance;
    bool is_value;  // below.first is the value's position
    Below below;
    uint32_t triangle = 0;
  };
  // Order of a heap whose top is the nearest. At the same distance, a node that
  // may contain values is opened before a value is reported, and the lowest id
  // is first.
  static bool Later(const Entry& a, const Entry& b) {
    if (a.distance != b.distance) return a.distance > b.distance;
    if (a.is_value != b.is_value) return a.is_value;
    return a.triangle > b.triangle;
  }

  const Geometry& geometry() const {
    return std::get<NearestAt<Ps...>()>(all_).point_or_relation;
  }
  // Whether enough values are known to be nearer.
  bool IsTooFar(Distance distance) const {
    return nearest_.size() == count_ && distance > nearest_.front();
  }
  void Push(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), Later);
  }
  void Open(const Below& below);
  // Lower bounds of the distances of the children's values.
  void LaneDistances(const BoxNode<T>& node, Distance (&to)[kLanes]) const;

  const BoxTree<Value>* boxes_;
  std::tuple<Ps...> all_;
  Reach<T> reach_;
  size_t count_;
  size_t left_;
  std::vector<Entry> heap_;
  std::vector<Distance> nearest_;  // of the values seen, the largest first
};

// Values found earlier.
template <typename Value>
class ListSearch {
 public:
  explicit ListSearch(std::vector<const Value*> found)
      : found_(std::make_shared<const std::vector<const Value*>>(
            std::move(found))) {}

  const Value* Next() {
    return at_ < found_->size() ? (*found_)[at_++] : nullptr;
  }

 private:
  std::shared_ptr<const std::vector<const Value*>> found_;
  size_t at_ = 0;
};

template <typename Value, typename... Ps>
auto SearchFor(const BoxTree<Value>& boxes, const std::tuple<Ps...>& all) {
  static_assert((size_t{IsNearest<Ps>::value} + ... + 0) <= 1,
                "at most one nearest predicate may be asked for");
  if constexpr (NearestAt<Ps...>() < sizeof...(Ps)) {
    return NearestSearch<Value, Ps...>(boxes, all);
  } else {
    return SpatialSearch<Of::kBoxes, Value, Ps...>(boxes, all);
  }
}

// Any of these searches as a forward iterator; copies are independent.
template <typename Value>
class QueryIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Value;
  using difference_type = ptrdiff_t;
  using pointer = const Value*;
  using reference = const Value&;

  // Behind the last value of any search.
  QueryIterator() = default;
  template <typename Search>
  explicit QueryIterator(Search search)
      : search_(std::make_unique<Held<Search>>(std::move(search))) {
    ++*this;
  }
  QueryIterator(const QueryIterator& other)
      : search_(other.search_ ? other.search_->Copy() : nullptr),
        value_(other.value_) {}
  QueryIterator(QueryIterator&&) noexcept = default;
  QueryIterator& operator=(QueryIterator other) noexcept {
    search_ = std::move(other.search_);
    value_ = other.value_;
    return *this;
  }

  reference operator*() const { return *value_; }
  pointer operator->() const { return value_; }
  QueryIterator& operator++() {
    value_ = search_->Next();
    return *this;
  }
  QueryIterator operator++(int) {
    QueryIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const QueryIterator& a, const QueryIterator& b) {
    return a.value_ == b.value_;
  }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual const Value* Next() = 0;
    virtual std::unique_ptr<Any> Copy() const = 0;
  };
  template <typename Search>
  struct Held final : Any {
    explicit Held(Search held) : search(std::move(held)) {}
    const Value* Next() override { return search.Next(); }
    std::unique_ptr<Any> Copy() const override {
      return std::make_unique<Held>(search);
    }
    Search search;
  };

  std::unique_ptr<Any> search_;
  const Value* value_ = nullptr;
};

// Implementation only below.

template <Of kOf, typename Value, typename... Ps>
void SpatialSearch<kOf, Value, Ps...>::Push(const BoxNode<T>& node) {
  constexpr bool kCoverFulfils = kOf == Of::kBoxes && sizeof...(Ps) == 1 &&
                                 (IsFulfilledIfCovered<T, Ps>::value && ...);
  for (uint32_t m = WithinReach(node, reach_); m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    Below below = node.below[lane];
    if constexpr (kCoverFulfils) {
      if (IsCovered(node, lane, reach_)) {
        below = node.values[lane];
        below.fulfil = 1;
      }
    }
    stack_[size_++] = below;
  }
}

template <Of kOf, typename Value, typename... Ps>
const Value* SpatialSearch<kOf, Value, Ps...>::Next() {
  while (true) {
    while (at_ != leaf_end_) {
      const Value* const value = at_++;
      if (fulfil_) return value;
      if constexpr (kOf == Of::kTriangles) {
        const Triangle t =
            boxes_->tree->mesh().triangle(boxes_->TriangleOf(value));
        if (FulfilledBy(all_, *value, t)) return value;
      } else if (FulfilledBy(all_, *value)) {
        return value;
      }
    }
    if (size_ == 0) return nullptr;
    const Below below = stack_[--size_];
    if (below.count == 0) {
      Push(boxes_->nodes[below.first]);
    } else {
      at_ = boxes_->values.data() + below.first;
      leaf_end_ = at_ + below.count;
      fulfil_ = below.fulfil != 0;
    }
  }
}

template <typename Value, typename... Ps>
void NearestSearch<Value, Ps...>::LaneDistances(const BoxNode<T>& node,
                                                Distance (&to)[kLanes]) const {
  if constexpr (BoostPoint<Geometry> && std::floating_point<Distance>) {
    const Distance p[3] = {static_cast<Distance>(bg::get<0>(geometry())),
                           static_cast<Distance>(bg::get<1>(geometry())),
                           static_cast<Distance>(bg::get<2>(geometry()))};
    // Boost adds the same squares, perhaps in another order: two roundings
    // here, two there.
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
                                         BoxTree<Value>::LaneBox(node, lane));
    }
  }
}

template <typename Value, typename... Ps>
void NearestSearch<Value, Ps...>::Open(const Below& below) {
  if (below.count == 0) {
    const BoxNode<T>& node = boxes_->nodes[below.first];
    Distance distances[kLanes];
    LaneDistances(node, distances);
    for (uint32_t m = WithinReach(node, reach_); m != 0; m &= m - 1) {
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
    Push({distance, true, {i, 1}, boxes_->triangles[i]});
    nearest_.push_back(distance);
    std::push_heap(nearest_.begin(), nearest_.end());
    if (nearest_.size() > count_) {
      std::pop_heap(nearest_.begin(), nearest_.end());
      nearest_.pop_back();
    }
  }
}

template <typename Value, typename... Ps>
const Value* NearestSearch<Value, Ps...>::Next() {
  while (left_ > 0 && !heap_.empty()) {
    const Entry nearest = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), Later);
    heap_.pop_back();
    if (nearest.is_value) {
      --left_;
      return &boxes_->values[nearest.below.first];
    }
    Open(nearest.below);
  }
  return nullptr;
}

}  // namespace orbox::boost_geometry_internal

#endif  // ORBOX_BVH_BOOST_GEOMETRY_SEARCH_H_
