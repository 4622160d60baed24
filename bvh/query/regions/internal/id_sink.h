// SPDX-License-Identifier: Apache-2.0

// Receives the ids of the triangles that a query finds. Receives them in
// batches, with one virtual call per batch, so that a loop is compiled only
// once for all queries. Private.
#ifndef ORBOX_BVH_QUERY_REGIONS_INTERNAL_ID_SINK_H_
#define ORBOX_BVH_QUERY_REGIONS_INTERNAL_ID_SINK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/step.h"

namespace orbox {

class IdSink {
 public:
  virtual ~IdSink() = default;

  // Receives some ids, at least one, in no particular order.
  virtual Step Add(std::span<const uint32_t> ids) = 0;

  // Returns true if a batch has to end with each leaf. For sinks that may stop
  // the query.
  virtual bool wants_each_leaf() const { return true; }
};

class VisitorSink final : public IdSink {
 public:
  explicit VisitorSink(TriangleVisitor visitor) : visitor_(visitor) {}

  Step Add(std::span<const uint32_t> ids) override {
    for (const uint32_t id : ids) {
      if (visitor_(id) == Visit::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }

 private:
  TriangleVisitor visitor_;
};

class CollectingSink final : public IdSink {
 public:
  explicit CollectingSink(std::vector<uint32_t>* ids) : ids_(*ids) {}

  Step Add(std::span<const uint32_t> ids) override {
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    return Step::kContinue;
  }
  bool wants_each_leaf() const override { return false; }

 private:
  std::vector<uint32_t>& ids_;
};

class CountingSink final : public IdSink {
 public:
  Step Add(std::span<const uint32_t> ids) override {
    count_ += ids.size();
    return Step::kContinue;
  }
  bool wants_each_leaf() const override { return false; }
  size_t count() const { return count_; }

 private:
  size_t count_ = 0;
};

class AnySink final : public IdSink {
 public:
  Step Add(std::span<const uint32_t>) override {
    found_ = true;
    return Step::kStop;
  }
  bool found() const { return found_; }

 private:
  bool found_ = false;
};

// Passes the ids of a detail tree on, and stores the last return value of the
// sink.
class DetailSink final : public IdSink {
 public:
  explicit DetailSink(IdSink& whole) : whole_(whole) {}

  Step Add(std::span<const uint32_t> ids) override {
    found_ = true;
    step_ = whole_.Add(ids);
    return step_;
  }
  bool wants_each_leaf() const override { return whole_.wants_each_leaf(); }

  Step step() const { return step_; }
  bool found() const { return found_; }

 private:
  IdSink& whole_;
  Step step_ = Step::kContinue;
  bool found_ = false;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_REGIONS_INTERNAL_ID_SINK_H_
