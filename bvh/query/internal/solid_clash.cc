// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/solid_clash.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/internal/ball_search.h"
#include "orbox/bvh/query/internal/region_pair.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// A region that exceeds the tolerance by less may count as either.
constexpr double kBand = 0x1p-11;

double ToleranceOf(const ClashOptions& options) {
  return options.tolerance > 0 ? options.tolerance : 0;
}

// How far two boxes are apart along the axis where that is most, or, negative,
// how thin what they share is.
double GapAlongAxes(const Aabb& a, const Aabb& b) {
  const Vec3 gap = Max(a.lo - b.hi, b.lo - a.hi);
  return MaxCoordinate(gap);
}

class PairJudge {
 public:
  PairJudge(const Solid& a, const Solid& b, const ClashOptions& options)
      : a_(a), b_(b), options_(options), run_(options) {}

  Clash Judge();

 private:
  // Whether a ball that is thicker than the tolerance is found. Where a search
  // gives up, what is not known not to clash does.
  bool IsThicker(const RegionPair& pair, BallSearch::Centers centers,
                 std::optional<Sphere>* ball) const;
  bool HasMoreOutside(const Solid& a, const Solid& b) const {
    return IsThicker(RegionPair::FirstOutsideSecond(a, b),
                     BallSearch::Centers::kAnywhere, nullptr);
  }
  bool IsNear() const {
    return AnyWithin(a_.posed(), b_.posed(), ToleranceOf(options_), Alone());
  }
  std::optional<Sphere> JudgeSolids(Clash* clash) const;
  std::optional<Sphere> JudgeSheet(const Solid& sheet, const Solid& solid,
                                   ClashKind inside, Clash* clash) const;
  void JudgeGap(Clash* clash) const;
  void Measure(const std::optional<Sphere>& ball, Clash* clash) const;

  QueryOptions Alone() const {
    return {.statistics = run_.statistics(), .cancelled = run_.cancelled()};
  }

  const Solid& a_;
  const Solid& b_;
  const ClashOptions& options_;
  const Execution run_;
};

bool PairJudge::IsThicker(const RegionPair& pair, BallSearch::Centers centers,
                          std::optional<Sphere>* ball) const {
  if (!pair.has_region()) return false;
  const BallSearch search(pair, centers);
  const double radius =
      std::max(ToleranceOf(options_) / 2, BallSearch::LeastRadius(pair));
  BallFound found = search.Find(radius, kBand, run_);
  const bool is_thicker = found.ball.has_value() || !found.is_certain;
  if (ball != nullptr) *ball = std::move(found.ball);
  return is_thicker;
}

// Of two closed meshes. kApart where they do not share more than the tolerance.
std::optional<Sphere> PairJudge::JudgeSolids(Clash* clash) const {
  const double thinnest = -GapAlongAxes(a_.bounds(), b_.bounds());
  if (thinnest <= ToleranceOf(options_)) return std::nullopt;
  std::optional<Sphere> ball;
  if (!IsThicker(RegionPair::Shared(a_, b_), BallSearch::Centers::kAnywhere,
                 &ball)) {
    return std::nullopt;
  }
  const bool has_a = HasMoreOutside(a_, b_);
  const bool has_b = HasMoreOutside(b_, a_);
  clash->kind = has_a
                    ? (has_b ? ClashKind::kClash : ClashKind::kSecondInside)
                    : (has_b ? ClashKind::kFirstInside : ClashKind::kDuplicate);
  return ball;
}

// An open mesh and a closed one.
std::optional<Sphere> PairJudge::JudgeSheet(const Solid& sheet,
                                            const Solid& solid,
                                            ClashKind inside,
                                            Clash* clash) const {
  std::optional<Sphere> ball;
  if (!IsThicker(RegionPair::OnFirstInSecond(sheet, solid),
                 BallSearch::Centers::kOnFirstSurface, &ball)) {
    return std::nullopt;
  }
  const bool sticks_out =
      IsThicker(RegionPair::OnFirstOutsideSecond(sheet, solid),
                BallSearch::Centers::kOnFirstSurface, nullptr);
  clash->kind = sticks_out ? ClashKind::kCrossing : inside;
  return ball;
}

void PairJudge::JudgeGap(Clash* clash) const {
  const double reach = ReachOf(options_);
  const bool is_near = IsNear();
  if (is_near) {
    clash->kind = a_.is_closed() || b_.is_closed() ? ClashKind::kTouch
                                                   : ClashKind::kCrossing;
    return;
  }
  if (!(options_.clearance > ToleranceOf(options_))) return;
  clash->gap = ClosestPair(a_.posed(), b_.posed(),
                           {.max_distance = reach,
                            .statistics = run_.statistics(),
                            .cancelled = run_.cancelled()});
  if (clash->gap) clash->kind = ClashKind::kClearance;
}

void PairJudge::Measure(const std::optional<Sphere>& ball, Clash* clash) const {
  const bool are_closed = a_.is_closed() && b_.is_closed();
  const double thinnest =
      std::max(0.0, -GapAlongAxes(a_.bounds(), b_.bounds()));
  if (are_closed) {
    clash->thickness.upper =
        IsClash(clash->kind)
            ? thinnest
            : std::min(thinnest, ToleranceOf(options_) * (1 + 2 * kBand));
  }
  if (ball) {
    clash->thickness.lower = 2 * ball->radius;
    clash->thickness.upper =
        std::max(clash->thickness.upper, clash->thickness.lower);
    clash->center = ball->center;
  }
  if (are_closed && options_.thickness && thinnest > 0) {
    const SharedThickness measured =
        ThicknessOfSolids(a_, b_, options_.error, run_);
    if (measured.thickness.lower >= clash->thickness.lower) {
      clash->thickness.lower = measured.thickness.lower;
      clash->center = measured.center;
    }
    clash->thickness.upper =
        std::max(clash->thickness.lower,
                 std::min(clash->thickness.upper, measured.thickness.upper));
  }
  if (are_closed && options_.volume) {
    clash->volume = VolumeOfSolids(a_, b_, options_.error, run_);
  }
  if (options_.gap && !clash->gap) {
    clash->gap = ClosestPair(
        a_.posed(), b_.posed(),
        {.statistics = run_.statistics(), .cancelled = run_.cancelled()});
  }
  if (clash->thickness.lower == 0 && clash->gap) {
    clash->center = clash->gap->on_a;
  }
}

Clash PairJudge::Judge() {
  Clash clash;
  if (run_.finds_nothing() ||
      GapAlongAxes(a_.bounds(), b_.bounds()) > ReachOf(options_)) {
    return clash;
  }
  std::optional<Sphere> ball;
  if (a_.is_closed() && b_.is_closed()) {
    ball = JudgeSolids(&clash);
  } else if (b_.is_closed()) {
    ball = JudgeSheet(a_, b_, ClashKind::kFirstInside, &clash);
  } else if (a_.is_closed()) {
    ball = JudgeSheet(b_, a_, ClashKind::kSecondInside, &clash);
  }
  if (clash.kind == ClashKind::kApart) JudgeGap(&clash);
  if (clash.kind != ClashKind::kApart) Measure(ball, &clash);
  return clash;
}

}  // namespace

double ReachOf(const ClashOptions& options) {
  const double t = ToleranceOf(options);
  return options.clearance > t ? options.clearance : t;
}

Clash ClashOfSolids(const Solid& a, const Solid& b,
                    const ClashOptions& options) {
  return PairJudge(a, b, options).Judge();
}

}  // namespace orbox
