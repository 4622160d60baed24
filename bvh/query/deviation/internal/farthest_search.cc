// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/internal/farthest_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

using Known = DistanceSample::Known;

// Sets *middle to the point between p and q. Returns true if no coordinate was
// rounded.
bool Halfway(const Vec3& p, const Vec3& q, Vec3* middle) {
  bool is_exact = true;
  for (size_t i = 0; i < 3; ++i) {
    const double a = p[i] * 0.5;
    const double b = q[i] * 0.5;
    const DoubleDouble sum = TwoSum(a, b);
    (*middle)[i] = sum.hi;
    // Half of a denormal may be rounded, so the halves are checked as well.
    is_exact = is_exact && sum.lo == 0 && 2 * a == p[i] && 2 * b == q[i];
  }
  return is_exact;
}

Vec3 MiddleOf(const SampledCorners& corners) {
  const auto& [a, b, c] = corners;
  constexpr double kThird = 1.0 / 3;
  return a.point * kThird + b.point * kThird + c.point * kThird;
}

// Returns an error bound of points that are computed from corners.
double RoundingWithin(double reach) {
  return 0x1p-48 * reach + 4 * std::numeric_limits<double>::denorm_min();
}

}  // namespace

FarthestSearch::SubTriangle FarthestSearch::SubTriangleOf(
    uint64_t id, const SampledCorners& corners) {
  SubTriangle part{kInfinity, 0, 0, id, 0, corners};
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

bool FarthestSearch::IsPromising(const DistanceSample& sample,
                                 double error) const {
  constexpr double kShare = 0x1p-4;
  return sample.distance - error >
         best_.lower + kShare * goal_.Slack(best_.lower);
}

absl::Status FarthestSearch::WitnessFarthest(uint64_t id,
                                             DistanceSample* corner) {
  if (corner->known != Known::kExactly) {
    const DistanceQuery query{corner->point, RoundedUp(corner->distance)};
    const absl::Status status = target_.Measure({&query, 1}, {corner, 1});
    if (!status.ok()) return status;
  }
  return target_.Together([&] {
    Witness(id, *corner);
    return absl::OkStatus();
  });
}

// Returns the distance of a corner from a triangle, or an upper bound that is
// at most `enough`. Rounded if the tolerance permits. Otherwise exact above
// `enough`, because the last bits may matter then.
double FarthestSearch::DistanceFrom(const DistanceSample& corner, uint64_t id,
                                    double enough) const {
  if (corner.triangle == id &&
      (corner.distance <= enough || corner.known == Known::kExactly)) {
    return corner.distance;
  }
  const Triangle triangle = target_.TriangleOf(id);
  const bool is_rough = goal_.known == Known::kNearly &&
                        !IsSlackTiny(MaxCoordinate(Abs(corner.point)));
  return is_rough ? PlainDistanceOf(corner.point, triangle).distance
                  : DistanceAtMost(corner.point, triangle, enough);
}

// Stops at the first bound that is good enough.
double FarthestSearch::BoundByCorners(const SampledCorners& corners,
                                      double error, double upper) const {
  const double enough = GoodEnough() - error;
  upper = std::min(upper, RoughBound(corners));
  // The distance from one triangle is convex, so it is largest at a corner.
  for (size_t i = 0; i < 3 && upper > enough; ++i) {
    const uint64_t id = corners[i].triangle;
    if (i > 0 && id == corners[i - 1].triangle) continue;
    double from_one = 0;
    for (size_t k = 0; k < 3 && from_one < upper; ++k) {
      from_one =
          std::max(from_one, DistanceFrom(corners[(i + k) % 3], id, enough));
    }
    upper = std::min(upper, from_one);
  }
  return upper;
}

absl::Status FarthestSearch::Bound(size_t count, CornersOf corners_of,
                                   const Workers& workers,
                                   std::vector<double>* upper) {
  return target_.Together([&] {
    upper->resize(count);
    // A bound takes a few hundred nanoseconds.
    constexpr size_t kGrain = 256;
    workers.For(count, kGrain, [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i) {
        (*upper)[i] = BoundByCorners(corners_of(i), 0, kInfinity);
      }
    });
    return absl::OkStatus();
  });
}

void FarthestSearch::Add(uint64_t id, double upper,
                         const SampledCorners& corners) {
  SubTriangle part = SubTriangleOf(id, corners);
  part.upper = upper;
  Keep(part);
}

