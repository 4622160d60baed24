// SPDX-License-Identifier: Apache-2.0

// Measures the distances of candidates, in double, eight at a time.
//
//   Measuring<Pace::kAmongOthers> measuring(memory, batch, sink, counts);
//   measuring.Add(query, slots, lanes);
//   measuring.MeasureAll();
//
// Candidates are prefetched from memory while others are measured. Triangles
// within the largest distance are passed to the sink. Private; compiled once
// per instruction set.
#if defined(ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_MEASURING_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_MEASURING_INL_H_
#undef ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_MEASURING_INL_H_
#else
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_MEASURING_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "orbox/bvh/query/points/internal/distance_sample.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/triangles/internal/point_distances-inl.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// kAlone: one search runs at a time, so well-predicted branches save work.
// kAmongOthers: searches are interleaved, so unpredictable steps are computed
// without branches.
enum class Pace { kAlone, kAmongOthers };

// Candidates to be measured. If kPace is kAlone, all are of one query.
template <Pace kPace>
class Measuring {
 public:
  // `counts` may be null.
  Measuring(const TreeMemory& memory, const NearestBatch& batch,
            NearestSink& sink, ArithmeticCounts* counts)
      : memory_(memory),
        batch_(batch),
        sink_(sink),
        counts_(counts),
        in_place_(memory.has_corners() && batch.moved == nullptr),
        bound_(batch.max_distance) {}

  // Adds `lanes` of eight slots. A slot is a lane of a leaf.
  HWY_INLINE void Add(uint32_t query, const U8& slots, uint32_t lanes) {
    if (added_->count > kCapacity) MeasureWaiting();
    CompressStore8(slots, lanes, added_->slots + added_->count);
    CompressStore8(Set8(query), lanes, added_->queries + added_->count);
    added_->count += static_cast<size_t>(std::popcount(lanes));
  }

  // Marks the end of a query's candidates. The sink is notified after they are
  // measured.
  HWY_INLINE void Finish(uint32_t query) {
    if (added_->finished_count == kCapacity) MeasureWaiting();
    added_->finished[added_->finished_count++] = query;
  }

  // Measures all candidates that were added.
  void MeasureAll() {
    MeasureWaiting();
    MeasureWaiting();
  }

  // Measures some slots of a query that runs alone.
  void MeasureAlone(uint32_t query, const uint32_t* slots, size_t count) {
    for (size_t i = 0; i < count; ++i) memory_.PrefetchTriangle(slots[i]);
    for (size_t i = 0; i < count; i += kColumns) {
      Measure(slots, &query, count, i);
    }
  }

  // Last return value of the sink.
  double bound() const { return bound_; }

 private:
  // Returns the moved triangle.
  HWY_INLINE Triangle TriangleOf(uint32_t slot) const {
    const Triangle t = memory_.TriangleOf(slot);
    return HWY_LIKELY(batch_.moved == nullptr)
               ? t
               : batch_.moved->moved->pose().Apply(t);
  }

  // Enough for many registers, small enough for the cache.
  static constexpr size_t kCapacity = 64;

  static constexpr bool kAlone = kPace == Pace::kAlone;
  static_assert(kColumns == kLanes);
  // Triangles of several queries, and the queries that are complete.
  struct Batch {
    uint32_t queries[kCapacity + 2 * kLanes];
    uint32_t slots[kCapacity + 2 * kLanes];
    uint32_t finished[kCapacity];
    size_t count = 0;
    size_t finished_count = 0;
  };

  // Measures the waiting batch while the batch that was just added is loaded
  // from memory. That batch becomes the waiting one.
  void MeasureWaiting() {
    for (size_t i = 0; i < std::max(waiting_->count, added_->count);
         i += kColumns) {
      const size_t end = std::min(i + kColumns, added_->count);
      for (size_t k = i; k < end; ++k) {
        memory_.PrefetchTriangle(added_->slots[k]);
      }
      if (i < waiting_->count) {
        Measure(waiting_->slots, waiting_->queries, waiting_->count, i);
      }
    }
    for (size_t i = 0; i < waiting_->finished_count; ++i) {
      sink_.Finish(waiting_->finished[i]);
    }
    waiting_->count = 0;
    waiting_->finished_count = 0;
    std::swap(waiting_, added_);
  }

