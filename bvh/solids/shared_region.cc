// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/shared_region.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/inside/internal/boundary_triangle.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/solids/internal/ball_search.h"
#include "orbox/bvh/solids/internal/largest_ball.h"
#include "orbox/bvh/solids/internal/region_pair.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/solids/internal/solid_clash.h"
#include "orbox/bvh/solids/internal/volume_search.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

// The relative error if both errors are 0.
constexpr double kLeastError = 0x1p-20;

// Most patches for one radius. Beyond that, the bounds become wider.
constexpr size_t kMostPatches = 20'000;

// If a search takes more patches than this, the largest ball in each solid
// alone is found, for all pairs of the solid. Few pairs of most buildings take
// more.
constexpr size_t kFewPatches = 300;

MeasureError Usable(const MeasureError& error) {
  MeasureError usable{.relative = error.relative > 0 ? error.relative : 0,
                      .absolute = error.absolute > 0 ? error.absolute : 0};
  if (usable.relative == 0 && usable.absolute == 0) {
    usable.relative = kLeastError;
  }
  return usable;
}

// Returns `call` of the solids of two trees. Returns zeros if a mesh is open,
// or nothing.
template <typename Call>
auto RunOnSolids(const PosedTree& a, const PosedTree& b, InsideRule inside,
                 Call call)
    -> std::invoke_result_t<Call, const Solid&, const Solid&> {
  const Solid first(a, inside);
  const Solid second(b, inside);
  if (!first.is_closed() || !second.is_closed()) return {};
  return call(first, second);
}

bool FindThicker(const PosedTree& a, const PosedTree& b, double thickness,
                 InsideRule inside, const Execution& run) {
  return RunOnSolids(a, b, inside, [&](const Solid& x, const Solid& y) {
    BallSearch search = BallSearch::Shared(x.WithoutWalls(), y.WithoutWalls());
    const double radius =
        std::max(thickness > 0 ? thickness / 2 : 0, search.LeastRadius());
    return search.Find(radius, 0x1p-11, run).ball.has_value();
  });
}

// Tests whether the inside by parity may be on both sides of a triangle: where
// triangles of one plane cover each other in part. Such walls are not found, so
// that balls come out too small. The result may be true without a wall.
bool MayHaveFlushWalls(const Solid& solid) {
  if (solid.rule() != InsideRule::kParity &&
      solid.surface().edges().do_faces_agree()) {
    return false;
  }
  const Tree& tree = solid.posed().tree();
  bool found = false;
  VisitSelfOverlaps(
      tree, SharedCorners::kByPosition, [&](const TrianglePair& pair) {
        if (solid.surface().IsLeftOut(pair.a) ||
            solid.surface().IsLeftOut(pair.b)) {
          return Visit::kContinue;
        }
        const Triangle s = tree.mesh().triangle(pair.a);
        const Triangle t = tree.mesh().triangle(pair.b);
        // The planes are one, up to rounding.
        const Vec3 n = NormalOf(s);
        const double level = kSolidRounding * MagnitudeOf(tree.mesh().bounds());
        found = true;
        for (size_t k = 0; k < 3; ++k) {
          found = found && std::abs(Dot(n, t[k] - s.a)) <= level;
        }
        return found ? Visit::kStop : Visit::kContinue;
      });
  return found;
}

double SmallestSide(const Aabb& box) {
  const Vec3 size = box.hi - box.lo;
  return std::min(size.x, std::min(size.y, size.z));
}

}  // namespace

