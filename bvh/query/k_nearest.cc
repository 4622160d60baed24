// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/k_nearest.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/far_nearest.h"
#include "orbox/bvh/query/internal/nearest_search.h"
#include "orbox/bvh/query/internal/rank_few.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"

namespace orbox {
namespace {

// Nearest first, and at equal distance the lowest id.
bool IsNearer(const SurfacePoint& x, const SurfacePoint& y) {
  return x.distance != y.distance ? x.distance < y.distance
                                  : x.triangle < y.triangle;
}

// Keeps the best k so far, and some that were; now and then the list is cut.
class BestK final : public NearestSink {
 public:
  BestK(size_t k, double max_distance)
      : k_(k), capacity_(k + std::max(k, kLeastExcess)), bound_(max_distance) {
    // The search has bounds of its own, so that few more than k get here.
    best_.reserve(k + kLeastExcess);
  }

  double Take(uint32_t, const SurfacePoint& near) override {
    best_.push_back(near);
    if (best_.size() == capacity_) {
      Cut();
      bound_ = best_.back().distance;
    }
    return bound_;
  }

  // The best, nearest first.
  std::vector<SurfacePoint> Sorted() {
    std::vector<SurfacePoint> sorted;
    sorted.reserve(k_);
    AppendTo(&sorted);
    return sorted;
  }

  // Appends the best, nearest first.
  void AppendTo(std::vector<SurfacePoint>* sorted) {
    if (best_.size() <= kMostRanked) {
      AppendByRank(sorted);
      return;
    }
    if (best_.size() > k_) Cut();
    std::sort(best_.begin(), best_.end(), IsNearer);
    sorted->insert(sorted->end(), best_.begin(), best_.end());
  }

 private:
  static constexpr size_t kLeastExcess = 8;

  void AppendByRank(std::vector<SurfacePoint>* sorted) const {
    const size_t count = best_.size();
    double distances[kMostRanked];
    for (size_t i = 0; i < count; ++i) distances[i] = best_[i].distance;
    uint32_t ranks[kMostRanked];
    RankFew(distances, count, ranks);
    const SurfacePoint* by_rank[kMostRanked] = {};
    for (const SurfacePoint& near : best_) {
      // Those that are as near share a rank, and have the places after it.
      const SurfacePoint* next = &near;
      uint32_t rank = ranks[&near - best_.data()];
      for (; by_rank[rank] != nullptr; ++rank) {
        if (next->triangle < by_rank[rank]->triangle) {
          std::swap(next, by_rank[rank]);
        }
      }
      by_rank[rank] = next;
    }
    const size_t wanted = std::min(k_, count);
    for (size_t i = 0; i < wanted; ++i) sorted->push_back(*by_rank[i]);
  }

  // Leaves k, the worst of them at the back.
  void Cut() {
    const auto last = best_.begin() + static_cast<ptrdiff_t>(k_) - 1;
    std::nth_element(best_.begin(), last, best_.end(), IsNearer);
    best_.resize(k_);
  }

  std::vector<SurfacePoint> best_;
  size_t k_;
  size_t capacity_;
  double bound_;
};

// The best of several queries, by their numbers.
class BestKOfEach final : public NearestSink {
 public:
  explicit BestKOfEach(size_t count) { best_.reserve(count); }

  // The next query.
  void Add(size_t k, double max_distance) {
    best_.emplace_back(k, max_distance);
  }

  double Take(uint32_t query, const SurfacePoint& near) override {
    return best_[query].Take(query, near);
  }

  BestK& of(size_t query) { return best_[query]; }

 private:
  std::vector<BestK> best_;
};

std::vector<SurfacePoint> NearestFromAfar(const FarSearch& far, size_t k,
                                          const Execution& run) {
  std::vector<SurfacePoint> nearest;
  for (const FarSearch::Answer& answer :
       far.Nearest(k, run.max_distance(), run.statistics())) {
    nearest.push_back({answer.triangles.a, answer.distance, answer.on_a});
  }
  return nearest;
}

}  // namespace

std::vector<SurfacePoint> KNearest(const Tree& tree, const Vec3& p, size_t k,
                                   const QueryOptions& options) {
  const Execution run(options);
  k = std::min(k, tree.mesh().triangle_count());
  if (k == 0 || !IsFinite(p) || run.finds_nothing()) return {};
  BestK best(k, run.max_distance());
  constexpr uint32_t kFirst = 0;
  const NearestQuestion question{.points = {&p, 1},
                                 .order = {&kFirst, 1},
                                 .max_distance = run.max_distance(),
                                 .wanted = k};
  // From far away, floats do not tell distances apart: searches of their own.
  if (FarSearch::MayPay(tree, p)) {
    if (FindFromAfar(tree, question, best, run.statistics())) {
      return best.Sorted();
    }
    best = BestK(k, run.max_distance());
    if (const auto far = FarSearch::Between(tree, p)) {
      return NearestFromAfar(*far, k, run);
    }
  }
  SearchNearest(tree, question, best, run.statistics());
  return best.Sorted();
}

absl::StatusOr<Lists<SurfacePoint>> KNearest(const Tree& tree,
                                             std::span<const Vec3> points,
                                             size_t k,
                                             const QueryOptions& options) {
  BatchRun run(tree.space(), points.size(), Execution(options));
  return run.CollectListsByPiece<SurfacePoint>(
      PlacesOf(points), [&](const BatchRun::Piece& piece,
                            std::vector<SurfacePoint>* found, size_t* counts) {
        std::vector<size_t> of_piece(piece.queries.size());
        AppendNearest(tree,
                      {.points = points,
                       .order = piece.queries,
                       .max_distance = options.max_distance,
                       .wanted = k},
                      found, of_piece, piece.statistics);
        for (size_t n = 0; n < of_piece.size(); ++n) {
          counts[piece.queries[n]] = of_piece[n];
        }
      });
}

void AppendNearest(const Tree& tree, const NearestQuestion& question,
                   std::vector<SurfacePoint>* found, std::span<size_t> counts,
                   TraversalStatistics* statistics) {
  const size_t k = std::min(question.wanted, tree.mesh().triangle_count());
  const size_t count = k == 0 ? 0 : question.order.size();
  // Points far away, and many triangles, come one by one.
  std::vector<size_t> together;
  std::vector<Vec3> places;
  std::vector<double> bounds;
  BestKOfEach best(count);
  for (size_t n = 0; n < count; ++n) {
    const Vec3& p = question.points[question.order[n]];
    if (k > kMostWantedTogether || FarSearch::MayPay(tree, p)) continue;
    together.push_back(n);
    places.push_back(p);
    bounds.push_back(question.BoundOf(n));
    best.Add(k, bounds.back());
  }
  std::vector<uint32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0u);
  SearchNearest(tree,
                {.points = places,
                 .order = order,
                 .max_distance = question.max_distance,
                 .bounds = bounds,
                 .wanted = k},
                best, statistics);
  size_t next = 0;
  for (size_t n = 0; n < count; ++n) {
    const size_t before = found->size();
    if (next < together.size() && together[next] == n) {
      best.of(next++).AppendTo(found);
    } else {
      const std::vector<SurfacePoint> nearest = KNearest(
          tree, question.points[question.order[n]], k,
          {.max_distance = question.BoundOf(n), .statistics = statistics});
      found->insert(found->end(), nearest.begin(), nearest.end());
    }
    counts[n] = found->size() - before;
  }
}

}  // namespace orbox