void FarthestSearch::Keep(const SubTriangle& part) {
  if (part.upper <= GoodEnough()) {
    AddSettled(part.upper);
    return;
  }
  size_t at = parts_.size();
  if (free_.empty()) {
    parts_.push_back(part);
  } else {
    at = free_.back();
    free_.pop_back();
    parts_[at] = part;
  }
  parts_[at].order = parts_made_++;
  queue_.push({part.upper, parts_[at].order, at});
}

// Takes the parts that may contain the farthest point, in descending order of
// their upper bounds. Rounds grow. The first rounds are small, so that few
// parts are examined unnecessarily. Later ones have enough parts for many
// threads, with neighbours among them. The pieces of a round become the next
// round immediately, while they are in the caches.
void FarthestSearch::StartRound() {
  constexpr size_t kShare = 32;
  constexpr size_t kMost = 1024;
  const auto begin = [this](size_t count) {
    round_size_ = count;
    if (turns_.size() < count) turns_.resize(count);
    round_ = {turns_.data(), count};
  };
  begin(next_.size());
  for (size_t n = 0; n < round_size_; ++n) {
    round_[n].part = next_[n];
    parts_counted_ += 2;
  }
  next_.clear();
  if (round_size_ != 0) return;
  const size_t wanted = std::clamp(parts_counted_ / kShare, size_t{1}, kMost);
  firsts_.clear();
  while (!queue_.empty() && firsts_.size() < wanted &&
         queue_.top().upper > GoodEnough() &&
         parts_counted_ < goal_.max_parts) {
    firsts_.push_back(queue_.top().at);
    queue_.pop();
    parts_counted_ += 2;
  }
  begin(firsts_.size());
  // Neighbouring parts visit the same part of the target, which is then in the
  // caches.
  std::sort(firsts_.begin(), firsts_.end(), [this](size_t x, size_t y) {
    return parts_[x].order < parts_[y].order;
  });
  for (size_t n = 0; n < round_size_; ++n) round_[n].part = parts_[firsts_[n]];
  free_.insert(free_.end(), firsts_.begin(), firsts_.end());
  generation_ = 0;
}

void FarthestSearch::CollectMiddles() {
  queries_.clear();
  samples_.resize(round_.size());
  for (const Turn& turn : round_) {
    const SampledCorners& corners = turn.part.corners;
    const Vec3 middle = MiddleOf(corners);
    double limit = kInfinity;
    for (const DistanceSample& corner : corners) {
      // Distances differ by at most the distance of the two points.
      limit = std::min(limit, RoundedUp(RoundedUp(corner.distance) +
                                        LengthAtMost(middle - corner.point)));
    }
    queries_.push_back({middle, limit, goal_.known});
  }
}

double FarthestSearch::ErrorOfMiddle(const SubTriangle& part) const {
  return RoundedUp(part.error + RoundingWithin(part.reach));
}

absl::Status FarthestSearch::MeasureMiddles() {
  absl::Status status = target_.Measure(queries_, samples_);
  if (!status.ok()) return status;
  status = target_.Together([&] {
    promising_.clear();
    queries_.clear();
    for (size_t n = 0; n < round_.size(); ++n) {
      const SubTriangle& part = round_[n].part;
      if (samples_[n].known == Known::kExactly) {
        Witness(part.id, samples_[n], ErrorOfMiddle(part));
      } else if (IsPromising(samples_[n], ErrorOfMiddle(part))) {
        promising_.push_back(n);
      }
    }
    return absl::OkStatus();
  });
  return status.ok() && !promising_.empty() ? MeasurePromising() : status;
}

absl::Status FarthestSearch::MeasurePromising() {
  std::vector<DistanceSample> exact;
  absl::Status status = target_.Together([&] {
    for (const size_t n : promising_) {
      queries_.push_back({samples_[n].point, RoundedUp(samples_[n].distance)});
    }
    exact.resize(promising_.size());
    return absl::OkStatus();
  });
  if (status.ok()) status = target_.Measure(queries_, exact);
  if (!status.ok()) return status;
  return target_.Together([&] {
    for (size_t i = 0; i < promising_.size(); ++i) {
      const SubTriangle& part = round_[promising_[i]].part;
      Witness(part.id, exact[i], ErrorOfMiddle(part));
    }
    return absl::OkStatus();
  });
}

bool FarthestSearch::IsSlackTiny(double reach) const {
  return goal_.Slack(best_.lower) <= 0x1p-36 * reach;
}

