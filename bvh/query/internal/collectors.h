// SPDX-License-Identifier: Apache-2.0

// The forms of a query as sinks of its search (sink.h): all results, their
// number, if there is any, and a visit of each. Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_COLLECTORS_H_
#define ORBOX_BVH_QUERY_INTERNAL_COLLECTORS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/sink.h"
#include "orbox/bvh/traverse/internal/step.h"

namespace orbox {

template <typename Item>
class CollectingSink final : public Sink<Item> {
 public:
  explicit CollectingSink(std::vector<Item>* items) : items_(*items) {}

  Step Add(std::span<const Item> items) override {
    items_.insert(items_.end(), items.begin(), items.end());
    return Step::kContinue;
  }
  bool wants_each_leaf() const override { return false; }

 private:
  std::vector<Item>& items_;
};

template <typename Item>
class CountingSink final : public Sink<Item> {
 public:
  Step Add(std::span<const Item> items) override {
    count_ += items.size();
    return Step::kContinue;
  }
  bool wants_each_leaf() const override { return false; }
  size_t count() const { return count_; }

 private:
  size_t count_ = 0;
};

template <typename Item>
class VisitingSink final : public Sink<Item> {
 public:
  using Visitor = absl::FunctionRef<Visit(const Item& item)>;

  explicit VisitingSink(Visitor visitor) : visitor_(visitor) {}

  Step Add(std::span<const Item> items) override {
    is_any_ = true;
    for (const Item& item : items) {
      if (visitor_(item) == Visit::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }
  bool is_any() const { return is_any_; }

 private:
  Visitor visitor_;
  bool is_any_ = false;
};

// Passes items on to another sink, or to none and stops. Stores whether there
// were any, and the last return value.
template <typename Item>
class AnySink final : public Sink<Item> {
 public:
  explicit AnySink(Sink<Item>* next = nullptr) : next_(next) {}

  Step Add(std::span<const Item> items) override {
    is_any_ = true;
    step_ = next_ == nullptr ? Step::kStop : next_->Add(items);
    return step_;
  }
  bool wants_each_leaf() const override {
    return next_ == nullptr || next_->wants_each_leaf();
  }

  bool is_any() const { return is_any_; }
  Step step() const { return step_; }

 private:
  Sink<Item>* const next_;
  Step step_ = Step::kContinue;
  bool is_any_ = false;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_COLLECTORS_H_
