// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/boundary_distance.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/query/inside/internal/crossings.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

// Relative rounding error of a length and of the coordinates of its end.
constexpr double kRounding = 0x1p-50;

}  // namespace

BoundaryDistance::BoundaryDistance(const Tree& tree,
                                   std::span<const Front> fronts)
    : tree_(tree) {
  const bool has_walls =
      std::any_of(fronts.begin(), fronts.end(), [](Front front) {
        return front == Front::kUnknown ||
               !IsBoundary(front, InsideRule::kWinding);
      });
  if (!has_walls) return;
  // A triangle without a normal is a segment, which its neighbours contain.
  std::vector<bool> ignored(fronts.size(), false);
  for (uint32_t id = 0; id < fronts.size(); ++id) {
    ignored[id] = NormalOf(tree.mesh().triangle(id)) == Vec3{};
  }
  boundary_ = BoundaryWithoutWalls(tree, fronts, ignored);
}

// Returns the length of a segment from p that certainly ends outside. Tries end
// points slightly beyond the closest point of the boundary, straight on and to
// all sides. If the pieces are too coarse for this, uses the way out of the
// bounds.
double BoundaryDistance::UpperBound(const Vec3& p, const Vec3& on_boundary,
                                    const Watch& watch) const {
  const Aabb& bounds = tree_.mesh().bounds();
  const double rounding = kRounding * MagnitudeOf(bounds);
  const Vec3 way_out = Min(bounds.hi - p, p - bounds.lo);
  const double most =
      std::min(way_out.x, std::min(way_out.y, way_out.z)) + rounding;
  const Vec3 along = DirectionOf(on_boundary - p);
  for (double beyond = boundary_->error; beyond < most; beyond *= 16) {
    // First straight on, then the 27 directions of a cube.
    for (int i = -1; i < 27; ++i) {
      const Vec3 aside{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
      const Vec3 end = on_boundary + (i < 0 ? along : aside) * beyond;
      const Crossings crossings = CrossingsFrom(tree_, end, watch);
      if (crossings.is_on_surface || crossings.winding != 0) continue;
      return std::min(most, Norm(end - p) * (1 + kRounding) + rounding);
    }
  }
  return most;
}

DistanceInterval BoundaryDistance::From(const Vec3& p,
                                        const Watch& watch) const {
  const std::optional<SurfacePoint> closest =
      FindClosest(boundary_->tree, p, kInfinity, watch);
  const double error = boundary_->error;
  const double lower =
      std::max(0.0, closest->distance * (1 - kRounding) - error);
  const double upper = UpperBound(p, closest->point, watch);
  return {std::min(lower, upper), upper};
}

}  // namespace orbox
