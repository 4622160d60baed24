// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/largest_ball.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/solids/internal/ball_search.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// Returns the volume over the area, which is half the radius of a long bar and
// half the thickness of a plate.
double MeanDepth(const Mesh& mesh) {
  const Vec3 origin = mesh.bounds().Center();
  double volume = 0;
  double area = 0;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    const Vec3 normal = Cross(t.b - t.a, t.c - t.a);
    volume += Dot(t.a - origin, normal) / 3;
    area += Norm(normal);
  }
  return area > 0 ? std::abs(volume) / area : 0;
}

// Searches for ever larger balls.
double LargestBallOf(const Tree& tree, InsideRule rule, const Execution& run) {
  constexpr size_t kPatches = 20'000;  // of one search
  constexpr int kSearches = 16;
  const PosedTree posed(tree);
  const Solid walled(posed, rule);
  if (!walled.is_closed()) return 0;
  BallSearch search = BallSearch::Inside(walled.WithoutWalls());
  double radius =
      std::max(MeanDepth(tree.mesh()) * 0.875, search.LeastRadius());
  for (int i = 0; i < kSearches; ++i) {
    const BallFound found = search.Find(radius, 0x1p-10, run, kPatches);
    if (!found.ball) {
      return found.is_certain ? 2 * search.Excluded(radius, 0x1p-10)
                              : kInfinity;
    }
    radius = search.Improved(*found.ball).radius * (1 + 0x1p-9);
  }
  return kInfinity;
}

// Tests whether a mesh is a moved copy of another, with the same triangles and
// with no vertex farther than `distance` from its place.
bool IsMovedCopy(const Mesh& a, const Mesh& b, double distance) {
  if (!std::equal(a.triangles().begin(), a.triangles().end(),
                  b.triangles().begin(), b.triangles().end())) {
    return false;
  }
  const Vec3 by = b.vertices()[0] - a.vertices()[0];
  return std::equal(a.vertices().begin(), a.vertices().end(),
                    b.vertices().begin(), b.vertices().end(),
                    [&](const Vec3& p, const Vec3& q) {
                      return Norm(p + by - q) <= distance;
                    });
}

// Returns one component of each shape, if the components are apart. A ball is
// then inside one of them. Otherwise returns the whole mesh, also if it has
// walls, which are not searched for in a single component.
std::vector<Mesh> PartsOf(const Solid& solid, double distance) {
  constexpr size_t kMostParts = 256;
  const Tree& tree = solid.posed().tree();
  const Mesh& mesh = tree.mesh();
  const SolidSurface& surface = solid.surface();
  if (surface.edges().component_bounds().size() > kMostParts ||
      !surface.left_out().empty() || surface.WithoutWalls(tree) != nullptr) {
    return {mesh};
  }
  const std::vector<Mesh> components = SplitIntoComponents(mesh);
  std::vector<Mesh> parts;
  for (size_t i = 0; i < components.size(); ++i) {
    const Mesh& component = components[i];
    for (size_t k = 0; k < i; ++k) {
      if (Overlaps(component.bounds(), components[k].bounds())) return {mesh};
    }
    if (std::none_of(parts.begin(), parts.end(), [&](const Mesh& part) {
          return IsMovedCopy(part, component, distance);
        })) {
      parts.push_back(component);
    }
  }
  return parts;
}

}  // namespace

double LargestBallIn(const Solid& solid, const Execution& run) {
  const PosedTree& posed = solid.posed();
  const Tree& tree = posed.tree();
  const double largest =
      solid.surface().largest_ball(solid.rule()).Or([&]() -> double {
        // If vertices move by x, the diameter changes by no more than 2 x.
        const double distance =
            kSolidRounding * MagnitudeOf(tree.mesh().bounds());
        double diameter = 0;
        for (const Mesh& part : PartsOf(solid, distance)) {
          const absl::StatusOr<Tree> built = Build(part, {.threads = 1});
          if (!built.ok()) return kInfinity;
          diameter =
              std::max(diameter, LargestBallOf(*built, solid.rule(), run));
          if (diameter == kInfinity) break;
        }
        return diameter + 4 * distance;
      });
  return largest * posed.scale() * posed.stretch() * (1 + 2 * posed.skew()) *
             (1 + 0x1p-40) +
         4 * solid.error();
}

}  // namespace orbox
