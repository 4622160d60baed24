// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/largest_ball.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
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
  // Round parts and parts that cross take some 20 to 30 patches a triangle.
  const size_t patches =
      std::min<size_t>(100'000, 2'000 + 40 * tree.mesh().triangle_count());
  constexpr int kSearches = 16;
  // Together less than the usual error of a thickness.
  constexpr double kGrowth = 0x1p-8;
  constexpr double kBand = 0x1p-9;
  const PosedTree posed(tree);
  const Solid walled(posed, rule);
  if (!walled.is_closed()) return 0;
  BallSearch search = BallSearch::Inside(walled.WithoutWalls());
  double radius =
      std::max(MeanDepth(tree.mesh()) * 0.875, search.LeastRadius());
  for (int i = 0; i < kSearches; ++i) {
    const BallFound found = search.Find(radius, kBand, run, patches);
    if (!found.ball) {
      return found.is_certain ? 2 * search.Excluded(radius, kBand) : kInfinity;
    }
    radius = search.Improved(*found.ball).radius * (1 + kGrowth);
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

// Returns all triangles of some meshes as one mesh.
Mesh Joined(const std::vector<Mesh>& meshes) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (const Mesh& mesh : meshes) {
    const auto first = static_cast<uint32_t>(vertices.size());
    vertices.insert(vertices.end(), mesh.vertices().begin(),
                    mesh.vertices().end());
    for (const TriangleIndices& t : mesh.triangles()) {
      triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
  // In range, because the meshes are parts of one.
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

// Returns meshes such that each ball inside the solid is inside one of them, or
// a moved copy of it: a component of each shape, and one mesh of all components
// with walls near. A component without walls has no triangle in the ball, so
// that it contains all of the ball or none of it. Returns the whole mesh if
// there are many shapes.
std::vector<Mesh> PartsOf(const Solid& solid, double distance) {
  constexpr size_t kMostParts = 16;
  constexpr size_t kMostTriangles = 10'000;
  const Tree& tree = solid.posed().tree();
  const SolidSurface& surface = solid.surface();
  if (!surface.left_out().empty()) return {tree.mesh()};
  std::vector<Aabb> walls;
  if (const SolidSurface::Boundary* boundary = surface.WithoutWalls(tree)) {
    std::copy_if(boundary->surface.walls.begin(), boundary->surface.walls.end(),
                 std::back_inserter(walls),
                 [](const Aabb& wall) { return !IsEmpty(wall); });
  }
  std::vector<Mesh> walled;
  std::vector<Mesh> parts;
  size_t triangles = 0;
  for (const Mesh& component : SplitIntoComponents(tree.mesh())) {
    const Aabb near = GrownBy(component.bounds(), distance);
    if (std::any_of(walls.begin(), walls.end(),
                    [&](const Aabb& wall) { return Overlaps(wall, near); })) {
      walled.push_back(component);
      continue;
    }
    if (std::any_of(parts.begin(), parts.end(), [&](const Mesh& part) {
          return IsMovedCopy(part, component, distance);
        })) {
      continue;
    }
    parts.push_back(component);
    triangles += component.triangle_count();
    if (parts.size() > kMostParts ||
        (parts.size() > 1 && triangles > kMostTriangles)) {
      return {tree.mesh()};
    }
  }
  // Walls of a single component are not searched for.
  if (walled.size() == 1) return {tree.mesh()};
  if (!walled.empty()) parts.push_back(Joined(walled));
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
