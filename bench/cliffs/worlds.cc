// SPDX-License-Identifier: Apache-2.0

// Every query of one mesh that is degenerate, or of mixed scale.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "bench/cliffs/cliff.h"
#include "bench/cliffs/mesh_questions.h"
#include "tests/support/meshes.h"

namespace orbox::cliffs {
namespace {

constexpr size_t kProbes = 512;
constexpr size_t kSmallest = 2'000;

// About n triangles around the unit circle.
Mesh TorusOf(size_t n) {
  const int across = std::max(3, static_cast<int>(std::sqrt(n / 8.0)));
  const int around = static_cast<int>(n) / (2 * across);
  return meshes::Torus(std::max(around, 3), across);
}

Mesh GridOf(size_t n, double height) {
  return meshes::Grid(static_cast<int>(std::sqrt(n / 2.0)), height);
}

Triangle Shifted(const Triangle& t, const Vec3& by) {
  return {t.a + by, t.b + by, t.c + by};
}

constexpr Triangle kUnit = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

Mesh WithStray(size_t n, double away) {
  return meshes::Joined(
      TorusOf(n), meshes::FromTriangles({Shifted(kUnit, {away, away, away})}));
}

// A cap of one fan: all triangles share the apex.
Mesh Fan(size_t n) {
  std::vector<Vec3> vertices = {{0, 0, 0.5}};
  std::vector<TriangleIndices> triangles;
  const auto count = static_cast<uint32_t>(n);
  for (uint32_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    vertices.push_back({std::cos(angle), std::sin(angle), 0});
    triangles.push_back({0, i + 1, (i + 1) % count + 1});
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

// Triangles whose corners are on a line.
Mesh Segments(size_t n) {
  meshes::Random random(5);
  std::vector<Triangle> triangles;
  for (size_t i = 0; i < n; ++i) {
    const Vec3 a = random.Point(-1, 1);
    const Vec3 b = a + random.Point(-0.05, 0.05);
    triangles.push_back({a, b, b});
  }
  return meshes::FromTriangles(triangles);
}

Mesh PointsOnly(size_t n) {
  meshes::Random random(6);
  std::vector<Triangle> triangles;
  for (size_t i = 0; i < n; ++i) {
    const Vec3 a = random.Point(-1, 1);
    triangles.push_back({a, a, a});
  }
  return meshes::FromTriangles(triangles);
}

// A screw in a hall: a torus of 0.01 in a box of 12 triangles of 1e5.
Mesh ScrewInHall(size_t n) {
  return meshes::Joined(meshes::Scaled(TorusOf(n), 0.01),
                        meshes::Cube({-5e4, -5e4, -5e4}, 1e5));
}

// A torus in a hall three times as large.
Mesh TorusInHall(size_t n) {
  return meshes::Joined(TorusOf(n), meshes::Cube({-4, -4, -4}, 8));
}

Mesh At(size_t n, double offset) {
  return meshes::Moved(TorusOf(n),
                       Pose::Translation({offset, -offset, offset}));
}

// Closed boxes side by side, each flush with its neighbours.
Mesh FlushBoxes(size_t n) {
  const Mesh one = meshes::Cube();
  const auto across = static_cast<uint32_t>(std::max(1.0, std::cbrt(n / 12.0)));
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < across * across * across; ++i) {
    const Vec3 at = {static_cast<double>(i % across),
                     static_cast<double>(i / across % across),
                     static_cast<double>(i / across / across)};
    const auto first = static_cast<uint32_t>(vertices.size());
    for (const Vec3& v : one.vertices()) {
      vertices.push_back((at + v) * (2.0 / across) - Vec3{1, 1, 1});
    }
    for (const TriangleIndices& t : one.triangles()) {
      triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

// The boxes with gaps between them, turned.
Mesh LooseBoxes(size_t n) {
  const Mesh flush = FlushBoxes(n);
  std::vector<Vec3> vertices(flush.vertices().begin(), flush.vertices().end());
  for (size_t i = 0; i < vertices.size(); i += 8) {
    const Vec3 center = (vertices[i] + vertices[i + 7]) * 0.5;
    const Pose turn = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.001 * i);
    for (size_t k = i; k < i + 8; ++k) {
      vertices[k] = center + turn.Apply((vertices[k] - center) * 0.5);
    }
  }
  return meshes::Make(std::move(vertices),
                      {flush.triangles().begin(), flush.triangles().end()});
}

// In the plane z = 0, where the flat mesh is.
Probes InItsPlane(Probes probes) {
  for (Vec3& p : probes.points) p.z = 0;
  for (Ray& ray : probes.rays) {
    ray.origin.z = 0;
    ray.direction.z = 0;
  }
  for (Sphere& ball : probes.balls) ball.center.z = ball.radius;
  for (Aabb& box : probes.boxes) {
    box.hi.z -= box.lo.z;
    box.lo.z = 0;
  }
  return probes;
}

// At the apex of the fan, and through it.
Probes AtTheApex(Probes probes) {
  constexpr Vec3 kApex = {0, 0, 0.5};
  for (Vec3& p : probes.points) p.x = p.y = 0;
  for (Ray& ray : probes.rays) {
    // Multiples of 2^-20, so that rays pass exactly through it.
    for (size_t i = 0; i < 3; ++i) {
      ray.origin[i] = meshes::Rounded(ray.origin[i]);
    }
    ray.direction = kApex - ray.origin;
  }
  for (Sphere& ball : probes.balls) ball.center = kApex;
  for (Aabb& box : probes.boxes) {
    const Vec3 half = box.HalfExtents();
    box = {kApex - half, kApex + half};
  }
  return probes;
}

struct World {
  const char* name;
  Mesh (*make)(size_t n);
  Mesh (*general)(size_t n);
  // Half a side of the query's box, and its center.
  double focus;
  double offset;
  // Further change of the probes, if any.
  Probes (*aim)(Probes probes) = nullptr;
};

Mesh RandomSoup(size_t n) { return meshes::Soup(n, 0.05, 3); }

constexpr World kWorlds[] = {
    {"flat", [](size_t n) { return GridOf(n, 0); },
     [](size_t n) { return GridOf(n, 0.1); }, 1, 0},
    {"flat_in_its_plane", [](size_t n) { return GridOf(n, 0); },
     [](size_t n) { return GridOf(n, 0.1); }, 1, 0, InItsPlane},
    {"boxes_flush", FlushBoxes, LooseBoxes, 1, 0},
    {"stray_1e5", [](size_t n) { return WithStray(n, 1e5); }, TorusOf, 1.25, 0},
    {"stray_1e6", [](size_t n) { return WithStray(n, 1e6); }, TorusOf, 1.25, 0},
    {"stray_1e12", [](size_t n) { return WithStray(n, 1e12); }, TorusOf, 1.25,
     0},
    {"duplicates", meshes::Identical, RandomSoup, 1, 0},
    {"fan", Fan, TorusOf, 1, 0},
    {"fan_apex", Fan, TorusOf, 1, 0, AtTheApex},
    {"needles", [](size_t n) { return meshes::Needles(n); }, RandomSoup, 1, 0},
    {"segments", Segments, RandomSoup, 1, 0},
    {"points", PointsOnly, RandomSoup, 1, 0},
    {"screw_in_hall", ScrewInHall, TorusInHall, 0.0125, 0},
    {"offset_1e6", [](size_t n) { return At(n, 1e6); }, TorusOf, 1.25, 1e6},
    {"offset_1e9", [](size_t n) { return At(n, 1e9); }, TorusOf, 1.25, 1e9},
    {"offset_1e12", [](size_t n) { return At(n, 1e12); }, TorusOf, 1.25, 1e12},
    {"size_1e-43", [](size_t n) { return meshes::Scaled(TorusOf(n), 1e-43); },
     TorusOf, 1.25e-43, 0},
    {"size_1e59", [](size_t n) { return meshes::Scaled(TorusOf(n), 1e59); },
     TorusOf, 1.25e59, 0}};

QueriedMesh Queried(Mesh mesh, double focus, double offset,
                    Probes (*aim)(Probes probes)) {
  const Vec3 center{offset, -offset, offset};
  const Vec3 half = Vec3{1, 1, 1} * focus;
  Probes probes = ProbesAround({center - half, center + half}, kProbes);
  if (aim != nullptr) probes = aim(std::move(probes));
  return {std::move(mesh), std::move(probes), focus + std::abs(offset)};
}

}  // namespace

void AppendWorldCliffs(std::vector<Cliff>* cliffs) {
  for (const World& world : kWorlds) {
    for (const MeshQuestion& question : MeshQuestions()) {
      cliffs->push_back(
          {world.name,
           std::string(question.name),
           "generated",
           {kSmallest, 4 * kSmallest, 16 * kSmallest},
           [&world, &question](size_t n) {
             return MeshTrial(
                 question,
                 Queried(world.make(n), world.focus, world.offset, world.aim),
                 Queried(world.general(n), 1.25, 0, nullptr));
           }});
    }
  }
}

}  // namespace orbox::cliffs
