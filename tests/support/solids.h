// SPDX-License-Identifier: Apache-2.0

// Closed meshes whose common regions are known: boxes, prisms.
//
//   Mesh wall = solids::Box({{0, 0, 0}, {4, 0.3, 3}});
//   Mesh pipe = solids::Prism(32, 0.05, {1, -1, 1}, {0, 2, 0});
#ifndef ORBOX_TESTS_SUPPORT_SOLIDS_H_
#define ORBOX_TESTS_SUPPORT_SOLIDS_H_

#include <cmath>
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

using meshes::TurnedOver;

// Without its first triangle.
inline Mesh Opened(const Mesh& mesh) {
  return Mesh::Create({mesh.vertices().begin(), mesh.vertices().end()},
                      {mesh.triangles().begin() + 1, mesh.triangles().end()})
      .value();
}

}  // namespace orbox::solids

#endif  // ORBOX_TESTS_SUPPORT_SOLIDS_H_
