// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/time_of_contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/motion/internal/approach.h"
#include "orbox/bvh/motion/internal/profile_filter.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

double DiagonalOf(const MovingTree& m) {
  const Aabb& box = m.tree().mesh().bounds();
  // The scale of the start pose is uniform.
  return SafeNorm(box.hi - box.lo) * SafeNorm(m.motion().start.rows[0]);
}

bool MoveAsOne(const RigidMotion& a, const RigidMotion& b) {
  return a.translation == b.translation && a.angle == b.angle &&
         (a.angle == 0 || (a.axis == b.axis && a.center == b.center));
}

double SizeOf(const Triangle& t) {
  const Aabb box = BoundsOf(t);
  return SafeNorm(box.hi - box.lo);
}

// Two bodies, and their state as time advances.
class Advancement {
 public:
  Advancement(const MovingTree& a, const MovingTree& b,
              const TimeOfContactOptions& options, const Execution& run)
      : a_(a),
        b_(b),
        progress_(run.progress(), 1),
        part_(run.PartOf(&progress_)),
        run_(part_),
        max_steps_(options.max_steps),
        size_(std::max(DiagonalOf(a), DiagonalOf(b))),
        watch_(a, b, size_) {
    error_ = (a.error() + b.error()) * kRoundedUp;
    const Vec3 apart = a.motion().translation - b.motion().translation;
    speed_ = error_ * kRoundedUp;
    // Bodies with the same motion do not approach each other.
    if (!MoveAsOne(a.motion(), b.motion())) {
      speed_ = (SafeNorm(apart) + SafeNorm(a.turn()) * a.radius() +
                SafeNorm(b.turn()) * b.radius() + error_) *
               kRoundedUp;
    }
    tolerance_ = options.tolerance > 0 ? options.tolerance : 0x1p-20 * size_;
    tolerance_ = std::max({tolerance_, 4 * error_, 0x1p-45 * speed_});
  }

  TimeOfContactResult Run();

 private:
  // The bodies, or the remaining triangles of them.
  const MovingTree& body_a() const { return subset_a_ ? subset_a_->body : a_; }
  const MovingTree& body_b() const { return subset_b_ ? subset_b_->body : b_; }

  // Removes the triangles that never touch the other body. Returns true if any
  // triangles remain.
  bool LeaveOutApart();
  // Returns the result for the whole bodies.
  TimeOfContactResult Finished();

  // Moves the meshes to time t and measures their distance.
  void Measure(const Moment& a, const Moment& b, double t);

  // Returns a lower bound of the time for which the bodies stay apart. It is at
  // least the bound that follows from their distance.
  double FreeTime(const Moment& a, const Moment& b);

  // Returns a lower bound of the time for which two triangles stay apart.
  double FreeTimeOf(const Moment& a, const Moment& b,
                    const PairDistance& pair) const;

  // Searches for a time, shortly after the bodies come close, at which they
  // overlap.
  void Confirm();
  bool MeetAt(double t) const {
    const PosedTree a = body_a().At(t);
    const PosedTree b = body_b().At(t);
    return FirstOverlap({.a = a, .b = b, .only_whether = true}, run_)
        .has_value();
  }

  ApproachBounds bounds() const { return {speed_, error_}; }

  const MovingTree& a_;
  const MovingTree& b_;
  Progress progress_;
  const RunOptions part_;
  const Execution run_;
  const int max_steps_;
  const double size_;  // the diagonal of the larger body
  SlideWatch watch_;
  double error_ = 0;
  double speed_ = 0;  // upper bound of the speed of approach of any two points
  double tolerance_ = 0;

  TimeOfContactResult result_;
  double apart_ = 0;         // lower bound of their distance
  double closing_time_ = 0;  // time until the closest triangles touch
  // Pairs up to this many times as far apart as the closest pair are examined,
  // unless there are too many of them.
  double look_ahead_ = 2;
  static constexpr int kMostPairs = 128;
  static constexpr double kMostSizes = 4;
  static constexpr double kRough = 0.25;

  std::optional<BodySubset> subset_a_;
  std::optional<BodySubset> subset_b_;
};

TimeOfContactResult Advancement::Run() {
  double t = 0;
  for (result_.steps = 1; result_.steps <= max_steps_; ++result_.steps) {
    if (watch_.IsTime(result_.steps, t, apart_, result_.triangles) &&
        !LeaveOutApart()) {
      result_.outcome = MotionOutcome::kApart;
      result_.earliest = 1;
      return result_;
    }
    run_.CheckCancelled();
    progress_.Reach(t);
    const Moment a(body_a(), t);
    const Moment b(body_b(), t);
    Measure(a, b, t);
    if (apart_ <= tolerance_) {
      closing_time_ = FreeTimeOf(a, b, {result_.triangles, apart_});
      Confirm();
      return Finished();
    }
    const double free = FreeTime(a, b);
    if (free * kRoundedDown > 1 - t) {
      result_.outcome = MotionOutcome::kApart;
      result_.earliest = 1;
      return Finished();
    }
    // The tolerance guarantees steps that are long enough to change t.
    t = std::min(1.0, std::nextafter(t + free * kRoundedDown, 0));
    result_.earliest = t;
  }
  --result_.steps;
  result_.outcome = MotionOutcome::kUndecided;
  return Finished();
}

