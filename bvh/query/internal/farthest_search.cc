// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/farthest_search.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_range.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

constexpr double kDenormal = std::numeric_limits<double>::denorm_min();

// A bound of the distance of two points from above.
double LengthAtMost(const Vec3& v) {
  if (v == Vec3{}) return 0;
  // Some ten roundings of 2^-53 each.
  return SafeNorm(v) * (1 + 0x1p-49) + kDenormal;
}

double Up(double x) { return std::nextafter(x, kInfinity); }

// The longest edge begins at the corner with this index.
size_t LongestEdge(const FarthestSearch::Corners& corners,
                   std::array<double, 3>& lengths) {
  for (size_t i = 0; i < 3; ++i) {
    lengths[i] = LengthAtMost(corners[(i + 1) % 3].point - corners[i].point);
  }
  return static_cast<size_t>(std::max_element(lengths.begin(), lengths.end()) -
                             lengths.begin());
}

// Sets *middle to the point between p and q; whether no coordinate was rounded.
bool Halfway(const Vec3& p, const Vec3& q, Vec3* middle) {
  bool is_exact = true;
  for (size_t i = 0; i < 3; ++i) {
    const double a = p[i] * 0.5;
    const double b = q[i] * 0.5;
    const DoubleDouble sum = TwoSum(a, b);
    (*middle)[i] = sum.hi;
    // Halves of denormals may round, too.
    is_exact = is_exact && sum.lo == 0 && 2 * a == p[i] && 2 * b == q[i];
  }
  return is_exact;
}

// The distance, or where its last bit is costly, a little more that is no more
// than `enough`.
double DistanceAtMost(const Vec3& p, const Triangle& t, double enough) {
  const PointGuess guess = GuessClosest(p, t);
  double distance = 0;
  if (RoundSqrt(RangeOf(guess.ToDifference(p, t)), &distance)) return distance;
  // The point is off the triangle by a few units of its coordinates.
  const Vec3 q = guess.feature.PointOn(t);
  const double reach =
      MaxCoordinate(Max(Max(Abs(t.a), Abs(t.b)), Max(Abs(t.c), Abs(p))));
  distance = LengthAtMost(p - q) + (0x1p-48 * reach + kDenormal);
  return distance <= enough ? distance : Distance(p, t).distance;
}

// A part is near the tree if its corners are, by its size.
constexpr double kNear = 0x1p-6;

}  // namespace

DistanceSample SampleDistance(const Tree& tree, const Vec3& p,
                              const DistanceSample& near,
                              TraversalStatistics* statistics) {
  // Distances differ by no more than the way from one point to the other.
  const double limit = Up(Up(near.distance) + LengthAtMost(p - near.point));
  const std::optional<SurfacePoint> hit =
      ClosestPoint(tree, p, {.max_distance = limit, .statistics = statistics});
  return {p, hit->distance, hit->triangle};
}

double FarthestGoal::Slack(double lower) const {
  return std::max(tolerance, relative_tolerance * lower);
}

FarthestSearch::Part FarthestSearch::PartOf(uint32_t id,
                                            const Corners& corners) const {
  Part part{kInfinity, 0, 0, id, 0, corners};
  for (const DistanceSample& corner : corners) {
    part.reach = std::max(part.reach, MaxCoordinate(Abs(corner.point)));
  }
  return part;
}

void FarthestSearch::Add(uint32_t begin, uint32_t end, CornersOf corners_of,
                         const Workers& workers) {
  std::vector<double> upper(end - begin);
  // A bound takes some hundred nanoseconds.
  constexpr size_t kGrain = 256;
  workers.For(upper.size(), kGrain, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      const uint32_t id = begin + static_cast<uint32_t>(i);
      upper[i] = UpperBound(PartOf(id, corners_of(id)), nullptr);
    }
  });
  for (uint32_t id = begin; id < end; ++id) {
    const double bound = upper[id - begin];
    if (bound <= GoodEnough()) {
      settled_upper_ = std::max(settled_upper_, bound);
      continue;
    }
    Part part = PartOf(id, corners_of(id));
    part.upper = bound;
    part.order = parts_made_++;
    heap_.push_back(part);
    std::push_heap(heap_.begin(), heap_.end());
  }
}

void FarthestSearch::Witness(uint32_t id, const DistanceSample& sample,
                             double error) {
  const double lower =
      error == 0
          ? sample.distance
          : std::max(0.0, std::nextafter(sample.distance - error, -kInfinity));
  if (has_best_ && lower <= best_.lower) return;
  has_best_ = true;
  best_.lower = lower;
  best_.triangle_a = id;
  best_.on_a = sample.point;
  best_.triangle_b = sample.triangle;
}

// Stops looking for better bounds at one that is good enough.
double FarthestSearch::UpperBound(const Part& part,
                                  TraversalStatistics* statistics) const {
  const double good_enough = GoodEnough();
  const double enough = good_enough - part.error;
  std::array<double, 3> lengths;
  const auto& corners = part.corners;
  const double longest = lengths[LongestEdge(corners, lengths)];
  // Every point of the part is within longest / sqrt(3) of a corner (Jung's
  // theorem), and within its longer edge of each.
  double largest = 0;
  double upper = kInfinity;
  for (size_t i = 0; i < 3; ++i) {
    const double distance = corners[i].distance;
    largest = std::max(largest, distance);
    upper = std::min(upper,
                     Up(distance + std::max(lengths[i], lengths[(i + 2) % 3])));
  }
  constexpr double kJung = 0.57735026918962584;  // 1 / sqrt(3), rounded up
  upper = std::min(upper, Up(largest + Up(longest * kJung)));
  // The distance from one triangle is convex: largest at a corner.
  const Mesh& mesh = tree_.mesh();
  for (size_t i = 0; i < 3 && upper + part.error > good_enough; ++i) {
    const uint32_t id = corners[i].triangle;
    if (i > 0 && id == corners[i - 1].triangle) continue;
    double from_one = corners[i].distance;
    for (size_t k = 0; k < 3 && from_one < upper; ++k) {
      if (corners[k].triangle == id) {
        from_one = std::max(from_one, corners[k].distance);
      } else {
        from_one = std::max(
            from_one,
            DistanceAtMost(corners[k].point, mesh.triangle(id), enough));
      }
    }
    upper = std::min(upper, from_one);
  }
  if (upper + part.error > good_enough && largest <= kNear * longest) {
    upper = std::min(upper, DistanceFromMiddle(part, enough, statistics));
  }
  if (part.error != 0) upper = Up(upper + part.error);
  // A part has no more than the whole.
  return std::min(upper, part.upper);
}

