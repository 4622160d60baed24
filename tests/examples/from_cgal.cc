// SPDX-License-Identifier: Apache-2.0

// From CGAL's AABB tree: one mesh. Comments show the code for CGAL; the code
// for Orbox is below each. Triangles have numbers, not iterators.
//
//   from_cgal data
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";

  // CGAL:  AABB_tree<Traits> tree(faces(mesh).first, faces(mesh).second, mesh);
  //        tree.accelerate_distance_queries();
  // The tree is whole when it is built, and any thread may query it.
  const orbox::Tree tree = OrExit(
      orbox::Build(OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"))));

  // CGAL:  tree.squared_distance(p); tree.closest_point(p);
  //        tree.closest_point_and_primitive(p)
  // All in one, and the distance itself, correctly rounded.
  const auto closest = orbox::ClosestPoint(tree, {2, 0, 0});
  std::printf("closest: triangle %u, distance %.4f, x = %.4f\n",
              closest->triangle, closest->distance, closest->point.x);

  // CGAL:  tree.do_intersect(ray); tree.do_intersect(segment)
  const orbox::Ray ray{{2, 0.01, 0.02}, {-1, 0, 0}};
  const orbox::Ray segment{ray.origin, ray.direction, 0, /*max_t=*/0.5};
  std::printf("ray: %s; segment: %s\n", orbox::AnyHit(tree, ray) ? "yes" : "no",
              orbox::AnyHit(tree, segment) ? "yes" : "no");

  // CGAL:  tree.first_intersection(ray), a variant of point and segment
  // Always a point: the first that triangle and ray have in common.
  const auto hit = orbox::ClosestHit(tree, ray);
  if (hit) std::printf("first: triangle %u, t = %.4f\n", hit->triangle, hit->t);

  // CGAL:  tree.number_of_intersected_primitives(ray);
  //        tree.all_intersections(ray, output)
  std::printf("all: %zu\n", orbox::AllHits(tree, ray).size());

  // CGAL:  tree.all_intersected_primitives(box, output)
  const orbox::Aabb box{{0, 0, -0.25}, {1, 1, 0.25}};
  std::printf("box: %zu\n", orbox::AllOverlaps(tree, box).size());

  // CGAL:  tree.all_intersected_primitives(plane, output)
  // A plane is two half-spaces, back to back.
  const std::vector<orbox::HalfSpace> plane = {{{0, 0, 1}, 0.125},
                                               {{0, 0, -1}, -0.125}};
  std::printf("plane: %zu\n", orbox::AllOverlaps(tree, plane).size());

  // CGAL:  Side_of_triangle_mesh<Mesh, Kernel> side(mesh); side(p)
  const auto field = OrExit(orbox::SignedDistanceField::Create(tree));
  std::printf("inside: %s and %s\n",
              field.IsInside({1.25, 0, 0}) ? "yes" : "no",
              field.IsInside({0, 0, 0}) ? "yes" : "no");

  // CGAL:  Polygon_mesh_processing::self_intersections(mesh, output)
  std::printf("self-intersections: %zu\n", orbox::AllSelfOverlaps(tree).size());
}
