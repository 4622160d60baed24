// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "orbox/bvh/io/internal/shapes.h"
#include "orbox/bvh/io/internal/surface.h"
#include "orbox/bvh/io/internal/turn.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox::mesh_internal {
namespace {

// The (2, 3) torus knot, a trefoil. It goes twice around the z axis at distance
// 1, and three times around that circle at distance kWinding. All lengths are
// dyadic fractions, so the vertices on the x axis are exact. The outermost one
// is at 1 + kWinding + kThickness. The innermost one, half way along the knot,
// is at 1 - kWinding - kThickness.
constexpr size_t kTurns = 2;
constexpr size_t kWindings = 3;
constexpr double kWinding = 0.25;
constexpr double kThickness = 0.125;

Vec3 KnotVertex(size_t i, size_t nu, size_t j, size_t nv) {
  const Turn around = TurnOf(kTurns * i, nu);
  const Turn winding = TurnOf(kWindings * i, nu);
  const double r = 1 + kWinding * winding.cos;
  const Vec3 core = {r * around.cos, r * around.sin, kWinding * winding.sin};
  // Derivative of the core curve, and normal of the torus that contains it. The
  // normal is perpendicular to the curve, and periodic.
  const double dr = -(kWindings * kWinding) * winding.sin;
  const Vec3 tangent =
      Normalized(Vec3{dr * around.cos - kTurns * r * around.sin,
                      dr * around.sin + kTurns * r * around.cos,
                      kWindings * kWinding * winding.cos});
  const Vec3 normal = {winding.cos * around.cos, winding.cos * around.sin,
                       winding.sin};
  const Vec3 binormal = Cross(normal, tangent);
  const Turn across = TurnOf(j, nv);
  return core + kThickness * (across.cos * normal + across.sin * binormal);
}

GridSize KnotGrid(size_t triangles) {
  // The tube is about 13.6 long and has a circumference of 0.8. An even number
  // of steps along the tube gives a vertex half way.
  return NearestGrid(triangles,
                     {.ratio = 17, .least_u = 24, .step_u = 2, .least_v = 3});
}

}  // namespace

void TorusKnot(const GenerateOptions& options, Surface& out) {
  const GridSize size = KnotGrid(options.triangles);
  AddRing(
      size,
      [&](size_t i, size_t j) { return KnotVertex(i, size.nu, j, size.nv); },
      out);
}

// The torus knot, rotated so that it passes through the hole of the first knot,
// like the next link of a chain: by half a turn about z, a quarter about x, and
// a translation by 1 along x. Its strand that faces +x is at 1 - (1 - kWinding
// - kThickness) = 0.375. The opposite strand of the first knot is at a distance
// of 0.25.
void LinkedKnot(const GenerateOptions& options, Surface& out) {
  TorusKnot(options, out);
  for (Vec3& v : out.vertices) v = {1 - v.x, 0 - v.z, 0 - v.y};
}

void Torus(const GenerateOptions& options, Surface& out) {
  constexpr double kTube = 0.25;
  const GridSize size = NearestGrid(
      options.triangles,
      {.ratio = 4, .least_u = 4, .step_u = 4, .least_v = 4, .step_v = 4});
  AddRing(
      size,
      [&](size_t i, size_t j) {
        const Turn around = TurnOf(i, size.nu);
        const Turn across = TurnOf(j, size.nv);
        const double r = 1 + kTube * across.cos;
        return Vec3{r * around.cos, r * around.sin, kTube * across.sin};
      },
      out);
}

// Eight spherical triangles of n rows each. Ring k of the upper half has 4 k
// vertices, so that all triangles have about the same size.
void Sphere(const GenerateOptions& options, Surface& out) {
  const size_t n = NearestSquare(options.triangles, 8);
  std::vector<size_t> start;  // of each ring
  for (size_t ring = 0; ring <= 2 * n; ++ring) {
    start.push_back(out.vertices.size());
    const size_t k = std::min(ring, 2 * n - ring);
    const Turn latitude = TurnOf(ring, 4 * n);
    for (size_t i = 0; i < std::max<size_t>(4 * k, 1); ++i) {
      const Turn longitude = TurnOf(i, std::max<size_t>(4 * k, 1));
      out.vertices.push_back({latitude.sin * longitude.cos,
                              latitude.sin * longitude.sin, latitude.cos});
    }
  }
  auto id = [&](size_t ring, size_t i) {
    const size_t k = std::min(ring, 2 * n - ring);
    return start[ring] + i % std::max<size_t>(4 * k, 1);
  };
  for (size_t k = 0; k < n; ++k) {
    for (size_t quadrant = 0; quadrant < 4; ++quadrant) {
      for (size_t s = 0; s <= k; ++s) {
        // The lower half is a mirror image, so its triangles are reversed.
        const size_t inner = quadrant * k + s;
        const size_t outer = quadrant * (k + 1) + s;
        const size_t low = 2 * n - k;
        out.Add(id(k, inner), id(k + 1, outer), id(k + 1, outer + 1));
        out.Add(id(low, inner), id(low - 1, outer + 1), id(low - 1, outer));
        if (s == k) continue;
        out.Add(id(k, inner), id(k + 1, outer + 1), id(k, inner + 1));
        out.Add(id(low, inner), id(low, inner + 1), id(low - 1, outer + 1));
      }
    }
  }
}

