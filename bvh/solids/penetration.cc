// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/penetration.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/solids/internal/convex_depth.h"
#include "orbox/bvh/solids/internal/solid_clash.h"
#include "orbox/bvh/solids/internal/way_out.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

// Each direction costs some queries. These numbers suffice for a ball.
constexpr size_t kMostFaces = 24;
constexpr size_t kMostEdges = 12;
// Includes the 26 directions of a cube and the line through the centres.
constexpr size_t kMostDirections = kMostFaces + kMostEdges + 27;
// Units of progress for sums of normals and for shortening.
constexpr size_t kMostOthers = 8;

// Unit vectors, none nearly equal to another, in a limited number.
class Directions {
 public:
  // `same`: the cosine from which two vectors count as equal.
  explicit Directions(double same) : same_(same) {}

  // Adds a unit vector. Ignores zero.
  void Add(const Vec3& d) {
    if (SquaredNorm(d) == 0) return;
    for (const Vec3& other : all_) {
      if (Dot(d, other) > same_) return;
    }
    all_.push_back(d);
  }

  // Adds the normals of the triangles in the pairs: of b, and the opposites of
  // those of a. Only normals within the cosine `near` of `center`.
  void AddFaces(const PosedTree& a, const PosedTree& b,
                std::span<const TrianglePair> pairs, const Vec3& center,
                double near) {
    for (const TrianglePair& pair : pairs) {
      for (const Vec3& d :
           {UnitNormal(b.triangle(pair.b)), -UnitNormal(a.triangle(pair.a))}) {
        if (all_.size() < kMostFaces && Dot(d, center) >= near) Add(d);
      }
    }
  }

  // Adds the directions at right angles to two edges of a pair, both ways.
  void AddEdges(const PosedTree& a, const PosedTree& b,
                std::span<const TrianglePair> pairs) {
    const size_t most = all_.size() + kMostEdges;
    for (const TrianglePair& pair : pairs) {
      const Triangle s = a.triangle(pair.a);
      const Triangle t = b.triangle(pair.b);
      for (size_t i = 0; i < 9; ++i) {
        if (all_.size() >= most) return;
        const Vec3 d =
            DirectionOf(Cross(DirectionOf(s[(i / 3 + 1) % 3] - s[i / 3]),
                              DirectionOf(t[(i + 1) % 3] - t[i % 3])));
        Add(d);
        Add(-d);
      }
    }
  }

  const std::vector<Vec3>& all() const { return all_; }

 private:
  double same_;
  std::vector<Vec3> all_;
};

// kCoarse, about 10 degrees, is for the first pass in all directions; kFine is
// a tenth of a degree.
constexpr double kCoarse = 0.985;
constexpr double kFine = 0.9999985;

Directions DirectionsOf(const PosedTree& a, const PosedTree& b,
                        std::span<const TrianglePair> pairs) {
  Directions directions(kCoarse);
  // Faces come first. If a normal is nearly along an axis, the normal is
  // better.
  directions.AddFaces(a, b, pairs, {}, 0);
  const Vec3 center_a = a.pose().Apply(a.tree().mesh().bounds().Center());
  const Vec3 center_b = b.pose().Apply(b.tree().mesh().bounds().Center());
  directions.Add(DirectionOf(center_a - center_b));
  directions.AddEdges(a, b, pairs);
  // The directions from the middle of a cube to its sides, edges, and corners.
  for (size_t i = 0; i < 27; ++i) {
    directions.Add(DirectionOf({static_cast<double>(i % 3) - 1,
                                static_cast<double>(i / 3 % 3) - 1,
                                static_cast<double>(i / 9) - 1}));
  }
  return directions;
}

// Tries directions, sums of normals, and shortened translations.
void FindWay(const PosedTree& a, const PosedTree& b,
             std::span<const TrianglePair> pairs, WayOut* way_out) {
  way_out->PushOut(pairs);
  way_out->TryDirections(DirectionsOf(a, b, pairs).all(), pairs);
  // Then directions closer to the best one.
  if (way_out->best().has_value()) {
    Directions faces(kFine);
    faces.AddFaces(a, b, pairs, DirectionOf(*way_out->best()), kCoarse);
    way_out->TryDirections(faces.all(), pairs);
  }
  way_out->Shorten();
}

// Returns a lower bound of the depth. For convex solids, also tries the
// direction of their depth.
double LowerBound(const PosedTree& a, const PosedTree& b, InsideRule inside,
                  const Execution& run, WayOut* way_out, bool* is_settled) {
  const std::optional<NearlyConvex> first = NearlyConvexOf(a);
  const std::optional<NearlyConvex> second =
      first.has_value() ? NearlyConvexOf(b) : std::nullopt;
  if (second.has_value()) {
    const ConvexDepth depth = DepthOfConvex(*first, *second);
    if (depth.direction != Vec3{}) way_out->TryPlane(depth.direction);
    constexpr double kSettled = 1e-3;
    *is_settled = way_out->best().has_value() &&
                  SafeNorm(*way_out->best()) <= depth.lower * (1 + kSettled);
    if (depth.lower > 0) return depth.lower;
  }
  return FindThickness(a, b, {.relative = 0.05}, inside, run).thickness.lower;
}

}  // namespace

std::optional<Penetration> FindPenetration(const PosedTree& a,
                                           const PosedTree& b,
                                           InsideRule inside,
                                           const Execution& whole) {
  whole.CheckCancelled();
  // In most cases few directions are tried.
  Progress progress(whole.progress(), 2 * kMostDirections + kMostOthers);
  const RunOptions part = whole.PartOf(&progress);
  const Execution run(part);
  WayOut way_out(a, b, run, inside, progress);
  const std::vector<TrianglePair> pairs = way_out.OverlapsOf(a);
  Penetration result;
  if (pairs.empty() && way_out.IsApart(a)) {
    result.witness = *FindClosestPair(a, b, {}, run);
    progress.Finish();
    return result;
  }
  bool is_settled = false;
  const double lower = LowerBound(a, b, inside, run, &way_out, &is_settled);
  if (!is_settled) FindWay(a, b, pairs, &way_out);
  if (!way_out.best().has_value()) return std::nullopt;
  // The sum turns -0 into 0.
  result.translation = *way_out.best() + Vec3{};
  const double upper = SafeNorm(result.translation);
  result.depth = {std::min(lower, upper), upper};
  result.normal = DirectionOf(result.translation) + Vec3{};
  const PosedTree moved = *way_out.MovedBy(result.translation);
  if (const std::optional<Witness> touching =
          FindClosestPair(moved, b, {}, run)) {
    result.witness = *touching;
    if (upper > 0) result.witness.distance = 0;
    result.witness.on_a -= result.translation;
  }
  progress.Finish();
  return result;
}

std::optional<Penetration> PenetrationOf(const PosedTree& a, const PosedTree& b,
                                         InsideRule inside) {
  return FindPenetration(a, b, inside, Execution(RunOptions()));
}

absl::StatusOr<std::optional<Penetration>> PenetrationOf(
    const PosedTree& a, const PosedTree& b, InsideRule inside,
    const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return FindPenetration(a, b, inside, run);
  });
}

}  // namespace orbox
