// SPDX-License-Identifier: Apache-2.0

// The C++ of the page "Inside" (tools/docs/inside.md).
#include <cstdio>
#include <optional>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

// Boxes of one mesh, each by its lowest and highest corner.
orbox::Tree BoxesOf(const std::vector<orbox::Aabb>& boxes) {
  std::vector<orbox::Vec3> vertices;
  std::vector<orbox::TriangleIndices> triangles;
  for (const orbox::Aabb& box : boxes) {
    const auto first = static_cast<uint32_t>(vertices.size());
    for (int i = 0; i < 8; ++i) {
      vertices.push_back({(i & 1) != 0 ? box.hi.x : box.lo.x,
                          (i & 2) != 0 ? box.hi.y : box.lo.y,
                          (i & 4) != 0 ? box.hi.z : box.lo.z});
    }
    const orbox::TriangleIndices faces[] = {
        {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (const orbox::TriangleIndices& t : faces) {
      triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
  return OrExit(orbox::Build(OrExit(orbox::Mesh::Create(vertices, triangles))));
}

const char* YesOrNo(bool yes) { return yes ? "yes" : "no"; }

}  // namespace

int main() {
  // Two boxes that overlap, and a point in both.
  const orbox::Tree tree =
      BoxesOf({{{0, 0, 0}, {2, 2, 2}}, {{1, 0, 0}, {3, 2, 2}}});
  const orbox::Vec3 p{1.5, 1, 1};
  const orbox::Pose pose = orbox::Pose::Translation({0.25, 0, 0});

  // [rule]
  // By winding numbers, and by parity; and of the mesh at a pose.
  const bool inside = orbox::IsInside(tree, p);
  const bool by_parity = orbox::IsInside(tree, p, orbox::InsideRule::kParity);
  const orbox::PosedTree moved = OrExit(orbox::PosedTree::Create(tree, pose));
  const bool inside_moved = orbox::IsInside(moved, p);
  const std::optional<int> number = orbox::WindingNumber(tree, p);
  // [rule]
  std::printf("inside: %s\nby parity: %s\nmoved: %s\nwinding number: %d\n",
              YesOrNo(inside), YesOrNo(by_parity), YesOrNo(inside_moved),
              number.value_or(0));
  std::printf("faces agree: %s\n", YesOrNo(orbox::DoFacesAgree(tree.mesh())));
}
