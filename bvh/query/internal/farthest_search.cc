// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/farthest_search.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/traverse/internal/execution.h"
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
constexpr double kNearPart = 0x1p-6;

double LargestDistance(const FarthestSearch::Corners& corners) {
  return std::max(
      {corners[0].distance, corners[1].distance, corners[2].distance});
}

Vec3 MiddleOf(const FarthestSearch::Corners& corners) {
  const auto& [a, b, c] = corners;
  return (a.point + b.point + c.point) * (1.0 / 3);
}

// Every point of a triangle is within longest / sqrt(3) of a corner (Jung's
// theorem), and within its longer edge of each.
double RoughBoundOf(const FarthestSearch::Corners& corners,
                    const std::array<double, 3>& lengths, double longest) {
  double upper = kInfinity;
  for (size_t i = 0; i < 3; ++i) {
    upper = std::min(upper, Up(corners[i].distance +
                               std::max(lengths[i], lengths[(i + 2) % 3])));
  }
  constexpr double kJung = 0.57735026918962584;  // 1 / sqrt(3), rounded up
  return std::min(upper, Up(LargestDistance(corners) + Up(longest * kJung)));
}

// Distances differ by no more than the way from one point to the other.
DistanceQuestion QuestionAt(const Vec3& p, const DistanceSample& near) {
  return {p, Up(Up(near.distance) + LengthAtMost(p - near.point))};
}

}  // namespace

absl::Status FarthestTree::Measure(std::span<const DistanceQuestion> questions,
                                   std::span<DistanceSample> samples) {
  std::mutex mutex;  // of *statistics_
  // Some microseconds each.
  constexpr size_t kGrain = 4;
  workers_.For(questions.size(), kGrain, [&](size_t begin, size_t end) {
    std::optional<TraversalStatistics> own;
    if (statistics_ != nullptr) own.emplace();
    for (size_t i = begin; i < end; ++i) {
      const auto& [p, limit] = questions[i];
      const std::optional<SurfacePoint> hit = ClosestPoint(
          tree_, p,
          {.max_distance = limit, .statistics = own ? &*own : nullptr});
      samples[i] = {p, hit->distance, hit->triangle};
    }
    if (!own) return;
    const std::lock_guard lock(mutex);
    *statistics_ += *own;
  });
  return absl::OkStatus();
}

FarthestGoal GoalOf(const HausdorffOptions& options, const Aabb& bounds) {
  return {.tolerance = options.tolerance.has_value()
                           ? *options.tolerance
                           : 0.002 * SafeNorm(bounds.HalfExtents()),
          .relative_tolerance = options.relative_tolerance,
          .max_parts = options.max_parts};
}

absl::Status CheckHausdorff(const HausdorffOptions& options) {
  if (absl::Status s = Execution(options).Check(); !s.ok()) return s;
  if ((!options.tolerance.has_value() || *options.tolerance >= 0) &&
      options.relative_tolerance >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "a tolerance of the Hausdorff distance is negative or NaN; give 0 or "
      "more");
}

double FarthestGoal::Slack(double lower) const {
  return std::max(tolerance, relative_tolerance * lower);
}

FarthestSearch::Part FarthestSearch::PartOf(uint64_t id,
                                            const Corners& corners) {
  Part part{kInfinity, 0, 0, id, 0, corners};
  for (const DistanceSample& corner : corners) {
    part.reach = std::max(part.reach, MaxCoordinate(Abs(corner.point)));
  }
  return part;
}

