// SPDX-License-Identifier: Apache-2.0

// Receives what a search finds: ids of triangles or pairs of them. Receives
// batches, with one virtual call per batch, so that a loop is compiled only
// once for all forms of a query. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SINK_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SINK_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/traverse/internal/step.h"

namespace orbox {

template <typename Item>
class Sink {
 public:
  virtual ~Sink() = default;

  // Receives a batch. It is not empty and in no particular order. Each item is
  // in exactly one batch. If the call returns kStop, this batch is the last.
  virtual Step Add(std::span<const Item> items) = 0;

  // Returns true if a batch of ids has to end with each leaf. For sinks that
  // may stop the query.
  virtual bool wants_each_leaf() const { return true; }
};

using IdSink = Sink<uint32_t>;

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SINK_H_