bool Advancement::LeaveOutApart() {
  std::optional<ProfileNeighbors> near = ProfileNeighborsOf(a_, b_);
  if (!near) return true;
  if (near->of_a.empty() || near->of_b.empty()) return false;
  if (near->of_a.size() == a_.tree().mesh().triangle_count() &&
      near->of_b.size() == b_.tree().mesh().triangle_count()) {
    return true;
  }
  auto subset_a = BodySubset::Of(a_, std::move(near->of_a));
  auto subset_b = BodySubset::Of(b_, std::move(near->of_b));
  if (subset_a && subset_b) {
    subset_a_ = std::move(subset_a);
    subset_b_ = std::move(subset_b);
  }
  return true;
}

TimeOfContactResult Advancement::Finished() {
  if (!subset_a_) return result_;
  TrianglePair& pair = result_.triangles;
  pair = {subset_a_->ids[pair.a], subset_b_->ids[pair.b]};
  const bool is_whole = result_.outcome == MotionOutcome::kContact ||
                        result_.outcome == MotionOutcome::kNear;
  if (!is_whole) return result_;
  // Triangles that were removed may be nearer, although they never touch.
  const Witness d = *FindClosestPair(
      a_.At(result_.earliest), b_.At(result_.earliest), {.guess = pair}, run_);
  result_.distance = d.distance;
  result_.triangles = d.triangles;
  result_.on_a = d.on_a;
  result_.on_b = d.on_b;
  return result_;
}

void Advancement::Measure(const Moment& a, const Moment& b, double t) {
  // If the bodies are far apart, an approximate distance is enough.
  const BoundedDistance rough =
      *FindWithError(a.posed, b.posed, {.relative = kRough}, {}, run_);
  Witness d = rough.nearest;
  apart_ = rough.lower;
  if (apart_ <= tolerance_) {
    d = *FindClosestPair(a.posed, b.posed, {.guess = d.triangles}, run_);
    apart_ = d.distance;
  }
  result_.earliest = t;
  result_.distance = d.distance;
  result_.triangles = d.triangles;
  result_.on_a = d.on_a;
  result_.on_b = d.on_b;
}

double Advancement::FreeTime(const Moment& a, const Moment& b) {
  const double least = (apart_ - error_) * kRoundedDown / speed_;
  const double left = (1 - result_.earliest) * kRoundedUp;
  const Vec3 n = DirectionOf(result_.on_b - result_.on_a);
  const double whole =
      std::max(least, FreeTimeAlong(n, a, a.box, b, b.box, bounds()));
  if (whole >= left) return whole;
  // Pairs farther away than `free` times the speed cannot touch in this time.
  double free = FreeTimeOf(a, b, {result_.triangles, result_.distance});
  const double seen = look_ahead_ * least;
  const bool is_cut = seen < std::min(free, left);
  free = std::min({free, seen, left});
  if (is_cut) look_ahead_ *= 2;
  if (free <= whole * kRoundedUp) return whole;
  const double reach = free * speed_ * kRoundedUp + error_;
  if (reach > kMostSizes * (SizeOf(a.triangle(result_.triangles.a)) +
                            SizeOf(b.triangle(result_.triangles.b)))) {
    look_ahead_ = 2;
    return whole;
  }
  int pairs = 0;
  WithinSearch(reach, run_)
      .Visit({a.posed, b.posed}, [&](const PairDistance& pair) {
        free = std::min(free, FreeTimeOf(a, b, pair));
        return free <= whole || ++pairs > kMostPairs ? Visit::kStop
                                                     : Visit::kContinue;
      });
  if (pairs <= kMostPairs) return std::max(free, whole);
  look_ahead_ = std::max(look_ahead_ / 4, 1.0);
  return whole;
}

double Advancement::FreeTimeOf(const Moment& a, const Moment& b,
                               const PairDistance& pair) const {
  const Triangle s = a.triangle(pair.triangles.a);
  const Triangle t = b.triangle(pair.triangles.b);
  const Vec3 n = WayAcross(s, t);
  const std::array<Vec3, 3> points_of_a{s.a, s.b, s.c};
  const std::array<Vec3, 3> points_of_b{t.a, t.b, t.c};
  return std::max((pair.distance - error_) * kRoundedDown / speed_,
                  FreeTimeAlong(n, a, points_of_a, b, points_of_b, bounds()));
}

void Advancement::Confirm() {
  const double t = result_.earliest;
  result_.outcome = MotionOutcome::kNear;
  result_.latest = t;
  if (result_.distance == 0) {
    result_.outcome = MotionOutcome::kContact;
    return;
  }
  // Tries steps from twice the time in which the closest triangles would touch
  // up to two thousand times that time. If the bodies only pass each other,
  // none of them leads to an overlap.
  double step = std::max({2 * closing_time_, tolerance_ / speed_, 0x1p-50});
  double apart = t;
  for (int i = 0; i < 6; ++i, step *= 4) {
    const double later = std::min(1.0, t + step);
    if (MeetAt(later)) {
      result_.outcome = MotionOutcome::kContact;
      result_.latest = later;
      break;
    }
    apart = later;
    if (later == 1) return;
  }
  if (result_.outcome != MotionOutcome::kContact) return;
  for (int i = 0; i < 10; ++i) {
    const double middle = apart + (result_.latest - apart) / 2;
    (MeetAt(middle) ? result_.latest : apart) = middle;
  }
}

}  // namespace

TimeOfContactResult TimeOfContact(const MovingTree& a, const MovingTree& b,
                                  const TimeOfContactOptions& options) {
  return Advancement(a, b, options, Execution(RunOptions())).Run();
}

absl::StatusOr<TimeOfContactResult> TimeOfContact(
    const MovingTree& a, const MovingTree& b,
    const TimeOfContactOptions& options, const RunOptions& run) {
  return WithRunOptions(run, [&](const Execution& execution) {
    return Advancement(a, b, options, execution).Run();
  });
}

}  // namespace orbox
