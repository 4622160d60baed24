// SPDX-License-Identifier: Apache-2.0

// Small meshes that tests share: the same bytes on every run and machine.
//
//   for (const meshes::Named& m : meshes::Assortment()) Check(m.name, m.mesh);
//   Mesh soup = meshes::Soup(200, 0.1, /*seed=*/7);
//
// Closed meshes are oriented outward. Everything random comes from a seed.
#ifndef ORBOX_TESTS_SUPPORT_MESHES_H_
#define ORBOX_TESTS_SUPPORT_MESHES_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::meshes {

// Random numbers that no standard library may change: splitmix64 (Steele, Lea,
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Bits();
  // Below `bound`, which is not zero. The bias of at most bound / 2^64 does not
  // matter to a test.
  size_t Below(size_t bound) { return Bits() % bound; }
  // In [lo, hi).
  double Uniform(double lo, double hi);
  // In the box [lo, hi)^3.
  Vec3 Point(double lo, double hi);
  // A point of integers from -size to size, which meet all sorts of
  // coincidences.
  Vec3 LatticePoint(int size);
  // A unit vector, uniform on the sphere.
  Vec3 Direction();

 private:
  uint64_t state_;
};

// Turned by up to 3 radians, and moved by up to `move` along each axis.
inline Pose RandomRigidPose(Random& random, double move) {
  return Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                        random.Point(-move, move));
}

// Axis-parallel, with its lowest corner at `lo`; 12 triangles, closed.
Mesh Cube(const Vec3& lo = {0, 0, 0}, double size = 1);
// The corner at `at` and one more along each axis; 4 triangles, closed.
Mesh Tetrahedron(const Vec3& at = {0, 0, 0}, double size = 1);
// An icosahedron with each triangle split in four `levels` times: 20 * 4^levels
// triangles, closed.
Mesh Icosphere(int levels, const Vec3& center = {0, 0, 0}, double radius = 1);
// Around the z axis; 2 * around * across triangles, closed.
Mesh Torus(int around, int across, double radius = 1, double tube = 0.25);
// A heightfield over the unit square, heights in [0, height): 2 * n * n
// triangles, open; exactly plane where height is 0.
Mesh Grid(int n, double height = 0, uint64_t seed = 1);
// `n` independent triangles in the unit cube, with edges of about `size`.
Mesh Soup(size_t n, double size, uint64_t seed = 1);
// `n` triangles of length about 1 and width 1e-9 to 1e-2.
Mesh Needles(size_t n, uint64_t seed = 1);
// `n` triangles, of which some are points, segments (with two equal corners, or
// three different ones on a line), duplicates, and reversed duplicates.
Mesh DegenerateMix(size_t n, uint64_t seed = 1);
// `n` times the same triangle.
Mesh Identical(size_t n);
// Large triangles in the plane at each of the xs. From -2^-60, that at 1 is
// further than 1 and that at -1 is nearer, though both distances round to it.
Mesh WallsAt(const std::vector<double>& xs);
inline constexpr double kBarelyBelow0 = -0x1p-60;

// One triangle, with corners at the origin and one unit along x and y.
Mesh OneTriangle();

// The mesh with each vertex moved, or multiplied by a factor.
Mesh Moved(const Mesh& mesh, const Pose& pose);
Mesh Scaled(const Mesh& mesh, double factor);
// All triangles of `a`, then those of `b`.
Mesh Joined(const Mesh& a, const Mesh& b);
// `count` triangles from `first` on, or all of them, face the other way.
Mesh TurnedOver(const Mesh& mesh, size_t first = 0, size_t count = SIZE_MAX);

double AreaOf(const Triangle& t);

struct Named {
  std::string name;
  Mesh mesh;
};
// One of each kind above, 1 to about 500 triangles: for tests that should hold
// on every mesh.
std::vector<Named> Assortment();

// Implementation only below.

inline uint64_t Random::Bits() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

inline double Random::Uniform(double lo, double hi) {
  return lo + (hi - lo) * (static_cast<double>(Bits() >> 11) * 0x1p-53);
}

inline Vec3 Random::Point(double lo, double hi) {
  const double x = Uniform(lo, hi);
  const double y = Uniform(lo, hi);
  const double z = Uniform(lo, hi);
  return {x, y, z};
}

inline Vec3 Random::LatticePoint(int size) {
  const auto coordinate = [&] {
    return static_cast<double>(Below(2 * size + 1)) - size;
  };
  const double x = coordinate();
  const double y = coordinate();
  return {x, y, coordinate()};
}

inline Vec3 Random::Direction() {
  while (true) {
    const Vec3 v = Point(-1, 1);
    const double square = SquaredNorm(v);
    if (square <= 1 && square > 0x1p-20) return Normalized(v);
  }
}

