// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/walls.h"

#include <algorithm>
#include <cstddef>

#include "orbox/bvh/query/inside/internal/crossings.h"
#include "orbox/bvh/query/inside/internal/surface_edges.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/points/k_nearest.h"

namespace orbox {
namespace {

Front FrontOfWinding(int winding) {
  if (winding == 0) return Front::kZero;
  if (winding == -1) return Front::kMinusOne;
  return winding % 2 == 0 ? Front::kEven : Front::kOdd;
}

// Finds the front of a triangle by the winding number of a point in front of
// it. The point is so close to the triangle that no other triangle is closer.
Front FrontOf(const Tree& tree, const SurfaceSides& sides, uint32_t triangle) {
  const Triangle t = tree.mesh().triangle(triangle);
  const double scale = tree.space().scale;
  const Vec3 e = (t.b - t.a) * scale;
  const Vec3 f = (t.c - t.a) * scale;
  const Vec3 n = Cross(e, f);
  const double area = Norm(n);
  if (!(area > 0)) return Front::kUnknown;
  const double height =
      area / std::max(Norm(e), std::max(Norm(f), Norm(f - e)));
  const Vec3 middle = t.a + ((t.b - t.a) + (t.c - t.a)) * (1.0 / 3);
  // Approaches the face until the distance is within rounding.
  for (double step = 0x1p-4; step > 0x1p-40; step *= 0x1p-6) {
    const Vec3 p = middle + n * (step * height / area) * tree.space().unscale;
    const std::vector<SurfacePoint> near = KNearest(tree, p, 2);
    const bool is_nearest =
        !near.empty() && near[0].triangle == triangle && near[0].distance > 0 &&
        (near.size() == 1 || near[1].distance > near[0].distance);
    if (!is_nearest || sides.SideOf(p, {&triangle, 1}) != Side::kFront) {
      continue;
    }
    const Crossings crossings = CrossingsFrom(tree, p);
    if (crossings.is_on_surface) continue;
    return FrontOfWinding(crossings.winding);
  }
  return Front::kUnknown;
}

// Returns, for each triangle, true if it overlaps triangles other than its
// neighbours. Returns true for all if there are more such pairs than any real
// surface has, because finding them would take longer than counting crossings
// of rays.
std::vector<bool> CrossingTriangles(const Tree& tree,
                                    const SurfaceSides& sides) {
  const size_t count = tree.mesh().triangle_count();
  const std::vector<CornerIds> simple = sides.SimpleCorners();
  OverlappingTriangles overlapping(count);
  sides.AddCopies(&overlapping);
  OverlapSearch(RunOptions())
      .Count(SelfScope(tree, SharedCorners::kByPosition,
                       {.simple = simple, .overlapping = &overlapping}));
  std::vector<bool> crossing(count, true);
  if (overlapping.HasSkippedTooMany()) return crossing;
  for (uint32_t id = 0; id < count; ++id) {
    crossing[id] = overlapping.Contains(id);
  }
  return crossing;
}

}  // namespace

std::vector<Front> FrontsOf(const Tree& tree, const SurfaceSides& sides) {
  const std::vector<bool> crossing = CrossingTriangles(tree, sides);
  const Mesh& mesh = tree.mesh();
  const std::vector<uint32_t> components =
      ComponentsOf(sides.edges(), crossing);
  // Use the largest triangle of each component, because it has the most room in
  // front of it.
  std::vector<uint32_t> largest(mesh.triangle_count());
  std::vector<double> areas(mesh.triangle_count(), -1);
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const Triangle t = mesh.triangle(id);
    const double scale = tree.space().scale;
    const double area =
        SquaredNorm(Cross((t.b - t.a) * scale, (t.c - t.a) * scale));
    if (area > areas[components[id]]) {
      areas[components[id]] = area;
      largest[components[id]] = id;
    }
  }
  std::vector<Front> fronts(mesh.triangle_count());
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    if (crossing[id]) {
      fronts[id] = Front::kUnknown;
    } else {
      // The number of a component is that of its first triangle.
      fronts[id] = components[id] == id ? FrontOf(tree, sides, largest[id])
                                        : fronts[components[id]];
    }
  }
  return fronts;
}

}  // namespace orbox
