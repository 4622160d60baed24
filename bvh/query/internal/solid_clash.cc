// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/solid_clash.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/internal/ball_search.h"
#include "orbox/bvh/query/internal/local_solid.h"
#include "orbox/bvh/query/internal/region_pair.h"
#include "orbox/bvh/query/internal/sheet_cover.h"
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

// Whether a ball inside the solid is found at once, outside of the bounds of
// another: a little below the middle of the triangle that is farthest beyond
// them.
bool HoldsBallBeyond(const Solid& solid, const Aabb& bounds, double radius) {
  const Vec3 above = solid.bounds().hi - bounds.hi;
  const Vec3 below = bounds.lo - solid.bounds().lo;
  const double most = MaxCoordinate(Max(above, below));
  if (!(most > 2 * radius)) return false;
  size_t axis = 0;
  while (above[axis] != most && below[axis] != most) ++axis;
  const double sign = above[axis] == most ? 1 : -1;
  const BoxedTriangles& all = solid.boundary();
  size_t farthest = 0;
  double height = -kInfinity;
  for (size_t i = 0; i < all.boxes.size(); ++i) {
    const double h = sign * (all.boxes[i].lo[axis] + all.boxes[i].hi[axis]);
    if (h > height) {
      height = h;
      farthest = i;
    }
  }
  const Triangle& t = all.triangles[farthest];
  const Vec3 n = DirectionOf(Cross(t.b - t.a, t.c - t.a));
  const Vec3 middle = t.a + ((t.b - t.a) + (t.c - t.a)) * (1.0 / 3);
  // Beside what is rounded, a 32nd of the radius is much.
  const double reach = radius * (1 + 0x1p-5);
  for (const double side : {-1.0, 1.0}) {
    const Vec3 center = middle + n * (side * reach);
    if (!(sign * (center[axis] - (sign > 0 ? bounds.hi : bounds.lo)[axis]) >
          reach)) {
      continue;
    }
    const Vec3 half{reach, reach, reach};
    const LocalSolid near(Frame::At(center), all, {-half, half},
                          Sense::kInside);
    if (!near.IsInside({})) continue;
    const double needed = radius * (1 + 0x1p-6) + near.error();
    if (!(needed < reach)) continue;
    const auto is_clear = [&](const BoundaryTriangle& b) {
      return b.DistanceFrom({}) > needed;
    };
    const auto& triangles = near.triangles();
    if (std::all_of(triangles.begin(), triangles.end(), is_clear)) return true;
  }
  return false;
}

class PairJudge {
 public:
  PairJudge(const Solid& a, const Solid& b, const ClashOptions& options)
      : a_(a), b_(b), options_(options), run_(options) {}

  Clash Judge();

 private:
  // Whether a ball that is thicker than the tolerance is found. Where a search
  // gives up, what is not known not to clash does.
  bool IsThicker(const RegionPair& pair, std::optional<Sphere>* ball) const;
  bool IsSheetDeep(const Solid& sheet, const Solid& solid, Sense sense,
                   std::optional<Sphere>* ball) const;
  // For a ball that is thicker than the tolerance.
  BallFound Ask(const RegionPair& pair, BallSearch::Centers centers,
                size_t most_cells) const;
  bool HasMoreOutside(const Solid& a, const Solid& b) const {
    // No less than what the search looks for.
    const double radius = std::max(
        ToleranceOf(options_) / 2,
        0x1p-30 * std::max(MagnitudeOf(a.bounds()), MagnitudeOf(b.bounds())));
    if (HoldsBallBeyond(a, b.bounds(), radius)) return true;
    return IsThicker(RegionPair::FirstOutsideSecond(a, b), nullptr);
  }
  bool IsNear() const {
    return AnyWithin(a_.posed(), b_.posed(), ToleranceOf(options_), Alone());
  }
  std::optional<Sphere> JudgeSolids(Clash* clash) const;
  std::optional<Sphere> JudgeSheet(const Solid& sheet, const Solid& solid,
                                   ClashKind inside, Clash* clash) const;
  void JudgeGap(Clash* clash) const;
  void Measure(const std::optional<Sphere>& ball, Clash* clash) const;

  QueryOptions Alone() const { return run_.Alone(); }

  const Solid& a_;
  const Solid& b_;
  const ClashOptions& options_;
  const Execution run_;
};

BallFound PairJudge::Ask(const RegionPair& pair, BallSearch::Centers centers,
                         size_t most_cells) const {
  if (!pair.has_region()) return {};
  const BallSearch search(pair, centers);
  const double radius =
      std::max(ToleranceOf(options_) / 2, BallSearch::LeastRadius(pair));
  return search.Find(radius, kBand, run_, most_cells);
}

