// SPDX-License-Identifier: Apache-2.0

// Tools for generated shapes: a mesh under construction, grids with
// approximately a given number of triangles, and random numbers that are equal
// on every machine. Private.
#ifndef ORBOX_BVH_IO_INTERNAL_SURFACE_H_
#define ORBOX_BVH_IO_INTERNAL_SURFACE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

// A mesh under construction. Triangles of closed shapes are counterclockwise as
// seen from outside.
struct Surface {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;

  void Add(size_t a, size_t b, size_t c) {
    triangles.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b),
                         static_cast<uint32_t>(c)});
  }
  void AddQuad(size_t a, size_t b, size_t c, size_t d) {
    Add(a, b, c);
    Add(a, c, d);
  }
};

// Random numbers by splitmix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014). The standard library's
// distributions may differ between implementations.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  static uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t Bits() { return Mix(state_ += kGolden); }
  // A number in [0, 1).
  double Unit() { return static_cast<double>(Bits() >> 11) * 0x1p-53; }
  // A point in the box [-1, 1)^3.
  Vec3 Offset() {
    const double x = 2 * Unit() - 1;
    const double y = 2 * Unit() - 1;
    const double z = 2 * Unit() - 1;
    return {x, y, z};
  }

  static constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;

 private:
  uint64_t state_;
};

// A grid of nu by nv cells.
struct GridSize {
  size_t nu;
  size_t nv;
};

// Limits of a grid: the smallest lengths of the sides, and their steps.
struct GridRule {
  double ratio;  // approximate ratio of nu to nv
  size_t least_u = 1;
  size_t step_u = 1;
  size_t least_v = 1;
  size_t step_v = 1;
};

// Returns the grid whose number of triangles, 2 * nu * (nv + extra_v), is
// nearest to `wanted`. Among ties, returns the one with the best ratio.
GridSize NearestGrid(size_t wanted, const GridRule& rule, int extra_v = 0);

// Returns the n >= 1 for which unit * n^2 is nearest to `wanted`.
size_t NearestSquare(size_t wanted, size_t unit);

// Adds a grid that is closed in both directions. `position(i, j)` returns a
// vertex. The directions of u and v and the outward normal form a right-handed
// frame.
template <typename Position>
void AddRing(const GridSize& size, Position position, Surface& out) {
  const auto [nu, nv] = size;
  for (size_t i = 0; i < nu; ++i) {
    for (size_t j = 0; j < nv; ++j) {
      out.vertices.push_back(position(i, j));
      const size_t next_i = (i + 1) % nu;
      const size_t next_j = (j + 1) % nv;
      out.AddQuad(i * nv + j, next_i * nv + j, next_i * nv + next_j,
                  i * nv + next_j);
    }
  }
}

// Adds an open grid over the unit square that faces up.
template <typename Height>
void AddSheet(const GridSize& size, Height height, Surface& out) {
  const auto [nu, nv] = size;
  for (size_t j = 0; j <= nv; ++j) {
    for (size_t i = 0; i <= nu; ++i) {
      const double x = static_cast<double>(i) / static_cast<double>(nu);
      const double y = static_cast<double>(j) / static_cast<double>(nv);
      out.vertices.push_back({x, y, height(x, y)});
    }
  }
  const size_t row = nu + 1;
  for (size_t j = 0; j < nv; ++j) {
    for (size_t i = 0; i < nu; ++i) {
      const size_t a = j * row + i;
      out.AddQuad(a, a + 1, a + row + 1, a + row);
    }
  }
}

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_SURFACE_H_