void Box(const GenerateOptions& options, Surface& out) {
  const size_t n = NearestSquare(options.triangles, 12);
  auto part = [n](size_t i) {
    return static_cast<double>(i) / static_cast<double>(n);
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    for (const bool high : {false, true}) {
      const size_t start = out.vertices.size();
      for (size_t i = 0; i <= n; ++i) {
        for (size_t j = 0; j <= n; ++j) {
          Vec3 v;
          v[axis] = high ? 1 : 0;
          v[(axis + 1) % 3] = part(i);
          v[(axis + 2) % 3] = part(j);
          out.vertices.push_back(v);
        }
      }
      for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
          const size_t a = start + i * (n + 1) + j;
          const size_t b = a + n + 1;
          if (high) {
            out.AddQuad(a, b, b + 1, a + 1);
          } else {
            out.AddQuad(a, a + 1, b + 1, b);
          }
        }
      }
    }
  }
  // The faces share the vertices on the edges.
  const Welded welded = Weld(out.vertices);
  for (TriangleIndices& t : out.triangles) {
    for (uint32_t& vertex : t) vertex = welded.id[vertex];
  }
  std::vector<Vec3> distinct;
  for (const uint32_t first : welded.first) {
    distinct.push_back(out.vertices[first]);
  }
  out.vertices = std::move(distinct);
}

// Rings of nu vertices along the profile: bottom centre, bottom rim, top rim,
// top centre. Its three parts have the lengths 1/2, 1 and 1/2.
void Cylinder(const GenerateOptions& options, Surface& out) {
  // nv steps along the profile make nv - 1 rings. The bands between them and
  // the centres make 2 * nu * (nv - 1) triangles. The corners of the profile
  // are at 1/4 and 3/4 of its length.
  const auto [nu, nv] =
      NearestGrid(options.triangles,
                  {.ratio = 1.5, .least_u = 3, .least_v = 4, .step_v = 4}, -1);
  auto ring_vertex = [nu = nu, nv = nv](size_t ring, size_t i) {
    const double t = 2 * static_cast<double>(ring) / static_cast<double>(nv);
    const double r = std::min({t, 2 - t, 0.5});
    const double z = std::clamp(t - 0.5, 0.0, 1.0);
    const Turn around = TurnOf(i, nu);
    return Vec3{r * around.cos, r * around.sin, z};
  };
  out.vertices.push_back({0, 0, 0});
  for (size_t ring = 1; ring < nv; ++ring) {
    for (size_t i = 0; i < nu; ++i) {
      out.vertices.push_back(ring_vertex(ring, i));
    }
  }
  const size_t top = out.vertices.size();
  out.vertices.push_back({0, 0, 1});
  auto id = [nu = nu](size_t ring, size_t i) {
    return 1 + (ring - 1) * nu + i % nu;
  };
  for (size_t i = 0; i < nu; ++i) {
    out.Add(0, id(1, i + 1), id(1, i));
    for (size_t ring = 1; ring + 1 < nv; ++ring) {
      out.AddQuad(id(ring, i), id(ring, i + 1), id(ring + 1, i + 1),
                  id(ring + 1, i));
    }
    out.Add(top, id(nv - 1, i), id(nv - 1, i + 1));
  }
}

// A spur gear with twelve teeth and a bore: a ring with a rectangular cross
// section.
void Gear(const GenerateOptions& options, Surface& out) {
  constexpr size_t kTeeth = 12;
  constexpr double kBore = 0.375;
  constexpr double kRoot = 0.8125;
  constexpr double kTip = 1;
  constexpr double kHalfHeight = 0.125;
  const GridSize size = NearestGrid(options.triangles, {.ratio = 6,
                                                        .least_u = 8 * kTeeth,
                                                        .step_u = 8 * kTeeth,
                                                        .least_v = 4,
                                                        .step_v = 4});
  const size_t side = size.nv / 4;
  auto rim = [&](size_t i) {
    // A tooth, in eighths of the pitch: one for the rising flank, three for the
    // tip, one for the falling flank, three for the root.
    const double pitch = 8 * static_cast<double>(i * kTeeth % size.nu) /
                         static_cast<double>(size.nu);
    const double up = std::clamp(std::min(pitch, 5 - pitch), 0.0, 1.0);
    return kRoot + (kTip - kRoot) * up;
  };
  AddRing(
      size,
      [&](size_t i, size_t j) {
        const double t =
            static_cast<double>(j % side) / static_cast<double>(side);
        const double outer = rim(i);
        double r = outer;
        double z = kHalfHeight;
        switch (j / side) {
          case 0:
            z = kHalfHeight * (2 * t - 1);
            break;
          case 1:
            r = outer + (kBore - outer) * t;
            break;
          case 2:
            r = kBore;
            z = kHalfHeight * (1 - 2 * t);
            break;
          default:
            r = kBore + (outer - kBore) * t;
            z = -kHalfHeight;
        }
        const Turn around = TurnOf(i, size.nu);
        return Vec3{r * around.cos, r * around.sin, z};
      },
      out);
}

}  // namespace orbox::mesh_internal