bool PairJudge::IsThicker(const RegionPair& pair,
                          std::optional<Sphere>* ball) const {
  BallFound found =
      Ask(pair, BallSearch::Centers::kAnywhere, BallSearch::kMostCells);
  const bool is_thicker = found.ball.has_value() || !found.is_certain;
  if (ball != nullptr) *ball = std::move(found.ball);
  return is_thicker;
}

// Judges two closed meshes. kApart where they do not share more than the
// tolerance.
std::optional<Sphere> PairJudge::JudgeSolids(Clash* clash) const {
  const double thinnest = -GapAlongAxes(a_.bounds(), b_.bounds());
  if (thinnest <= ToleranceOf(options_)) return std::nullopt;
  std::optional<Sphere> ball;
  const bool is_exact = options_.exact && ToleranceOf(options_) == 0;
  const bool is_thicker = IsThicker(RegionPair::Shared(a_, b_), &ball);
  if (is_exact && !ball ? !AnyInteriorOverlap(a_, b_, run_) : !is_thicker) {
    return std::nullopt;
  }
  const bool are_equal = a_.boundary().triangles == b_.boundary().triangles;
  const bool has_a = !are_equal && HasMoreOutside(a_, b_);
  const bool has_b = !are_equal && HasMoreOutside(b_, a_);
  clash->kind = has_a
                    ? (has_b ? ClashKind::kClash : ClashKind::kSecondInside)
                    : (has_b ? ClashKind::kFirstInside : ClashKind::kDuplicate);
  return ball;
}

// Whether a point of the sheet is deep in the solid, or far outside of it.
bool PairJudge::IsSheetDeep(const Solid& sheet, const Solid& solid, Sense sense,
                            std::optional<Sphere>* ball) const {
  const auto ask = [&](const BoxedTriangles& surface, size_t most_cells) {
    return Ask(sense == Sense::kInside
                   ? RegionPair::OnFirstInSecond(surface, solid)
                   : RegionPair::OnFirstOutsideSecond(surface, solid),
               BallSearch::Centers::kOnFirstSurface, most_cells);
  };
  // Some cells are enough, unless the sheet lies on the solid.
  constexpr size_t kSomeCells = 64;
  BallFound found = ask(sheet.boundary(), kSomeCells);
  if (!found.ball && !found.is_certain) {
    // No more than what the search looks for.
    const double radius = std::max(ToleranceOf(options_) / 2,
                                   0x1p-40 * MagnitudeOf(solid.bounds()));
    const BoxedTriangles away =
        PartsAwayFrom(sheet.boundary(), solid.boundary(), radius);
    if (away.triangles.empty()) return false;
    found = ask(away, BallSearch::kMostCells);
  }
  *ball = found.ball;
  return found.ball || !found.is_certain;
}

// An open mesh and a closed one.
std::optional<Sphere> PairJudge::JudgeSheet(const Solid& sheet,
                                            const Solid& solid,
                                            ClashKind inside,
                                            Clash* clash) const {
  std::optional<Sphere> ball;
  if (!IsSheetDeep(sheet, solid, Sense::kInside, &ball)) return std::nullopt;
  // A vertex that is beyond the solid's bounds is outside of it.
  const double beyond =
      MaxCoordinate(Max(sheet.bounds().hi - solid.bounds().hi,
                        solid.bounds().lo - sheet.bounds().lo));
  std::optional<Sphere> outside;
  const bool sticks_out = beyond > ToleranceOf(options_) * (0.5 + kBand) +
                                       0x1p-30 * MagnitudeOf(solid.bounds()) ||
                          IsSheetDeep(sheet, solid, Sense::kOutside, &outside);
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
                           run_.Alone<ClosestPairOptions>(reach));
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
  // What touches is bounded by the tolerance.
  const bool is_measured = are_closed && IsClash(clash->kind);
  if (is_measured && options_.thickness) {
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
  if (is_measured && options_.volume) {
    clash->volume = VolumeOfSolids(a_, b_, options_.error, run_);
  }
  if (options_.gap && !clash->gap) {
    clash->gap =
        ClosestPair(a_.posed(), b_.posed(), run_.Alone<ClosestPairOptions>());
  }
  if (clash->thickness.lower == 0 && clash->gap) {
    clash->center = clash->gap->on_a;
  }
}

Clash PairJudge::Judge() {
  Clash clash;
  run_.RequireValid();
  if (GapAlongAxes(a_.bounds(), b_.bounds()) > ReachOf(options_)) {
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
