// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/solid_clash.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/solids/internal/ball_search.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {
namespace {

// A region that exceeds the tolerance by less than this may count as either.
constexpr double kBand = 0x1p-11;

double ToleranceOf(const ClashOptions& options) {
  return options.tolerance > 0 ? options.tolerance : 0;
}

// Returns the shortest way along an axis by which the boxes of two solids part.
// Not positive if they have no common interior.
double WayApart(const Solid& a, const Solid& b) {
  return -MaxCoordinate(
      Max(a.bounds().lo - b.bounds().hi, b.bounds().lo - a.bounds().hi));
}

class PairJudge {
 public:
  PairJudge(const Solid& a, const Solid& b, const ClashOptions& options,
            const Execution& run)
      : a_(a), b_(b), options_(options), run_(run) {}

  Clash Judge();

 private:
  using MakeSearch = BallSearch (*)(const Solid&, const Solid&);

  // Searches for a ball that is thicker than the tolerance. If the search gives
  // up, exact arithmetic may decide. If that does not, either, the result is
  // true, and the pair is undecided.
  bool IsThicker(MakeSearch make, const Solid& a, const Solid& b,
                 std::optional<Sphere>* ball);
  bool IsThickerWithoutWalls(MakeSearch make, const Solid& a, const Solid& b,
                             std::optional<Sphere>* ball);
  bool HasMoreOutside(const Solid& a, const Solid& b) {
    return IsThickerWithoutWalls(BallSearch::FirstOutsideSecond, a, b, nullptr);
  }
  double RadiusOf(const BallSearch& search) const {
    return std::max(ToleranceOf(options_) / 2, search.LeastRadius());
  }
  // Returns true if the surfaces are within the tolerance of each other,
  // closed holes included.
  bool IsNear() {
    if (!is_near_) {
      is_near_ = AreNear(a_.posed(), b_.posed());
    }
    return *is_near_;
  }
  // Returns IsNear() for the surfaces without what closes their holes.
  bool IsOpenNear() {
    if (a_.closed_holes() + b_.closed_holes() == 0) return IsNear();
    return AreNear(a_.open_posed(), b_.open_posed());
  }
  bool AreNear(const PosedTree& a, const PosedTree& b) const {
    return IsAnyWithin({a, b}, ToleranceOf(options_), run_);
  }
  std::optional<Sphere> JudgeSolids(Clash* clash);
  std::optional<Sphere> JudgeSheet(const Solid& sheet, const Solid& solid,
                                   ClashKind inside, Clash* clash);
  void JudgeGap(Clash* clash);
  void Measure(const std::optional<Sphere>& ball, Clash* clash) const;