SharedThickness ThicknessOfSolids(const Solid& a, const Solid& b,
                                  const MeasureError& error,
                                  const Execution& run,
                                  const std::optional<Sphere>& known) {
  const MeasureError wanted = Usable(error);
  BallSearch search = BallSearch::Shared(a, b);
  if (IsEmpty(search.box())) return {};
  const double most = SmallestSide(search.box());
  SharedThickness result;
  result.thickness.upper = most + 2 * search.LeastRadius() * 0x1p-12;
  const double least =
      std::max({wanted.absolute / 2, 0x1p-18 * most, search.LeastRadius()});
  const double band = std::min(0x1p-10, wanted.relative / 4);
  // A ball that no search finds may be larger.
  const bool has_flush_walls = MayHaveFlushWalls(a) || MayHaveFlushWalls(b);
  double radius = 0;  // of the largest ball found
  const auto take = [&](const Sphere& ball) {
    const Sphere better = search.Improved(ball);
    radius = better.radius;
    result.thickness.lower = 2 * radius;
    result.center = better.center;
  };
  if (known) take(*known);
  // Radii are tried from large ones down until there is a ball, then up from
  // the largest known ball.
  double sought = std::max(most / 2 * (1 - wanted.relative / 2), least);
  size_t most_patches = has_flush_walls ? kMostPatches : kFewPatches;
  for (;;) {
    const double enough =
        std::max({radius * (1 + wanted.relative), radius + wanted.absolute / 2,
                  radius + least});
    if (result.thickness.upper <= 2 * enough * (1 + 0x1p-30)) return result;
    if (radius > 0) {
      sought = std::max(radius * (1 + wanted.relative / 2),
                        radius + std::max(wanted.absolute, least) / 4);
    }
    const BallFound found = search.Find(sought, band, run, most_patches);
    if (found.ball) {
      take(*found.ball);
      continue;
    }
    if (!found.is_certain && most_patches < kMostPatches) {
      most_patches = kMostPatches;
      for (const Solid* solid : {&a, &b}) {
        result.thickness.upper =
            std::min(result.thickness.upper, LargestBallIn(*solid, run));
      }
      // Often there is a ball of nearly that size.
      const double near = 1 - 0.75 * std::max(wanted.relative, 0x1p-7);
      sought =
          std::min(sought, std::max(result.thickness.upper / 2 * near, least));
      continue;
    }
    if (!found.is_certain) {
      // Searches rarely end where solids touch along edges and in corners.
      if (radius == 0 && AreSmallForExact(a, b) &&
          HaveApartInteriors(a, b, run)) {
        result.thickness.upper =
            std::min(result.thickness.upper, 2 * search.LeastRadius());
      }
      return result;
    }
    if (!has_flush_walls) {
      result.thickness.upper =
          std::min(result.thickness.upper, 2 * search.Excluded(sought, band));
    }
    // The bounds are as near as requested, or as rounding lets them be.
    if (radius > 0 || sought <= least) return result;
    sought = std::max(sought / 2, least / 2);
  }
}

MeasureBounds VolumeOfSolids(const Solid& a, const Solid& b,
                             const MeasureError& error, const Execution& run) {
  return SearchVolume(RegionPair(a.WithoutWalls(), b.WithoutWalls()),
                      Usable(error), run);
}

SharedThickness FindThickness(const PosedTree& a, const PosedTree& b,
                              const MeasureError& error, InsideRule inside,
                              const Execution& run) {
  return RunOnSolids(a, b, inside, [&](const Solid& x, const Solid& y) {
    return ThicknessOfSolids(x.WithoutWalls(), y.WithoutWalls(), error, run);
  });
}

MeasureBounds FindVolume(const PosedTree& a, const PosedTree& b,
                         const MeasureError& error, InsideRule inside,
                         const Execution& run) {
  return RunOnSolids(a, b, inside, [&](const Solid& x, const Solid& y) {
    return VolumeOfSolids(x, y, error, run);
  });
}

SharedThickness ThicknessOfShared(const PosedTree& a, const PosedTree& b,
                                  const MeasureError& error,
                                  InsideRule inside) {
  return FindThickness(a, b, error, inside, Execution(RunOptions()));
}

absl::StatusOr<SharedThickness> ThicknessOfShared(const PosedTree& a,
                                                  const PosedTree& b,
                                                  const MeasureError& error,
                                                  InsideRule inside,
                                                  const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return FindThickness(a, b, error, inside, run);
  });
}

bool IsSharedThicker(const PosedTree& a, const PosedTree& b, double thickness,
                     InsideRule inside) {
  return FindThicker(a, b, thickness, inside, Execution(RunOptions()));
}

absl::StatusOr<bool> IsSharedThicker(const PosedTree& a, const PosedTree& b,
                                     double thickness, InsideRule inside,
                                     const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return FindThicker(a, b, thickness, inside, run);
  });
}

MeasureBounds VolumeOfShared(const PosedTree& a, const PosedTree& b,
                             const MeasureError& error, InsideRule inside) {
  return FindVolume(a, b, error, inside, Execution(RunOptions()));
}

absl::StatusOr<MeasureBounds> VolumeOfShared(const PosedTree& a,
                                             const PosedTree& b,
                                             const MeasureError& error,
                                             InsideRule inside,
                                             const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return FindVolume(a, b, error, inside, run);
  });
}

}  // namespace orbox