double FarthestSearch::DistanceFromMiddle(
    const Part& part, double enough, TraversalStatistics* statistics) const {
  const auto& [a, b, c] = part.corners;
  const Vec3 middle = (a.point + b.point + c.point) * (1.0 / 3);
  if (!IsFinite(middle)) return kInfinity;
  const uint32_t id = SampleDistance(tree_, middle, a, statistics).triangle;
  const Triangle t = tree_.mesh().triangle(id);
  double distance = 0;
  for (const DistanceSample& corner : part.corners) {
    distance =
        std::max(distance, corner.triangle == id
                               ? corner.distance
                               : DistanceAtMost(corner.point, t, enough));
  }
  return distance;
}

void FarthestSearch::Keep(const Part& part) {
  if (part.upper <= GoodEnough()) {
    settled_upper_ = std::max(settled_upper_, part.upper);
    return;
  }
  heap_.push_back(part);
  std::push_heap(heap_.begin(), heap_.end());
}

FarthestSearch::Halves FarthestSearch::Halve(
    const Part& part, TraversalStatistics* statistics) const {
  Halves halves{false, {}, {part, part}};
  std::array<double, 3> lengths;
  const size_t i = LongestEdge(part.corners, lengths);
  const size_t j = (i + 1) % 3;
  const Vec3& p = part.corners[i].point;
  const Vec3& q = part.corners[j].point;
  Vec3 middle;
  const bool is_exact = Halfway(p, q, &middle);
  if (middle == p || middle == q) return halves;
  halves.exist = true;
  halves.middle = SampleDistance(tree_, middle, part.corners[i], statistics);
  halves.parts[0].corners[i] = halves.middle;
  halves.parts[1].corners[j] = halves.middle;
  for (Part& half : halves.parts) {
    if (!is_exact) {
      // Each coordinate was rounded once, or thrice where it is a denormal.
      half.error = Up(Up(part.error + 0x1p-52 * part.reach) + 4 * kDenormal);
    }
    half.upper = UpperBound(half, statistics);
  }
  return halves;
}

// The parts that may hold the farthest point, the most promising first. A few
// more with each round: of those that wait, few will turn out to have been in
// vain, and soon there are enough for many threads.
void FarthestSearch::TakeRound() {
  constexpr size_t kShare = 32;
  constexpr size_t kMost = 256;
  const size_t wanted = std::clamp(halves_made_ / kShare, size_t{1}, kMost);
  round_.clear();
  while (!heap_.empty() && round_.size() < wanted &&
         heap_.front().upper > GoodEnough() && halves_made_ < goal_.max_parts) {
    round_.push_back(heap_.front());
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    halves_made_ += 2;
  }
}

void FarthestSearch::HalveAll(const FarthestRun& run) {
  halves_.resize(round_.size());
  std::mutex mutex;  // of *run.statistics
  // Some microseconds each.
  constexpr size_t kGrain = 4;
  run.workers->For(round_.size(), kGrain, [&](size_t begin, size_t end) {
    std::optional<TraversalStatistics> own;
    if (run.statistics != nullptr) own.emplace();
    for (size_t i = begin; i < end; ++i) {
      halves_[i] = Halve(round_[i], own ? &*own : nullptr);
    }
    if (!own) return;
    const std::lock_guard lock(mutex);
    *run.statistics += *own;
  });
  for (size_t i = 0; i < round_.size(); ++i) {
    Halves& halves = halves_[i];
    if (!halves.exist) {
      settled_upper_ = std::max(settled_upper_, round_[i].upper);
      continue;
    }
    Witness(round_[i].id, halves.middle, halves.parts[0].error);
    for (Part& half : halves.parts) {
      half.order = parts_made_++;
      Keep(half);
    }
  }
}

bool FarthestSearch::Run(const FarthestRun& run) {
  const auto gap = [this] {
    return heap_.empty() ? 0 : heap_.front().upper - GoodEnough();
  };
  const double first_gap = gap();
  for (TakeRound(); !round_.empty(); TakeRound()) {
    if (run.cancelled != nullptr &&
        run.cancelled->load(std::memory_order_relaxed)) {
      return false;
    }
    HalveAll(run);
    // Bounds only get closer.
    if (run.progress && first_gap < kInfinity) {
      run.progress(1 - std::max(0.0, gap()) / first_gap);
    }
  }
  if (!heap_.empty()) {
    settled_upper_ = std::max(settled_upper_, heap_.front().upper);
  }
  return true;
}

HausdorffResult FarthestSearch::result() const {
  HausdorffResult result = best_;
  result.upper = std::max(best_.lower, settled_upper_);
  result.on_b =
      Distance(best_.on_a, tree_.mesh().triangle(best_.triangle_b)).closest;
  return result;
}

}  // namespace orbox
