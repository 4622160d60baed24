// SPDX-License-Identifier: Apache-2.0

// Collects pairs of triangles that floats do not decide, so that a query can
// decide several at once in double.
//
//   if (batch.Add(ids, a, b)) Decide(batch);           // it is full
//   OverlapLanes m = TrianglesOverlap(batch.columns(), batch.size());
//   batch.Clear();
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_BATCH_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_BATCH_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_BATCH_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_BATCH_INL_H_
#endif

#include <array>
#include <cstddef>
#include <memory>

#include "hwy/highway.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"
#include "orbox/overlap/triangles/internal/pair_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class PairBatch {
 public:
  // The columns are constructed at the first pair, because most queries have
  // none.
  PairBatch() {}

  // Returns true if the batch is full.
  bool Add(TrianglePair ids, const Triangle& a, const Triangle& b,
           ClosestFeature feature = {}) {
    if (HWY_UNLIKELY(!has_columns_)) {
      has_columns_ = true;
      std::construct_at(&columns_);
    }
    columns_.Set(size_, a, b, feature);
    ids_[size_] = ids;
    return ++size_ == PairColumns::kRoom;
  }
  void Clear() { size_ = 0; }

  size_t size() const { return size_; }
  TrianglePair ids(size_t i) const { return ids_[i]; }
  const PairColumns& columns() const { return columns_; }

 private:
  union {
    PairColumns columns_;
  };
  union {
    std::array<TrianglePair, PairColumns::kRoom> ids_;
  };
  size_t size_ = 0;
  bool has_columns_ = false;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_BATCH_INL_H_
