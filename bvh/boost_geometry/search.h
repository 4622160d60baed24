// SPDX-License-Identifier: Apache-2.0

// Searches of the boxes of boost_geometry/index.h.
//
//   auto search = SearchFor(boxes, AsTuple(bgi::intersects(box)));
//   search.ForEach([&](const Value& value) { ... });
//
// A search is a value: its copy continues independently. Users of the index do
// not need this header.
#ifndef ORBOX_BVH_BOOST_GEOMETRY_SEARCH_H_
#define ORBOX_BVH_BOOST_GEOMETRY_SEARCH_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "orbox/bvh/boost_geometry/boxes.h"
#include "orbox/bvh/boost_geometry/nearest_search.h"
#include "orbox/bvh/boost_geometry/predicates.h"
#include "orbox/bvh/boost_geometry/runs.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::boost_geometry_internal {

// Kind of objects that must satisfy the predicates.
enum class Of { kBoxes, kTriangles };

// Search for all values that satisfy the predicates. Predicates must not
// contain nearest.
template <Of kOf, typename Value, typename... Ps>
class SpatialSearch {
 public:
  SpatialSearch(const ValueTree<Value>& boxes, const std::tuple<Ps...>& all)
      : boxes_(&boxes), all_(all), reach_(ReachOf<T>(all)) {
    if (!boxes.nodes.empty()) stack_.Push({Tree::kRoot, 0, 0});
  }

  // Returns the next run, or an empty run after the last.
  Run<Value> Next();

  // Calls visit(value) for each value. Do not call it after Next.
  template <typename Visit>
  void ForEach(Visit visit);

 private:
  using T = typename ValueTree<Value>::T;

  // Pushes the children such that values are visited in their order in memory.
  void Push(const BoxNode<T>& node);
  bool Fulfils(const Value& value) const;

  const ValueTree<Value>* boxes_;
  std::tuple<Ps...> all_;
  Reach<T> reach_;
  // The values of a leaf that are not yet tested.
  const Value* at_ = nullptr;
  const Value* leaf_end_ = nullptr;
  ChildStack<Below> stack_;
};

// Values found earlier.
template <typename Value>
class ListSearch {
 public:
  explicit ListSearch(std::vector<const Value*> found)
      : found_(std::make_shared<const std::vector<const Value*>>(
            std::move(found))) {}

  Run<Value> Next() {
    if (at_ == found_->size()) return {};
    const Value* const value = (*found_)[at_++];
    return {value, value + 1};
  }

 private:
  std::shared_ptr<const std::vector<const Value*>> found_;
  size_t at_ = 0;
};

template <typename Value, typename... Ps>
auto SearchFor(const ValueTree<Value>& boxes, const std::tuple<Ps...>& all) {
  static_assert((size_t{IsNearest<Ps>::value} + ... + 0) <= 1,
                "at most one nearest predicate may be asked for");
  if constexpr (NearestAt<Ps...>() < sizeof...(Ps)) {
    return NearestSearch<Value, Ps...>(boxes, all);
  } else {
    return SpatialSearch<Of::kBoxes, Value, Ps...>(boxes, all);
  }
}

// Any of these searches as a forward iterator. Copies are independent. Because
// algorithms copy iterators freely, copies share a search until one of them
// advances.
template <typename Value>
class QueryIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Value;
  using difference_type = ptrdiff_t;
  using pointer = const Value*;
  using reference = const Value&;

  // The end iterator of any search.
  QueryIterator() = default;
  template <typename Search>
  explicit QueryIterator(Search search) {
    auto held = std::make_unique<Held<Search>>(std::move(search));
    run_ = held->Next();
    search_ = held.release();
  }
  QueryIterator(const QueryIterator& other)
      : search_(other.search_), run_(other.run_) {
    if (search_ != nullptr) {
      search_->owners.fetch_add(1, std::memory_order_relaxed);
    }
  }
  QueryIterator(QueryIterator&& other) noexcept
      : search_(std::exchange(other.search_, nullptr)), run_(other.run_) {}
  QueryIterator& operator=(QueryIterator other) noexcept {
    std::swap(search_, other.search_);
    run_ = other.run_;
    return *this;
  }
  ~QueryIterator() { Release(); }

  reference operator*() const { return *run_.first; }
  pointer operator->() const { return run_.first; }
  QueryIterator& operator++() {
    if (++run_.first == run_.end) MoveOn();
    return *this;
  }
  QueryIterator operator++(int) {
    QueryIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const QueryIterator& a, const QueryIterator& b) {
    return a.run_.first == b.run_.first;
  }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual Run<Value> Next() = 0;
    virtual Any* Copy() const = 0;
    std::atomic<uint32_t> owners{1};
  };
  template <typename Search>
  struct Held final : Any {
    explicit Held(Search held) : search(std::move(held)) {}
    Run<Value> Next() override { return search.Next(); }
    Any* Copy() const override { return new Held(search); }
    Search search;
  };

  // Advances the search if no other iterator shares it. Otherwise advances a
  // copy.
  void MoveOn() {
    if (search_->owners.load(std::memory_order_acquire) != 1) {
      Any* const own = search_->Copy();
      Release();
      search_ = own;
    }
    run_ = search_->Next();
  }
  void Release() {
    if (search_ != nullptr &&
        search_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete search_;
    }
  }

  Any* search_ = nullptr;
  Run<Value> run_;  // its first value is that of the iterator
};