void FarthestSearch::Witness(uint64_t id, const DistanceSample& sample,
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

double FarthestSearch::RoughBound(const Corners& corners) {
  std::array<double, 3> lengths;
  const double longest = lengths[LongestEdge(corners, lengths)];
  return RoughBoundOf(corners, lengths, longest);
}

// Stops looking for better bounds at one that is good enough.
double FarthestSearch::BoundByCorners(const Part& part,
                                      bool* needs_middle) const {
  const double good_enough = GoodEnough();
  const double enough = good_enough - part.error;
  std::array<double, 3> lengths;
  const auto& corners = part.corners;
  const double longest = lengths[LongestEdge(corners, lengths)];
  double upper = RoughBoundOf(corners, lengths, longest);
  // The distance from one triangle is convex: largest at a corner.
  for (size_t i = 0; i < 3 && upper + part.error > good_enough; ++i) {
    const uint64_t id = corners[i].triangle;
    if (i > 0 && id == corners[i - 1].triangle) continue;
    double from_one = corners[i].distance;
    for (size_t k = 0; k < 3 && from_one < upper; ++k) {
      if (corners[k].triangle == id) {
        from_one = std::max(from_one, corners[k].distance);
      } else {
        from_one = std::max(
            from_one,
            DistanceAtMost(corners[k].point, target_.TriangleOf(id), enough));
      }
    }
    upper = std::min(upper, from_one);
  }
  *needs_middle = upper + part.error > good_enough &&
                  LargestDistance(corners) <= kNearPart * longest &&
                  IsFinite(MiddleOf(corners));
  return upper;
}

double FarthestSearch::BoundByMiddle(const Doubtful& part,
                                     const DistanceSample& middle) const {
  const Triangle t = target_.TriangleOf(middle.triangle);
  double distance = 0;
  for (const DistanceSample& corner : part.corners) {
    distance =
        std::max(distance, corner.triangle == middle.triangle
                               ? corner.distance
                               : DistanceAtMost(corner.point, t, part.enough));
  }
  return distance;
}

double FarthestSearch::Finished(const Part& part, double upper) {
  if (part.error != 0) upper = Up(upper + part.error);
  // A part has no more than the whole.
  return std::min(upper, part.upper);
}

absl::Status FarthestSearch::BoundDoubtful(
    absl::FunctionRef<void(size_t index, double bound)> take) {
  absl::Status status = target_.Together([&] {
    questions_.clear();
    samples_.resize(doubtful_.size());
    for (const Doubtful& part : doubtful_) {
      questions_.push_back(QuestionAt(MiddleOf(part.corners), part.corners[0]));
    }
    return absl::OkStatus();
  });
  if (status.ok()) status = target_.Measure(questions_, samples_);
  if (!status.ok()) return status;
  return target_.Together([&] {
    for (size_t i = 0; i < doubtful_.size(); ++i) {
      take(doubtful_[i].index, BoundByMiddle(doubtful_[i], samples_[i]));
    }
    return absl::OkStatus();
  });
}

absl::Status FarthestSearch::Bound(size_t count, CornersOf corners_of,
                                   const Workers& workers,
                                   std::vector<double>* upper) {
  const absl::Status status = target_.Together([&] {
    upper->resize(count);
    std::vector<uint8_t> needs_middle(count);
    // A bound takes some hundred nanoseconds.
    constexpr size_t kGrain = 256;
    workers.For(count, kGrain, [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i) {
        bool needs = false;
        (*upper)[i] = BoundByCorners(PartOf(i, corners_of(i)), &needs);
        needs_middle[i] = needs ? 1 : 0;
      }
    });
    doubtful_.clear();
    for (size_t i = 0; i < count; ++i) {
      if (needs_middle[i] == 0) continue;
      doubtful_.push_back({i, GoodEnough(), corners_of(i)});
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return BoundDoubtful([upper](size_t i, double bound) {
    (*upper)[i] = std::min((*upper)[i], bound);
  });
}

void FarthestSearch::Add(uint64_t id, double upper, const Corners& corners) {
  Part part = PartOf(id, corners);
  part.upper = upper;
  Keep(part);
}

void FarthestSearch::Keep(const Part& part) {
  if (part.upper <= GoodEnough()) {
    AddSettled(part.upper);
    return;
  }
  heap_.push_back(part);
  heap_.back().order = parts_made_++;
  std::push_heap(heap_.begin(), heap_.end());
}

// The parts that may hold the farthest point, the most promising first. A few
// more with each round: of those that wait, few will turn out to have been in
// vain, and soon there are enough for many threads.
void FarthestSearch::TakeRound() {
  constexpr size_t kShare = 32;
  constexpr size_t kMost = 256;
  const size_t wanted = std::clamp(halves_made_ / kShare, size_t{1}, kMost);
  round_.clear();
  questions_.clear();
  for (taken_ = 0;
       !heap_.empty() && taken_ < wanted &&
       heap_.front().upper > GoodEnough() && halves_made_ < goal_.max_parts;
       ++taken_) {
    const Part& part = heap_.front();
    std::array<double, 3> lengths;
    const size_t i = LongestEdge(part.corners, lengths);
    const Vec3& p = part.corners[i].point;
    const Vec3& q = part.corners[(i + 1) % 3].point;
    Vec3 middle;
    const bool is_exact = Halfway(p, q, &middle);
    if (middle == p || middle == q) {
      AddSettled(part.upper);  // too small to be halved
    } else {
      round_.push_back({part, i, is_exact});
      questions_.push_back(QuestionAt(middle, part.corners[i]));
    }
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    halves_made_ += 2;
  }
  samples_.resize(round_.size());
}

void FarthestSearch::MakeHalves(const Workers& workers) {
  halves_.clear();
  for (size_t n = 0; n < round_.size(); ++n) {
    const auto& [part, i, is_exact] = round_[n];
    for (const size_t moved : {i, (i + 1) % 3}) {
      halves_.push_back(part);
      Part& half = halves_.back();
      half.corners[moved] = samples_[n];
      if (is_exact) continue;
      // Each coordinate was rounded once, or thrice where it is a denormal.
      half.error = Up(Up(part.error + 0x1p-52 * part.reach) + 4 * kDenormal);
    }
  }
  std::vector<double> upper(halves_.size());
  std::vector<uint8_t> needs_middle(halves_.size());
  // Some hundred nanoseconds each.
  constexpr size_t kGrain = 32;
  workers.For(halves_.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
      bool needs = false;
      upper[k] = BoundByCorners(halves_[k], &needs);
      needs_middle[k] = needs ? 1 : 0;
    }
  });
  doubtful_.clear();
  for (size_t k = 0; k < halves_.size(); ++k) {
    Part& half = halves_[k];
    half.upper = Finished(half, upper[k]);
    if (needs_middle[k] == 0) continue;
    doubtful_.push_back({k, GoodEnough() - half.error, half.corners});
  }
}

void FarthestSearch::KeepHalves() {
  for (size_t k = 0; k < halves_.size(); ++k) {
    const Part& half = halves_[k];
    if (k % 2 == 0) {
      Witness(half.id, half.corners[round_[k / 2].from], half.error);
    }
    Keep(half);
  }
}

absl::Status FarthestSearch::HalveAll(const FarthestRun& run) {
  absl::Status status = target_.Measure(questions_, samples_);
  if (!status.ok()) return status;
  status = target_.Together([&] {
    MakeHalves(*run.workers);
    return absl::OkStatus();
  });
  if (status.ok() && !doubtful_.empty()) {
    status = BoundDoubtful([this](size_t k, double bound) {
      halves_[k].upper = Finished(halves_[k], bound);
    });
  }
  if (!status.ok()) return status;
  return target_.Together([&] {
    KeepHalves();
    return absl::OkStatus();
  });
}

absl::Status FarthestSearch::Run(const FarthestRun& run) {
  const auto gap = [this] {
    return heap_.empty() ? 0 : heap_.front().upper - GoodEnough();
  };
  const double first_gap = gap();
  while (true) {
    absl::Status status = target_.Together([&] {
      TakeRound();
      if (run.cancelled != nullptr && *run.cancelled) {
        return Execution::Cancelled();
      }
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    if (taken_ == 0) break;
    if (round_.empty()) continue;
    status = HalveAll(run);
    if (!status.ok()) return status;
    // Bounds only get closer.
    if (run.progress && first_gap < kInfinity) {
      run.progress(1 - std::max(0.0, gap()) / first_gap);
    }
  }
  if (!heap_.empty()) AddSettled(heap_.front().upper);
  return absl::OkStatus();
}

FarthestPoint FarthestSearch::result() const {
  FarthestPoint result = best_;
  result.upper = std::max(best_.lower, settled_upper_);
  result.on_b =
      Distance(best_.on_a, target_.TriangleOf(best_.triangle_b)).closest;
  return result;
}

}  // namespace orbox
