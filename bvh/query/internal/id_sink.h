// What range queries do with the ids that they find: one virtual call a batch,
// so that the loops exist once for all of them. Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_ID_SINK_H_
#define ORBOX_BVH_QUERY_INTERNAL_ID_SINK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/query/range.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/step.h"

namespace orbox {

class IdSink {
 public:
  virtual ~IdSink() = default;

  // Not empty, in no particular order.
  virtual Step Add(std::span<const uint32_t> ids) = 0;

  // Whether batches end with each leaf, for sinks that may stop the query.
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

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_ID_SINK_H_