// For arguments that are right by construction: a failure is a broken test.
inline Mesh Make(std::vector<Vec3> vertices,
                 std::vector<TriangleIndices> triangles) {
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

// Takes away what math libraries disagree about in the last bits.
inline double Rounded(double x) { return std::round(x * 0x1p20) * 0x1p-20; }

inline Mesh Cube(const Vec3& lo, double size) {
  std::vector<Vec3> vertices;
  vertices.reserve(8);
  for (int i = 0; i < 8; ++i) {
    vertices.push_back({lo.x + ((i & 1) ? size : 0),
                        lo.y + ((i & 2) ? size : 0),
                        lo.z + ((i & 4) ? size : 0)});
  }
  return Make(std::move(vertices), {{0, 2, 3},
                                    {0, 3, 1},
                                    {4, 5, 7},
                                    {4, 7, 6},
                                    {0, 1, 5},
                                    {0, 5, 4},
                                    {2, 6, 7},
                                    {2, 7, 3},
                                    {0, 4, 6},
                                    {0, 6, 2},
                                    {1, 3, 7},
                                    {1, 7, 5}});
}

inline Mesh Tetrahedron(const Vec3& at, double size) {
  return Make(
      {at, at + Vec3{size, 0, 0}, at + Vec3{0, size, 0}, at + Vec3{0, 0, size}},
      {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
}

inline Mesh Icosphere(int levels, const Vec3& center, double radius) {
  // The twelve corners are those of three golden rectangles.
  const double p = std::numbers::phi;
  std::vector<Vec3> unit = {{-1, p, 0}, {1, p, 0}, {-1, -p, 0}, {1, -p, 0},
                            {0, -1, p}, {0, 1, p}, {0, -1, -p}, {0, 1, -p},
                            {p, 0, -1}, {p, 0, 1}, {-p, 0, -1}, {-p, 0, 1}};
  for (Vec3& v : unit) v = Normalized(v);
  std::vector<TriangleIndices> triangles = {
      {0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
      {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
      {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
      {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> middles;
    auto middle = [&](uint32_t a, uint32_t b) {
      auto [at, is_new] = middles.try_emplace(
          std::minmax(a, b), static_cast<uint32_t>(unit.size()));
      if (is_new) unit.push_back(Normalized(unit[a] + unit[b]));
      return at->second;
    };
    std::vector<TriangleIndices> finer;
    for (const auto& [a, b, c] : triangles) {
      const uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(),
                   {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
  for (Vec3& v : unit) v = center + v * radius;
  return Make(std::move(unit), std::move(triangles));
}

inline Mesh Torus(int around, int across, double radius, double tube) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (int i = 0; i < around; ++i) {
    const double u = 2 * std::numbers::pi * i / around;
    for (int j = 0; j < across; ++j) {
      const double v = 2 * std::numbers::pi * j / across;
      const double r = radius + tube * std::cos(v);
      vertices.push_back({Rounded(r * std::cos(u)), Rounded(r * std::sin(u)),
                          Rounded(tube * std::sin(v))});
      auto id = [&](int k, int l) {
        return static_cast<uint32_t>((k % around) * across + l % across);
      };
      const uint32_t a = id(i, j), b = id(i + 1, j), c = id(i + 1, j + 1),
                     d = id(i, j + 1);
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  }
  return Make(std::move(vertices), std::move(triangles));
}

inline Mesh Grid(int n, double height, uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      vertices.push_back({static_cast<double>(i) / n,
                          static_cast<double>(j) / n,
                          random.Uniform(0, height)});
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const auto a = static_cast<uint32_t>(j * (n + 1) + i);
      const auto d = static_cast<uint32_t>(a + n + 1);
      triangles.push_back({a, a + 1, d + 1});
      triangles.push_back({a, d + 1, d});
    }
  }
  return Make(std::move(vertices), std::move(triangles));
}

// A mesh in which triangle i has corners of its own, 3i to 3i + 2.
inline Mesh FromTriangles(const std::vector<Triangle>& triangles) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> indices;
  for (const Triangle& t : triangles) {
    const auto first = static_cast<uint32_t>(vertices.size());
    vertices.insert(vertices.end(), {t.a, t.b, t.c});
    indices.push_back({first, first + 1, first + 2});
  }
  return Make(std::move(vertices), std::move(indices));
}

inline Mesh Soup(size_t n, double size, uint64_t seed) {
  Random random(seed);
  std::vector<Triangle> triangles;
  for (size_t i = 0; i < n; ++i) {
    const Vec3 at = random.Point(0, 1);
    const Vec3 b = at + random.Point(-size, size);
    const Vec3 c = at + random.Point(-size, size);
    triangles.push_back({at, b, c});
  }
  return FromTriangles(triangles);
}

inline Mesh Needles(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<Triangle> triangles;
  for (size_t i = 0; i < n; ++i) {
    const Vec3 at = random.Point(0, 1);
    const Vec3 tip = at + random.Direction();
    const double width = std::pow(10.0, random.Uniform(-9, -2));
    triangles.push_back({at, tip, at + random.Direction() * width});
  }
  return FromTriangles(triangles);
}

inline Mesh DegenerateMix(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<Triangle> triangles;
  while (triangles.size() < n) {
    // On a lattice of 2^-10, so that points on a line are so exactly.
    auto lattice = [&random] {
      const Vec3 p = random.Point(0, 1024);
      return Vec3{std::floor(p.x), std::floor(p.y), std::floor(p.z)} * 0x1p-10;
    };
    const Vec3 a = lattice();
    const Vec3 step = (lattice() - a) * 0.25;
    const Vec3 b = a + step;
    switch (random.Below(8)) {
      case 0:
        triangles.push_back({a, a, a});
        break;
      case 1:
        triangles.push_back({a, a, b});
        break;
      case 2:
        triangles.push_back({a, b, a});
        break;
      case 3:
        triangles.push_back({a, a + 3 * step, b});
        break;
      case 4:
      case 5: {
        if (triangles.empty()) break;
        const Triangle t = triangles[random.Below(triangles.size())];
        triangles.push_back(random.Below(2) == 0 ? t : Triangle{t.a, t.c, t.b});
        break;
      }
      default:
        triangles.push_back({a, b, a + random.Point(-0.1, 0.1)});
    }
  }
  return FromTriangles(triangles);
}

inline Mesh Identical(size_t n) {
  return Make({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
              std::vector<TriangleIndices>(n, {0, 1, 2}));
}

inline Mesh OneTriangle() { return Identical(1); }

inline Mesh WallsAt(const std::vector<double>& xs) {
  std::vector<Triangle> walls;
  walls.reserve(xs.size());
  for (const double x : xs)
    walls.push_back({{x, -3, -3}, {x, 9, -3}, {x, -3, 9}});
  return FromTriangles(walls);
}

inline Mesh Moved(const Mesh& mesh, const Pose& pose) {
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v = pose.Apply(v);
  return Make(std::move(vertices),
              {mesh.triangles().begin(), mesh.triangles().end()});
}

inline Mesh Scaled(const Mesh& mesh, double factor) {
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v *= factor;
  return Make(std::move(vertices),
              {mesh.triangles().begin(), mesh.triangles().end()});
}

inline Mesh Joined(const Mesh& a, const Mesh& b) {
  std::vector<Vec3> vertices(a.vertices().begin(), a.vertices().end());
  vertices.insert(vertices.end(), b.vertices().begin(), b.vertices().end());
  std::vector<TriangleIndices> triangles(a.triangles().begin(),
                                         a.triangles().end());
  const auto first = static_cast<uint32_t>(a.vertex_count());
  for (const TriangleIndices& t : b.triangles()) {
    triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return Make(std::move(vertices), std::move(triangles));
}

inline Mesh TurnedOver(const Mesh& mesh, size_t first, size_t count) {
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  for (size_t i = first; i < triangles.size() && i - first < count; ++i) {
    std::swap(triangles[i][1], triangles[i][2]);
  }
  return Make({mesh.vertices().begin(), mesh.vertices().end()},
              std::move(triangles));
}

inline double AreaOf(const Triangle& t) {
  return Norm(Cross(t.b - t.a, t.c - t.a)) / 2;
}

inline std::vector<Named> Assortment() {
  return {{"one_triangle", OneTriangle()},
          {"cube", Cube()},
          {"tetrahedron", Tetrahedron()},
          {"icosphere", Icosphere(2)},
          {"torus", Torus(20, 10)},
          {"plane", Grid(12)},
          {"terrain", Grid(14, 0.2)},
          {"soup", Soup(300, 0.1)},
          {"dense_soup", Soup(100, 0.8)},
          {"needles", Needles(100)},
          {"degenerate_mix", DegenerateMix(200)},
          {"identical", Identical(50)},
          {"far_away", Icosphere(1, {0x1p20, -0x1p20, 0x1p20}, 0.5)},
          {"two_parts", Joined(Cube(), Icosphere(1, {3, 0, 0}))}};
}

}  // namespace orbox::meshes

#endif  // ORBOX_TESTS_SUPPORT_MESHES_H_
