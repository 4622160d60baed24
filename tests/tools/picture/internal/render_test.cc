// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/render.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"
#include "tools/picture/internal/space_lines.h"

namespace orbox::picture {
namespace {

constexpr int kWidth = 120, kHeight = 90;

struct Rendered {
  ShownSurface surface;
  Camera camera;
  Canvas canvas;
  DepthMap depth;
};

Rendered RenderedOf(const Mesh& mesh, size_t threads = 2) {
  const PosedTree tree = *Build(mesh);
  const PosedTree* const meshes[] = {&tree};
  ShownSurface surface = *ShownSurface::Of(meshes, 1);
  const Camera camera = Camera::Framing(surface.tree.mesh().vertices(),
                                        {2, -3, 1.8}, {5, 5, 110, 80});
  Canvas canvas(kWidth, kHeight);
  const SurfaceColors colors(mesh.triangle_count(), Color{0.5, 0.5, 0.5});
  DepthMap depth =
      Render(surface, colors, camera, {.threads = threads}, canvas);
  return {std::move(surface), camera, std::move(canvas), std::move(depth)};
}

// The nearest depth of all triangles along a ray, by testing each.
double BruteForceDepth(const Mesh& mesh, const Ray& ray) {
  double nearest = std::numeric_limits<double>::infinity();
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    const auto hit = Intersect(ray, mesh.triangle(id));
    if (hit.has_value()) nearest = std::min(nearest, hit->t);
  }
  return nearest;
}

// A pixel is covered or empty if all rays near it agree. Its depth is between
// theirs.
TEST(RenderTest, CoversWhatAllTrianglesCover) {
  const Mesh mesh = meshes::Joined(meshes::Torus(24, 12),
                                   meshes::Cube({-0.3, -0.3, -0.2}, 0.5));
  const Rendered r = RenderedOf(mesh);
  const Mesh& drawn = r.surface.tree.mesh();
  int covered = 0, empty = 0;
  for (int y = 2; y < kHeight; y += 4) {
    for (int x = 2; x < kWidth; x += 4) {
      int hits = 0;
      double low = std::numeric_limits<double>::infinity(), high = 0;
      for (int i = 0; i < 25; ++i) {
        const Point2 place{x + (i % 5) * 0.25, y + (i / 5) * 0.25};
        const double depth = BruteForceDepth(drawn, r.camera.RayThrough(place));
        hits += std::isfinite(depth) ? 1 : 0;
        low = std::min(low, depth);
        high = std::max(high, depth);
      }
      const double alpha = r.canvas.at(x, y).alpha;
      EXPECT_NEAR(alpha, hits / 25.0, 0.3);
      if (hits == 25) {
        ++covered;
        EXPECT_EQ(alpha, 1);
        EXPECT_GE(r.depth.at(x, y), low - 1e-9);
        EXPECT_LE(r.depth.at(x, y), high + 1e-9);
        for (size_t i = 0; i < 3; ++i) {
          EXPECT_GT(r.canvas.at(x, y).light[i], 0);
        }
      } else if (hits == 0) {
        ++empty;
        EXPECT_EQ(alpha, 0);
        EXPECT_EQ(r.depth.at(x, y), std::numeric_limits<double>::infinity());
      }
    }
  }
  EXPECT_GT(covered, 50);
  EXPECT_GT(empty, 50);
}

// A ball's outline is where lines of sight touch it; its area is known.
TEST(RenderTest, ABallHasItsSilhouette) {
  const Rendered r = RenderedOf(meshes::Icosphere(5));
  const double scale = r.surface.space.scale;
  double area = 0, expected = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      area += r.canvas.at(x, y).alpha;
      for (int i = 0; i < 16; ++i) {
        const Ray ray =
            r.camera.RayThrough({x + (i % 4 + 0.5) / 4, y + (i / 4 + 0.5) / 4});
        const Vec3 d = Normalized(ray.direction);
        const Vec3 to_center = -ray.origin;
        const double off = Norm(to_center - d * Dot(to_center, d));
        expected += off <= scale ? 1 / 16.0 : 0;
      }
    }
  }
  EXPECT_GT(expected, 3000);
  EXPECT_NEAR(area, expected, 0.005 * expected);
}

TEST(RenderTest, ThreadsDoNotMatter) {
  const Mesh mesh = meshes::Torus(24, 12);
  const Rendered one = RenderedOf(mesh, 1), many = RenderedOf(mesh, 5);
  EXPECT_EQ(one.canvas.OnColor({1, 1, 1}).bytes,
            many.canvas.OnColor({1, 1, 1}).bytes);
}

TEST(RenderTest, FacesTowardsTheLampAreBrighter) {
  const Rendered r = RenderedOf(meshes::Cube());
  // The three faces that are seen, at their middles: top, front, right.
  const auto light = [&r](const Vec3& middle) {
    const Vec3 p = r.surface.space.FromModel(middle);
    const Point2 pixel = r.camera.Project(p).pixel;
    return r.canvas.at(static_cast<int>(pixel.x), static_cast<int>(pixel.y))
        .light.y;
  };
  const double top = light({0.5, 0.5, 1}), front = light({0.5, 0, 0.5}),
               right = light({1, 0.5, 0.5});
  EXPECT_GT(top, front);
  EXPECT_GT(front, right);
  EXPECT_GT(right, 0.05);
}

TEST(SpaceLinesTest, WhatIsBehindASurfaceIsFainter) {
  Rendered r = RenderedOf(meshes::Cube());
  const auto place = [&r](const Vec3& p) {
    return r.surface.space.FromModel(p);
  };
  const auto at = [&r, &place](const Vec3& p) {
    const Point2 pixel = r.camera.Project(place(p)).pixel;
    return r.canvas.at(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
  };
  const Vec3 inside{0.5, 0.5, 0.5}, outside{0.5, 0.5, 1.2};
  const Covered before = at(inside);
  SpaceLines lines(r.camera, r.depth, r.canvas);
  const std::array<Vec3, 2> line = {place(inside), place(outside)};
  lines.Add(line, 3);
  EXPECT_GT(lines.length(), 10);
  lines.Paint({1, 0, 0}, 1, 0.25);
  EXPECT_EQ(at({0.5, 0.5, 1.15}).light, (Color{1, 0, 0}));
  const Color expected = Mixed(before.light, {1, 0, 0}, 0.25);
  EXPECT_LT(Norm(at(inside).light - expected), 0.02);

  SpaceLines dots(r.camera, r.depth, r.canvas);
  dots.AddDot(place({0.5, 0, 0.5}), 3);
  dots.AddDot(place({0.2, 0.9, 0.2}), 3);
  dots.Paint({0, 0, 1}, 1, 0);
  EXPECT_EQ(at({0.5, 0, 0.5}).light, (Color{0, 0, 1}));
  EXPECT_LT(at({0.2, 0.9, 0.2}).light.z, 0.9);
}

}  // namespace
}  // namespace orbox::picture