  const Solid& a_;
  const Solid& b_;
  const ClashOptions& options_;
  const Execution run_;
  std::optional<bool> is_near_;
  // Radius that no ball inside both solids exceeds, by the last search that
  // found none; 0 if there was no search.
  double excluded_ = 0;
  bool is_undecided_ = false;
};

bool PairJudge::IsThicker(MakeSearch make, const Solid& a, const Solid& b,
                          std::optional<Sphere>* ball) {
  const size_t count = a.triangle_count() + b.triangle_count();
  // Returns nothing if the search gives up.
  const auto find = [&](size_t most_patches) -> std::optional<bool> {
    BallSearch search = make(a, b);
    const BallFound found =
        search.Find(RadiusOf(search), kBand, run_, most_patches);
    if (ball != nullptr) *ball = found.ball;
    if (!found.ball && !found.is_certain) return std::nullopt;
    if (make == BallSearch::Shared && !found.ball) {
      excluded_ = search.Excluded(RadiusOf(search), kBand);
    }
    return found.ball.has_value();
  };
  // Most searches that end at all end within this many patches.
  if (const std::optional<bool> found =
          find(std::min(BallSearch::kMostPatches, 2'000 + 8 * count))) {
    return *found;
  }
  if (AreSmallForExact(a, b)) {
    if (make == BallSearch::FirstOutsideSecond && IsContained(a, b, run_)) {
      return false;
    }
    if (make == BallSearch::Shared) {
      const bool is_any = !HaveApartInteriors(a, b, run_);
      if (!is_any || ToleranceOf(options_) == 0) return is_any;
    }
  }
  const std::optional<bool> found = find(BallSearch::kMostPatches);
  is_undecided_ = is_undecided_ || !found;
  return found.value_or(true);
}

bool PairJudge::IsThickerWithoutWalls(MakeSearch make, const Solid& a,
                                      const Solid& b,
                                      std::optional<Sphere>* ball) {
  BallSearch search = make(a, b);
  // Walls make balls smaller, so a ball that is found is certain.
  const std::optional<Sphere> guess =
      search.Guess(RadiusOf(search), kBand, run_);
  if (ball != nullptr) *ball = guess;
  if (guess) return true;
  // If a wall of one solid stops a ball inside both, the wall is inside the
  // other solid.
  const bool is_shared = make == BallSearch::Shared;
  const bool has_walls =
      a.HasWallsNear(search.box(), is_shared ? &b : nullptr) ||
      b.HasWallsNear(search.box(), is_shared ? &a : nullptr);
  return has_walls ? IsThicker(make, a.WithoutWalls(), b.WithoutWalls(), ball)
                   : IsThicker(make, a, b, ball);
}

// Tests whether a component of the first is inside the second. Requires that
// the surfaces do not touch.
bool HasComponentInside(const Solid& a, const Solid& b, const Execution& run) {
  const MeshComponents components = mesh_internal::MeshAccess::ComponentsOf(
      a.posed().tree().mesh(), Workers(1, PollOf(run)));
  for (const uint32_t first : components.first_triangles()) {
    const Vec3 p = a.posed().triangle(first).a;
    if (Contains(b.bounds(), p) && b.IsInside(p)) return true;
  }
  return false;
}

// Tests whether the solids have the same triangles in the same order, with
// corners no farther apart than `distance`. Then a point deeper than that in
// one of them is in the other: while the corners move from one solid to the
// other, no triangle passes the point, so its winding number does not change. A
// wall could part, so the result is false for solids with walls or with
// triangles that are left out.
bool HaveNearTriangles(const Solid& a, const Solid& b, double distance) {
  const std::span<const TriangleIndices> triangles =
      a.posed().tree().mesh().triangles();
  const std::span<const TriangleIndices> others =
      b.posed().tree().mesh().triangles();
  if (!std::equal(triangles.begin(), triangles.end(), others.begin(),
                  others.end())) {
    return false;
  }
  for (const TriangleIndices& t : triangles) {
    for (const uint32_t v : t) {
      if (!(Norm(a.vertex(v) - b.vertex(v)) <= distance)) return false;
    }
  }
  return a.IsPlain() && b.IsPlain();
}

// Classifies two closed meshes. kApart if they do not share more than the
// tolerance.
std::optional<Sphere> PairJudge::JudgeSolids(Clash* clash) {
  if (WayApart(a_, b_) <= ToleranceOf(options_)) return std::nullopt;
  if (!IsNear() && !HasComponentInside(a_, b_, run_) &&
      !HasComponentInside(b_, a_, run_)) {
    return std::nullopt;
  }
  std::optional<Sphere> ball;
  const bool is_exact = options_.exact && ToleranceOf(options_) == 0;
  const bool is_thicker =
      IsThickerWithoutWalls(BallSearch::Shared, a_, b_, &ball);
  if (is_exact && !ball ? !AnyInteriorOverlap(a_, b_, run_) : !is_thicker) {
    return std::nullopt;
  }
  // A copy needs no search for more of one solid outside of the other.
  const bool is_copy =
      HaveNearTriangles(a_, b_, RadiusOf(BallSearch::Shared(a_, b_)) / 2);
  const bool has_a = !is_copy && HasMoreOutside(a_, b_);
  const bool has_b = !is_copy && HasMoreOutside(b_, a_);
  clash->kind = has_a
                    ? (has_b ? ClashKind::kClash : ClashKind::kSecondInside)
                    : (has_b ? ClashKind::kFirstInside : ClashKind::kDuplicate);
  return ball;
}

// Classifies an open mesh and a closed one.
std::optional<Sphere> PairJudge::JudgeSheet(const Solid& sheet,
                                            const Solid& solid,
                                            ClashKind inside, Clash* clash) {
  std::optional<Sphere> ball;
  if (!IsThickerWithoutWalls(BallSearch::OnSheetInside, sheet, solid, &ball)) {
    return std::nullopt;
  }
  // A vertex beyond the solid's bounds is outside.
  const double beyond =
      MaxCoordinate(Max(sheet.bounds().hi - solid.bounds().hi,
                        solid.bounds().lo - sheet.bounds().lo));
  const bool sticks_out =
      beyond > ToleranceOf(options_) * (0.5 + kBand) +
                   0x1p-30 * MagnitudeOf(solid.bounds()) ||
      IsThicker(BallSearch::OnSheetOutside, sheet, solid, nullptr);
  clash->kind = sticks_out ? ClashKind::kCrossing : inside;
  return ball;
}

void PairJudge::JudgeGap(Clash* clash) {
  const double reach = ReachOf(options_);
  if (IsOpenNear()) {
    clash->kind = a_.is_closed() || b_.is_closed() ? ClashKind::kTouch
                                                   : ClashKind::kCrossing;
    return;
  }
  if (!(options_.clearance > ToleranceOf(options_))) return;
  clash->gap = FindClosestPair(a_.open_posed(), b_.open_posed(),
                               {.max_distance = reach}, run_);
  if (clash->gap) clash->kind = ClashKind::kClearance;
}

void PairJudge::Measure(const std::optional<Sphere>& ball, Clash* clash) const {
  const bool are_closed = a_.is_closed() && b_.is_closed();
  const double thinnest = std::max(0.0, WayApart(a_, b_));
  if (are_closed) {
    clash->thickness.upper =
        IsClash(clash->kind)
            ? thinnest
            : std::min(thinnest,
                       std::max(ToleranceOf(options_) * (1 + 2 * kBand),
                                2 * excluded_));
  }
  if (ball) {
    clash->thickness.lower = 2 * ball->radius;
    clash->thickness.upper =
        std::max(clash->thickness.upper, clash->thickness.lower);
    clash->center = ball->center;
  }
  // The tolerance bounds the thickness of solids that touch.
  const bool is_measured = are_closed && IsClash(clash->kind);
  if (is_measured && options_.thickness) {
    const SharedThickness measured = ThicknessOfSolids(
        a_.WithoutWalls(), b_.WithoutWalls(), options_.error, run_, ball);
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
  if (options_.depth && IsClash(clash->kind)) {
    const auto alone = run_.Alone<RunOptions>();
    clash->depth = FindPenetration(a_.posed(), b_.posed(), options_.inside,
                                   Execution(alone));
  }
  if (options_.gap && !clash->gap) {
    clash->gap = FindClosestPair(a_.open_posed(), b_.open_posed(), {}, run_);
  }
  if (clash->thickness.lower == 0 && clash->gap) {
    clash->center = clash->gap->on_a;
  }
}

Clash PairJudge::Judge() {
  Clash clash;
  clash.closed_holes = {a_.closed_holes(), b_.closed_holes()};
  if (AxisGap(a_.bounds(), b_.bounds()) > ReachOf(options_)) return clash;
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
  clash.is_undecided = is_undecided_;
  return clash;
}

}  // namespace

double ReachOf(const ClashOptions& options) {
  const double t = ToleranceOf(options);
  return options.clearance > t ? options.clearance : t;
}

Clash ClashOfSolids(const Solid& a, const Solid& b, const ClashOptions& options,
                    const Execution& run) {
  return PairJudge(a, b, options, run).Judge();
}

}  // namespace orbox
