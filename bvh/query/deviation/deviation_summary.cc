// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/deviation_summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

struct WeightedDistance {
  double distance = 0;
  double weight = 0;
};

// Distances in ascending order, and the sum of the weights up to each.
class SortedDistances {
 public:
  explicit SortedDistances(std::vector<WeightedDistance> list)
      : list_(std::move(list)) {
    std::sort(list_.begin(), list_.end(),
              [](const WeightedDistance& x, const WeightedDistance& y) {
                return std::pair(x.distance, x.weight) <
                       std::pair(y.distance, y.weight);
              });
    sums_.reserve(list_.size());
    double sum = 0;
    for (const WeightedDistance& d : list_) {
      sum += d.weight;
      sums_.push_back(sum);
    }
  }

  double smallest() const { return list_.front().distance; }
  double largest() const { return list_.back().distance; }

  // Returns the smallest distance up to which the share of the weight lies.
  double Percentile(double share) const {
    const auto at =
        std::lower_bound(sums_.begin(), sums_.end(), share * sums_.back());
    // A rounded product may be above the sum.
    const auto last = std::prev(sums_.end());
    return list_[std::min(at, last) - sums_.begin()].distance;
  }

  double ShareWithin(double within) const {
    const auto end = std::upper_bound(
        list_.begin(), list_.end(), within,
        [](double w, const WeightedDistance& d) { return w < d.distance; });
    if (end == list_.begin()) return 0;
    return sums_[end - list_.begin() - 1] / sums_.back();
  }

  // Returns the root of the mean of (d - from)^2 if `power` is 2, or the mean
  // of d - from if it is 1. Sums fractions of the largest distance, so that
  // squares neither overflow nor vanish.
  double Moment(double from, int power) const {
    if (!(largest() > 0)) return 0;
    double sum = 0;
    for (const WeightedDistance& d : list_) {
      const double share = (d.distance - from) / largest();
      sum += d.weight / sums_.back() * (power == 1 ? share : share * share);
    }
    return largest() * (power == 1 ? sum : std::sqrt(sum));
  }

 private:
  std::vector<WeightedDistance> list_;
  std::vector<double> sums_;
};

absl::Status CheckLimits(const DeviationLimits& limits) {
  if ((!limits.within.has_value() || *limits.within >= 0) &&
      limits.max_distance >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "a limit of the deviation is negative or NaN; give 0 or more");
}

absl::StatusOr<DeviationSummary> MeasureVertices(const PosedTree& a,
                                                 const PosedTree& b,
                                                 const DeviationLimits& limits,
                                                 const RunOptions& options) {
  const std::vector<double> weights = WeightsOfVertices(a);
  std::vector<Vec3> points;
  std::vector<double> weights_of_points;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    const Vec3& p = a.tree().mesh().vertices()[i];
    points.push_back(a.is_moved() ? a.pose().Apply(p) : p);
    weights_of_points.push_back(weights[i]);
  }
  const auto nearest = ClosestPoint(b, points, limits.max_distance, options);
  if (!nearest.ok()) return nearest.status();
  std::vector<double> distances;
  distances.reserve(points.size());
  for (const std::optional<SurfacePoint>& point : *nearest) {
    distances.push_back(point ? point->distance
                              : std::numeric_limits<double>::infinity());
  }
  return SummarizeDistances(distances, weights_of_points, limits);
}

}  // namespace

DeviationSummary SummarizeDistances(std::span<const double> distances,
                                    std::span<const double> weights,
                                    const DeviationLimits& limits) {
  DeviationSummary summary;
  std::vector<WeightedDistance> list;
  list.reserve(distances.size());
  for (size_t i = 0; i < distances.size(); ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    if (!(weight > 0)) continue;
    if (std::isfinite(distances[i]) && distances[i] <= limits.max_distance) {
      list.push_back({distances[i], weight});
    } else {
      ++summary.beyond;
    }
  }
  summary.points = list.size();
  if (list.empty()) return summary;
  const SortedDistances sorted(std::move(list));
  summary.smallest = sorted.smallest();
  summary.largest = sorted.largest();
  summary.mean = sorted.Moment(0, 1);
  summary.root_mean_square = sorted.Moment(0, 2);
  summary.standard_deviation = sorted.Moment(summary.mean, 2);
  summary.median = sorted.Percentile(0.5);
  summary.percentile_90 = sorted.Percentile(0.9);
  summary.percentile_95 = sorted.Percentile(0.95);
  summary.percentile_99 = sorted.Percentile(0.99);
  if (limits.within.has_value()) {
    summary.share_within = sorted.ShareWithin(*limits.within);
  }
  return summary;
}

std::vector<double> WeightsOfVertices(const PosedTree& posed) {
  const Mesh& mesh = posed.tree().mesh();
  std::vector<double> weights(mesh.vertex_count(), 0);
  double sum = 0;
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const Triangle t = posed.triangle(id);
    // Neither overflows nor vanishes in the range of coordinates (range.h).
    const double area = Norm(Cross(t.b - t.a, t.c - t.a));
    sum += area;
    for (const uint32_t vertex : mesh.triangles()[id]) weights[vertex] += area;
  }
  if (sum > 0) return weights;
  for (const TriangleIndices& t : mesh.triangles()) {
    for (const uint32_t vertex : t) weights[vertex] = 1;
  }
  return weights;
}

absl::StatusOr<DeviationSummary> SummarizeDeviation(
    const PosedTree& a, const PosedTree& b, const DeviationLimits& limits,
    const RunOptions& options) {
  if (absl::Status s = Execution(options).Check(); !s.ok()) return s;
  if (absl::Status s = CheckLimits(limits); !s.ok()) return s;
  return GuardMemory("for the statistics of a deviation; give a smaller mesh",
                     [&] { return MeasureVertices(a, b, limits, options); });
}

}  // namespace orbox