void FarthestSearch::CutAll(const Workers& workers) {
  // A part takes a microsecond.
  constexpr size_t kGrain = 16;
  workers.For(round_.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) {
      Turn& turn = round_[n];
      Cut(samples_[n], turn);
      for (size_t i = 0; i < turn.count; ++i) {
        // For kNearly, BoundByCorners is skipped. It rarely gives a lower bound
        // here, because no remaining corner is among the farthest.
        const double upper =
            goal_.known == Known::kNearly
                ? RoughBound(turn.left[i])
                : BoundByCorners(turn.left[i], turn.error, turn.part.upper);
        turn.left_upper[i] =
            turn.error == 0 ? upper : RoundedUp(upper + turn.error);
      }
    }
  });
}

void FarthestSearch::Cut(const DistanceSample& near, Turn& turn) const {
  const SubTriangle& part = turn.part;
  const uint64_t id = near.triangle;
  turn.count = 0;
  if (IsSlackTiny(part.reach)) {
    const double enough = GoodEnough() - part.error;
    turn.upper = 0;
    for (const DistanceSample& corner : part.corners) {
      turn.upper = std::max(turn.upper, DistanceFrom(corner, id, enough));
    }
    if (turn.upper > enough) return Halve(near, turn);
    if (part.error != 0) turn.upper = RoundedUp(turn.upper + part.error);
    return;
  }
  turn.error = RoundedUp(part.error + RoundingWithin(part.reach));
  const double enough = std::nextafter(GoodEnough() - turn.error, -kInfinity);
  const Triangle triangle = target_.TriangleOf(id);
  CutAway cut(triangle, id, enough);
  if (!cut.From(part.corners, near.point)) return Halve(near, turn);
  // Without a cut, no new point was computed.
  turn.upper = cut.upper() > enough ? GoodEnough()
               : part.error == 0    ? cut.upper()
                                    : RoundedUp(cut.upper() + part.error);
  turn.count = cut.left().size();
  std::copy(cut.left().begin(), cut.left().end(), turn.left.begin());
}

void FarthestSearch::Halve(const DistanceSample& near, Turn& turn) const {
  const SubTriangle& part = turn.part;
  std::array<double, 3> lengths;
  const size_t i = LongestEdge(part.corners, lengths);
  const size_t k = (i + 1) % 3;
  const Vec3& p = part.corners[i].point;
  const Vec3& q = part.corners[k].point;
  Vec3 middle;
  const bool is_exact = Halfway(p, q, &middle);
  turn.count = 0;
  turn.upper = 0;
  if (middle == p || middle == q) {
    turn.upper = part.upper;  // too small to be halved
    return;
  }
  turn.error = is_exact ? part.error
                        : RoundedUp(part.error + RoundingWithin(part.reach));
  const uint64_t id = near.triangle;
  const double distance =
      PlainDistanceOf(middle, target_.TriangleOf(id)).distance;
  turn.count = 2;
  turn.left[0] = turn.left[1] = part.corners;
  turn.left[0][i] = turn.left[1][k] = {middle, distance, id, Known::kAtMost};
}

void FarthestSearch::KeepWhatIsLeft() {
  // After this many rounds of pieces, parts in the heap have higher bounds.
  constexpr int kGenerations = 6;
  const bool waits = round_.size() < kFew || ++generation_ > kGenerations ||
                     parts_counted_ >= goal_.max_parts;
  for (const Turn& turn : round_) {
    SubTriangle part = turn.part;
    // The bound of a piece is at most that of the whole part.
    AddSettled(std::min(turn.upper, part.upper));
    if (turn.count > 2) parts_counted_ += turn.count - 2;
    part.error = turn.error;
    for (size_t i = 0; i < turn.count; ++i) {
      part.upper = std::min(turn.left_upper[i], turn.part.upper);
      part.corners = turn.left[i];
      if (waits || part.upper <= GoodEnough()) {
        Keep(part);
      } else {
        next_.push_back(part);
      }
    }
  }
}

absl::Status FarthestSearch::Run(const FarthestRun& run) {
  const auto gap = [this] {
    return queue_.empty() ? 0 : queue_.top().upper - GoodEnough();
  };
  const double first_gap = gap();
  double done = 0;
  while (true) {
    absl::Status status = target_.Together([&] {
      StartRound();
      CollectMiddles();
      if (run.cancelled != nullptr && *run.cancelled) {
        return Execution::Cancelled();
      }
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    if (round_size_ == 0) break;
    status = MeasureMiddles();
    if (!status.ok()) return status;
    status = target_.Together([&] {
      CutAll(*run.workers);
      KeepWhatIsLeft();
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    // The parts in next_ are not in the queue.
    if (run.progress && first_gap < kInfinity && next_.empty()) {
      done = std::max(done, 1 - std::max(0.0, gap()) / first_gap);
      run.progress(done);
    }
  }
  if (!queue_.empty()) AddSettled(queue_.top().upper);
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