// Implementation only below.

template <Of kOf, typename Value, typename... Ps>
void SpatialSearch<kOf, Value, Ps...>::Push(const BoxNode<T>& node) {
  constexpr bool kCoverFulfils = kOf == Of::kBoxes && sizeof...(Ps) == 1 &&
                                 (IsFulfilledIfCovered<T, Ps>::value && ...);
  const uint32_t covered = kCoverFulfils ? Covered(node, reach_) : 0;
  const auto push = [&](uint32_t lanes) {
    while (lanes != 0) {
      const int lane = std::bit_width(lanes) - 1;
      lanes ^= 1u << lane;
      const bool fulfil = (covered >> lane & 1) != 0;
      Below below = fulfil ? node.values[lane] : node.below[lane];
      below.fulfil = fulfil ? 1 : 0;
      stack_.Push(below);
    }
  };
  // The lane that is pushed last is visited first. Values of leaves are stored
  // before those of nodes.
  const uint32_t within = WithinReach(node, reach_);
  const uint32_t nodes = (1u << node.inner_count) - 1;
  push(within & nodes);
  push(within & ~nodes);
}

template <Of kOf, typename Value, typename... Ps>
bool SpatialSearch<kOf, Value, Ps...>::Fulfils(const Value& value) const {
  if constexpr (kOf == Of::kTriangles) {
    const Triangle t =
        boxes_->tree->mesh().triangle(boxes_->TriangleOf(&value));
    return FulfilledBy(all_, value, t);
  } else {
    return FulfilledBy(all_, value);
  }
}

template <Of kOf, typename Value, typename... Ps>
Run<Value> SpatialSearch<kOf, Value, Ps...>::Next() {
  while (true) {
    for (; at_ != leaf_end_; ++at_) {
      if (!Fulfils(*at_)) continue;
      const Value* const first = at_++;
      while (at_ != leaf_end_ && Fulfils(*at_)) ++at_;
      return {first, at_};
    }
    if (stack_.is_empty()) return {};
    const Below below = stack_.Pop();
    if (below.count == 0) {
      Push(boxes_->nodes[below.first]);
      continue;
    }
    const Value* const first = boxes_->values.data() + below.first;
    if (below.fulfil != 0) {
      const Value* end = first + below.count;
      // Joins contiguous leaves to one run.
      while (!stack_.is_empty() && stack_.Top().fulfil != 0 &&
             boxes_->values.data() + stack_.Top().first == end) {
        end += stack_.Pop().count;
      }
      return {first, end};
    }
    at_ = first;
    leaf_end_ = first + below.count;
  }
}

template <Of kOf, typename Value, typename... Ps>
template <typename Visit>
void SpatialSearch<kOf, Value, Ps...>::ForEach(Visit visit) {
  while (!stack_.is_empty()) {
    const Below below = stack_.Pop();
    if (below.count == 0) {
      Push(boxes_->nodes[below.first]);
      continue;
    }
    const Value* const first = boxes_->values.data() + below.first;
    const Value* const end = first + below.count;
    for (const Value* value = first; value != end; ++value) {
      if (below.fulfil != 0 || Fulfils(*value)) visit(*value);
    }
  }
}

}  // namespace orbox::boost_geometry_internal

#endif  // ORBOX_BVH_BOOST_GEOMETRY_SEARCH_H_
