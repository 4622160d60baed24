// SPDX-License-Identifier: Apache-2.0

// Closed meshes whose common regions are known: boxes, prisms, tubes.
//
//   Mesh wall = solids::Box({{0, 0, 0}, {4, 0.3, 3}});
//   Mesh pipe = solids::Prism(32, 0.05, {1, -1, 1}, {0, 2, 0});
#ifndef ORBOX_TESTS_SUPPORT_SOLIDS_H_
#define ORBOX_TESTS_SUPPORT_SOLIDS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/shapes.h"
#include "tests/support/meshes.h"

namespace orbox::solids {

inline Mesh Box(const Aabb& box) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({(i & 1) != 0 ? box.hi.x : box.lo.x,
                       (i & 2) != 0 ? box.hi.y : box.lo.y,
                       (i & 4) != 0 ? box.hi.z : box.lo.z});
  }
  return Mesh::Create(std::move(corners), {{0, 2, 1},
                                           {1, 2, 3},
                                           {4, 5, 6},
                                           {5, 7, 6},
                                           {0, 1, 4},
                                           {1, 5, 4},
                                           {2, 6, 3},
                                           {3, 6, 7},
                                           {0, 4, 2},
                                           {2, 4, 6},
                                           {1, 3, 5},
                                           {3, 7, 5}})
      .value();
}

// A regular polygon of `sides` corners, `radius` from its middle `from`, drawn
// out along `along`.
inline Mesh Prism(uint32_t sides, double radius, const Vec3& from,
                  const Vec3& along) {
  const Vec3 n = DirectionOf(along);
  const Vec3 u = DirectionOf(
      Cross(n, std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
  const Vec3 v = Cross(n, u);
  std::vector<Vec3> corners;
  for (const Vec3& middle : {from, from + along}) {
    for (uint32_t i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      corners.push_back(middle + u * (radius * std::cos(angle)) +
                        v * (radius * std::sin(angle)));
    }
  }
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < sides; ++i) {
    const uint32_t j = (i + 1) % sides;
    triangles.push_back({i, j, sides + i});
    triangles.push_back({j, sides + j, sides + i});
    if (i + 2 >= sides) continue;
    triangles.push_back({0, i + 2, i + 1});
    triangles.push_back({sides, sides + i + 1, sides + i + 2});
  }
  return Mesh::Create(std::move(corners), std::move(triangles)).value();
}

// A tube of `sides` sides around the z axis: 8 * sides triangles.
inline Mesh Tube(uint32_t sides, double outer, double inner, double height) {
  std::vector<Vec3> vertices;
  for (const double z : {0.0, height}) {
    for (const double r : {outer, inner}) {
      for (uint32_t i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides;
        vertices.push_back({r * std::cos(angle), r * std::sin(angle), z});
      }
    }
  }
  std::vector<TriangleIndices> triangles;
  const auto quad = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  };
  for (uint32_t i = 0; i < sides; ++i) {
    const uint32_t j = (i + 1) % sides;
    const uint32_t n = sides;
    quad(i, j, 2 * n + j, 2 * n + i);                  // outside
    quad(n + j, n + i, 3 * n + i, 3 * n + j);          // inside
    quad(j, i, n + i, n + j);                          // below
    quad(2 * n + i, 2 * n + j, 3 * n + j, 3 * n + i);  // above
  }
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

using meshes::TurnedOver;

// Without its first triangle.
inline Mesh Opened(const Mesh& mesh) {
  return Mesh::Create({mesh.vertices().begin(), mesh.vertices().end()},
                      {mesh.triangles().begin() + 1, mesh.triangles().end()})
      .value();
}

// All boxes as one mesh. Requires at least one.
inline Mesh UnionOf(const std::vector<Aabb>& boxes) {
  Mesh mesh = Box(boxes[0]);
  for (size_t i = 1; i < boxes.size(); ++i) {
    mesh = meshes::Joined(mesh, Box(boxes[i]));
  }
  return mesh;
}

// Up to three boxes with corners in 0 .. `size`, which is at least 5. No two of
// their sides are flush, so that boundaries are the same by both rules of
// inside, except in walls, and boxes that are turned have no cracks.
inline std::vector<Aabb> BoxesWithoutFlushSides(meshes::Random& random,
                                                int size) {
  std::vector<Aabb> boxes(1 + random.Below(3));
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<int> places(static_cast<size_t>(size) + 1);
    for (size_t i = 1; i < places.size(); ++i) {
      places[i] = static_cast<int>(i);
      std::swap(places[i], places[random.Below(i + 1)]);
    }
    for (size_t i = 0; i < boxes.size(); ++i) {
      boxes[i].lo[axis] = std::min(places[2 * i], places[2 * i + 1]);
      boxes[i].hi[axis] = std::max(places[2 * i], places[2 * i + 1]);
    }
  }
  return boxes;
}

}  // namespace orbox::solids

#endif  // ORBOX_TESTS_SUPPORT_SOLIDS_H_
