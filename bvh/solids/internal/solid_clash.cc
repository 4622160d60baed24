// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/solid_clash.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/internal/boundary_triangle.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/bvh/solids/internal/ball_search.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {
namespace {

// A region that exceeds the tolerance by less than this may count as either.
constexpr double kBand = 0x1p-11;

double ToleranceOf(const ClashOptions& options) {
  return options.tolerance > 0 ? options.tolerance : 0;
}

// Returns the gap of two boxes along the axis where it is largest. A negative
// gap is the thickness of the common box.
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
  // Searches for a ball that is thicker than the tolerance. Returns true if
  // there is one, or if the search gives up: an undecided pair counts as a
  // clash.
  bool IsThicker(BallSearch search, std::optional<Sphere>* ball) const;
  bool HasMoreOutside(const Solid& a, const Solid& b) const {
    return IsThickerWithoutWalls(BallSearch::FirstOutsideSecond, a, b, nullptr);
  }
  bool IsThickerWithoutWalls(BallSearch (*make)(const Solid&, const Solid&),
                             const Solid& a, const Solid& b,
                             std::optional<Sphere>* ball) const {
    BallSearch search = make(a, b);
    // Walls make balls smaller, so a ball that is found is certain.
    const std::optional<Sphere> guess =
        search.Guess(RadiusOf(search), kBand, run_);
    if (ball != nullptr) *ball = guess;
    if (guess) return true;
    // If a wall of one solid stops a ball inside both, the wall is inside the
    // other solid.
    const bool is_shared = make == BallSearch::Shared;
    if (a.HasWallsNear(search.box(), is_shared ? &b : nullptr) ||
        b.HasWallsNear(search.box(), is_shared ? &a : nullptr)) {
      return IsThicker(make(a.WithoutWalls(), b.WithoutWalls()), ball);
    }
    return IsThicker(std::move(search), ball);
  }
  double RadiusOf(const BallSearch& search) const {
    return std::max(ToleranceOf(options_) / 2, search.LeastRadius());
  }
  // Returns true if the surfaces are within the tolerance of each other,
  // closed holes included.
  bool IsNear() {
    if (!is_near_) {
      is_near_ =
          AnyWithin(a_.posed(), b_.posed(), ToleranceOf(options_), Alone());
    }
    return *is_near_;
  }
  // Returns IsNear() for the surfaces without what closes their holes.
  bool IsOpenNear() {
    if (a_.closed_holes() + b_.closed_holes() == 0) return IsNear();
    return AnyWithin(a_.open_posed(), b_.open_posed(), ToleranceOf(options_),
                     Alone());
  }
  std::optional<Sphere> JudgeSolids(Clash* clash);
  std::optional<Sphere> JudgeSheet(const Solid& sheet, const Solid& solid,
                                   ClashKind inside, Clash* clash) const;
  void JudgeGap(Clash* clash);
  void Measure(const std::optional<Sphere>& ball, Clash* clash) const;

  QueryOptions Alone() const { return run_.Alone(); }

  const Solid& a_;
  const Solid& b_;
  const ClashOptions& options_;
  const Execution run_;
  std::optional<bool> is_near_;
};

bool PairJudge::IsThicker(BallSearch search,
                          std::optional<Sphere>* ball) const {
  const BallFound found = search.Find(RadiusOf(search), kBand, run_);
  if (ball != nullptr) *ball = found.ball;
  return found.ball.has_value() || !found.is_certain;
}

// Tests whether a component of the first is inside the second. Requires that
// the surfaces do not touch.
bool HasComponentInside(const Solid& a, const Solid& b, const Execution& run) {
  const Aabb& bounds = b.bounds();
  const MeshComponents components = mesh_internal::MeshAccess::ComponentsOf(
      a.posed().tree().mesh(), Workers(1, PollOf(run)));
  for (const uint32_t first : components.first_triangles()) {
    const Vec3 p = a.posed().triangle(first).a;
    if (Overlap({p, p}, bounds) && b.IsInside(p)) return true;
  }
  return false;
}

// A triangle whatever corner it begins with.
struct OrderedTriangle {
  std::array<std::array<double, 3>, 3> corners;  // ascending
  bool is_turned;  // if that order turns the triangle over

  friend auto operator<=>(const OrderedTriangle&,
                          const OrderedTriangle&) = default;
};

std::vector<OrderedTriangle> OrderedTriangles(const Solid& solid) {
  std::vector<OrderedTriangle> ordered;
  for (const TriangleIndices& t : solid.posed().tree().mesh().triangles()) {
    OrderedTriangle triangle{.corners = {}, .is_turned = false};
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 corner = solid.vertex(t[k]);
      triangle.corners[k] = {corner.x, corner.y, corner.z};
    }
    for (const size_t k : {0, 1, 0}) {
      if (triangle.corners[k + 1] < triangle.corners[k]) {
        std::swap(triangle.corners[k], triangle.corners[k + 1]);
        triangle.is_turned = !triangle.is_turned;
      }
    }
    ordered.push_back(triangle);
  }
  std::sort(ordered.begin(), ordered.end());
  return ordered;
}

// Tests whether the solids have the same triangles in any order, and all of
// them face the same way in both, or all the other way. Then each winding
// number of one solid is that of the other, or its negative.
bool HaveEqualTriangles(const Solid& a, const Solid& b) {
  if (!(a.bounds().lo == b.bounds().lo && a.bounds().hi == b.bounds().hi) ||
      a.posed().tree().mesh().triangle_count() !=
          b.posed().tree().mesh().triangle_count()) {
    return false;
  }
  const std::vector<OrderedTriangle> x = OrderedTriangles(a);
  const std::vector<OrderedTriangle> y = OrderedTriangles(b);
  size_t alike = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i].corners != y[i].corners) return false;
    alike += x[i].is_turned == y[i].is_turned ? 1 : 0;
  }
  return alike == 0 || alike == x.size();
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
  const auto is_plain = [](const Solid& solid) {
    return solid.surface().left_out().empty() &&
           &solid.WithoutWalls() == &solid;
  };
  return is_plain(a) && is_plain(b);
}

// A copy needs no search for a part of one solid outside of the other, which
// may give up where walls are.
bool IsCopy(const Solid& a, const Solid& b, double distance) {
  return HaveNearTriangles(a, b, distance) || HaveEqualTriangles(a, b);
}

// Classifies two closed meshes. kApart if they do not share more than the
// tolerance.
std::optional<Sphere> PairJudge::JudgeSolids(Clash* clash) {
  const double thinnest = -GapAlongAxes(a_.bounds(), b_.bounds());
  if (thinnest <= ToleranceOf(options_)) return std::nullopt;
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
  const bool is_copy = IsCopy(a_, b_, RadiusOf(BallSearch::Shared(a_, b_)) / 2);
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
                                            ClashKind inside,
                                            Clash* clash) const {
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
      IsThicker(BallSearch::OnSheetOutside(sheet, solid), nullptr);
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
  clash->gap = ClosestPair(a_.open_posed(), b_.open_posed(),
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
    QueryOptions alone = Alone();
    alone.inside = options_.inside;
    clash->depth = PenetrationOf(a_.posed(), b_.posed(), alone);
  }
  if (options_.gap && !clash->gap) {
    clash->gap = ClosestPair(a_.open_posed(), b_.open_posed(),
                             run_.Alone<ClosestPairOptions>());
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
  clash.closed_holes = {a_.closed_holes(), b_.closed_holes()};
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