  // Measures up to kColumns of `count` slots, from the i-th on.
  HWY_INLINE void Measure(const uint32_t* slots, const uint32_t* queries,
                          size_t count, size_t i) {
    const uint32_t* const of = kAlone ? queries : queries + i;
    const size_t columns = std::min(kColumns, count - i);
    if (HWY_UNLIKELY(batch_.is_rough)) {
      MeasureNearly(slots + i, of, columns);
    } else {
      MeasureColumns(slots + i, of, columns);
    }
  }

  HWY_INLINE void Load(const uint32_t* slots, const uint32_t* queries,
                       size_t count, TriangleColumns* columns,
                       PointColumns* points) const {
    for (size_t i = 0; i < count; i += kDoubleLanes) {
      const Triangle* triangles[kDoubleLanes];
      const Vec3* places[kDoubleLanes];
      for (size_t lane = 0; lane < kDoubleLanes; ++lane) {
        // The last register may be partly unused.
        const size_t k = i + lane < count ? i + lane : 0;
        if (HWY_LIKELY(in_place_)) {
          triangles[lane] = &memory_.CornersOf(slots[k]);
        } else {
          columns->Set(i + lane, TriangleOf(slots[k]));
        }
        if (points != nullptr) places[lane] = &batch_.points[queries[k]];
      }
      if (HWY_LIKELY(in_place_)) columns->SetRegister(i, triangles);
      if (points != nullptr) points->SetRegister(i, places);
    }
  }

  // Measures upper bounds that exceed the distances only slightly.
  HWY_NOINLINE void MeasureNearly(const uint32_t* slots,
                                  const uint32_t* queries, size_t count) {
    uint32_t of[kColumns];
    for (size_t i = 0; i < count; ++i) of[i] = queries[kAlone ? 0 : i];
    TriangleColumns columns;
    PointColumns points;
    Load(slots, of, count, &columns, &points);
    DistanceColumns distances;
    const uint32_t done = NearDistances(points, columns, count, &distances);
    if (counts_ != nullptr) counts_->by_double += std::popcount(done);
    for (size_t i = 0; i < count; ++i) {
      if (HWY_UNLIKELY((done >> i & 1) == 0)) {
        const PlainDistance plain =
            PlainDistanceOf(batch_.points[of[i]], TriangleOf(slots[i]));
        distances.Set(i, {plain.distance, plain.on});
      }
      Report(of[i], slots[i], distances.Get(i));
    }
  }

  HWY_NOINLINE void MeasureColumns(const uint32_t* slots,
                                   const uint32_t* queries, size_t count) {
    TriangleColumns columns;
    PointColumns points;
    Load(slots, queries, count, &columns, kAlone ? nullptr : &points);
    DistanceColumns distances;
    uint32_t certified;
    if constexpr (kAlone) {
      certified = CertifiedDistances(batch_.points[*queries], columns, count,
                                     &distances);
    } else {
      certified = CertifiedDistances(points, columns, count, &distances);
    }
    if (counts_ != nullptr) counts_->by_double += std::popcount(certified);
    for (size_t i = 0; i < count; ++i) {
      const uint32_t query = queries[kAlone ? 0 : i];
      if (HWY_UNLIKELY((certified >> i & 1) == 0)) {
        distances.Set(
            i, Distance(batch_.points[query], TriangleOf(slots[i]), counts_));
      }
      Report(query, slots[i], distances.Get(i));
    }
  }

  HWY_INLINE void Report(uint32_t query, uint32_t slot,
                         const PointTriangleDistance& d) {
    if (kAlone && d.distance > bound_) return;
    if (!IsWithin(query, slot, d.distance)) return;
    bound_ = sink_.Offer(query, {memory_.IdOf(slot), d.distance, d.closest});
  }

  HWY_INLINE bool IsWithin(uint32_t query, uint32_t slot, double distance) {
    if (distance != batch_.max_distance) {
      return distance < batch_.max_distance;
    }
    // A distance above it may round to it.
    return WithinDistance(batch_.points[query], TriangleOf(slot), distance,
                          counts_);
  }

  const TreeMemory& memory_;
  const NearestBatch& batch_;
  NearestSink& sink_;
  ArithmeticCounts* const counts_;
  const bool in_place_;  // triangles are measured where they are stored
  double bound_;

  // Unused if the query runs alone.
  Batch batches_[kAlone ? 1 : 2];
  Batch* added_ = &batches_[0];
  Batch* waiting_ = &batches_[kAlone ? 0 : 1];
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_MEASURING_INL_H_
