// SPDX-License-Identifier: Apache-2.0

// From Boost.Geometry's rtree of triangle boxes. Comments show the code for
// Boost (bgi is boost::geometry::index); the code for Orbox is below each. The
// rtree reports boxes, whose triangles remain to be tested; Orbox tests the
// triangles. To keep Boost's own predicates, use
// orbox/bvh/boost_geometry/boost_geometry.h.
//
//   from_boost_rtree data
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

bool BoxesMeet(const orbox::Aabb& a, const orbox::Aabb& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y &&
         b.lo.y <= a.hi.y && a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Mesh mesh =
      OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"));

  // Boost: values of pair<Box, id>, a box for each triangle;
  //        bgi::rtree<Value, bgi::rstar<16>> tree(values.begin(), values.end())
  const orbox::Tree tree = OrExit(orbox::Build(mesh));
  const orbox::Aabb box{{0.25, 0, -0.25}, {1, 0.75, 0.25}};

  // Boost: tree.query(bgi::intersects(box), back_inserter(values)), and an
  //        exact test of each triangle found
  const std::vector<uint32_t> ids = orbox::AllOverlaps(tree, box);
  size_t candidates = 0;
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    candidates += BoxesMeet(orbox::BoundsOf(mesh.triangle(id)), box);
  }
  std::printf("intersects: %zu triangles, of %zu boxes\n", ids.size(),
              candidates);

  // Boost: tree.query(bgi::covered_by(box), ...)
  const auto covered = std::ranges::count_if(ids, [&](uint32_t id) {
    const orbox::Aabb b = orbox::BoundsOf(mesh.triangle(id));
    return orbox::Max(b.hi, box.hi) == box.hi &&
           orbox::Min(b.lo, box.lo) == box.lo;
  });
  std::printf("covered: %zu\n", static_cast<size_t>(covered));

  // Boost: tree.query(bgi::intersects(box) && bgi::satisfies(condition), ...)
  size_t even = 0;
  orbox::VisitOverlaps(tree, box, [&](uint32_t id) {
    even += id % 2 == 0;
    return orbox::Visit::kContinue;
  });
  std::printf("satisfies: %zu\n", even);

  // Boost: tree.qbegin(bgi::intersects(box)) == tree.qend()
  std::printf("empty: %s\n", orbox::AnyOverlap(tree, box) ? "no" : "yes");

  // Boost: tree.query(bgi::nearest(point, 3), ...), by the distance of boxes,
  //        and more of them than three until the triangles' are certain
  for (const auto& hit : orbox::KNearest(tree, {0.5, 0.25, 1}, 3)) {
    std::printf("nearest: %u at %.4f\n", hit.triangle, hit.distance);
  }

  // Boost: tree.remove(value), tree.insert(value)
  // A tree does not change: Refit where vertices move, Build where triangles
  // come and go. The bounds are the mesh's.
  std::printf("bounds: x to %.3f\n", tree.mesh().bounds().hi.x);
}
