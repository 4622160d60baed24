// SPDX-License-Identifier: Apache-2.0

// Compares Orbox with CGAL's exact kernel (cgal_shapes.h), mesh by mesh: all
// pairs, ranges, closest points, rays, inside and outside, self-intersections.
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <boost/iterator/function_output_iterator.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "tests/differential/cgal_shapes.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using cgal::Holds;
using cgal::Kernel;
using cgal::Number;
using cgal::ToCgal;

using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive =
    CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using CgalTree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

Triangles TrianglesOf(const Mesh& mesh) {
  Triangles triangles;
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    triangles.push_back(ToCgal(mesh.triangle(id)));
  }
  return triangles;
}

// A mesh in both libraries.
struct Both {
  explicit Both(Mesh m)
      : mesh(std::move(m)),
        tree(Build(mesh).value()),
        triangles(TrianglesOf(mesh)),
        cgal(triangles.cbegin(), triangles.cend()) {}
  Both(const Both&) = delete;

  uint32_t IdOf(Triangles::const_iterator t) const {
    return static_cast<uint32_t>(t - triangles.cbegin());
  }
  template <typename Shape>
  std::vector<uint32_t> AllMeeting(const Shape& shape) const {
    std::vector<uint32_t> ids;
    cgal.all_intersected_primitives(
        shape,
        boost::make_function_output_iterator(
            [&](Triangles::const_iterator t) { ids.push_back(IdOf(t)); }));
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  Mesh mesh;
  Tree tree;
  Triangles triangles;
  CgalTree cgal;
};

// Two meshes: cubes and tori in contact, crossing, apart, far away and tiny.
std::vector<std::pair<Mesh, Mesh>> MeshPairs() {
  using meshes::Cube;
  const Mesh torus = meshes::Torus(16, 8);
  const Mesh ball = meshes::Icosphere(2, {1, 0.25, 0}, 0.5);
  std::vector<std::pair<Mesh, Mesh>> pairs;
  for (const Vec3& by : {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1},
                         Vec3{0, 0, 0}, Vec3{0.5, 0, 0}, Vec3{1, 0.5, 0.25},
                         Vec3{2, 0, 0}, Vec3{0.1, 0.2, 1}}) {
    pairs.emplace_back(Cube(), Cube(by));
  }
  for (const double scale : {1.0, 0x1p-30, 1e-9}) {
    for (const Vec3& by : {Vec3{}, Vec3{0x1p20, 0x1p20, 0}, Vec3{3.3, 0, 0}}) {
      const Pose pose = Pose::Translation(by);
      pairs.emplace_back(meshes::Moved(meshes::Scaled(torus, scale), pose),
                         meshes::Moved(meshes::Scaled(ball, scale), pose));
    }
  }
  pairs.emplace_back(torus, torus);
  pairs.emplace_back(
      meshes::Grid(8),
      meshes::Moved(meshes::Grid(8), Pose::Translation({0.0625, 0.03125, 0})));
  pairs.emplace_back(meshes::Soup(150, 0.3, 1), meshes::Soup(150, 0.3, 2));
  pairs.emplace_back(meshes::Needles(100, 1), meshes::Needles(100, 2));
  return pairs;
}

TEST(CgalMeshDifferential, AllMeetingPairsAreTheSame) {
  size_t total = 0;
  for (const auto& [a, b] : MeshPairs()) {
    const Both first(a);
    const Both second(b);
    std::vector<TrianglePair> expected;
    bool any = false;
    for (uint32_t j = 0; j < b.triangle_count(); ++j) {
      any = any || first.cgal.do_intersect(second.triangles[j]);
      for (const uint32_t i : first.AllMeeting(second.triangles[j])) {
        expected.push_back({i, j});
      }
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(AllOverlaps(first.tree, second.tree), expected);
    EXPECT_EQ(AnyOverlap(first.tree, second.tree), any);
    EXPECT_EQ(any, !expected.empty());
    total += expected.size();
  }
  std::printf("%zu meeting pairs\n", total);
}

TEST(CgalMeshDifferential, ClosestPointsAndRangesAreTheSame) {
  for (const auto& [mesh, other] : MeshPairs()) {
    const Both both(mesh);
    for (size_t j = 0; j < other.vertex_count(); j += 7) {
      const Vec3 p = other.vertices()[j];
      const Number squared = both.cgal.squared_distance(ToCgal(p));
      const SurfacePoint closest = *ClosestPoint(both.tree, p);
      const Triangle reported = mesh.triangle(closest.triangle);
      const DistanceInterval d = BoundsOfDistance(both.tree, p, closest);
      const Number lower(d.lower);
      const Number upper(d.upper);
      EXPECT_TRUE(lower * lower <= squared && squared <= upper * upper);
      EXPECT_EQ(d.lower == d.upper, lower * lower == squared);
      EXPECT_TRUE(Holds(BoundsOfSquaredDistance(p, reported),
                        CGAL::squared_distance(ToCgal(p), ToCgal(reported))));
      const Vec3 half = (mesh.bounds().hi - mesh.bounds().lo) * 0.25;
      const Kernel::Iso_cuboid_3 box(ToCgal(p - half), ToCgal(p + half));
      if (half.x > 0 && half.y > 0 && half.z > 0) {
        EXPECT_EQ(AllOverlaps(both.tree, Aabb{p - half, p + half}),
                  both.AllMeeting(box));
      }
    }
  }
}

TEST(CgalMeshDifferential, RaysAtVerticesAndEdgesAreTheSame) {
  for (const auto& [mesh, other] : MeshPairs()) {
    const Both both(mesh);
    meshes::Random random(5);
    for (size_t j = 0; j < 60; ++j) {
      const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
      const Vec3 from = other.vertices()[random.Below(other.vertex_count())];
      const Vec3 to = j % 2 == 0 ? t.a : t.a + (t.b - t.a) * 0.5;
      const Vec3 d = to - from;
      if (d == Vec3{}) continue;
      const Kernel::Ray_3 ray(ToCgal(from), Kernel::Vector_3(d.x, d.y, d.z));
      std::vector<uint32_t> hits;
      for (const RayHit& hit : AllHits(both.tree, {from, d})) {
        hits.push_back(hit.triangle);
      }
      std::sort(hits.begin(), hits.end());
      EXPECT_EQ(hits, both.AllMeeting(ray));
      EXPECT_EQ(AnyHit(both.tree, {from, d}), both.cgal.do_intersect(ray));
    }
  }
}

Surface ToSurface(const Mesh& mesh) {
  Surface surface;
  for (const Vec3& p : mesh.vertices()) surface.add_vertex(ToCgal(p));
  for (const TriangleIndices& t : mesh.triangles()) {
    surface.add_face(Surface::Vertex_index(t[0]), Surface::Vertex_index(t[1]),
                     Surface::Vertex_index(t[2]));
  }
  return surface;
}

TEST(CgalMeshDifferential, InsideIsTheSame) {
  int points = 0;
  for (const Mesh& mesh : {meshes::Cube(), meshes::Torus(12, 8),
                           meshes::Icosphere(2), meshes::Tetrahedron()}) {
    const Surface surface = ToSurface(mesh);
    const CGAL::Side_of_triangle_mesh<Surface, Kernel> side(surface);
    const Tree tree = Build(mesh).value();
    const SignedDistanceField field = SignedDistanceField::Create(tree).value();
    meshes::Random random(6);
    for (int i = 0; i < 400; ++i) {
      const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
      // On the surface, level with vertices, and anywhere.
      Vec3 p = random.Point(-1.25, 1.25);
      if (i % 4 == 0) p = {p.x, t.a.y, t.a.z};
      if (i % 4 == 1) p = {p.x, (t.a + (t.b - t.a) * 0.5).y, t.a.z};
      if (i % 4 == 2) p = t.a + (t.b - t.a) * 0.5;
      EXPECT_EQ(field.IsInside(p), side(ToCgal(p)) == CGAL::ON_BOUNDED_SIDE)
          << i;
      EXPECT_EQ(ClosestPoint(tree, p)->distance == 0,
                side(ToCgal(p)) == CGAL::ON_BOUNDARY)
          << i;
      ++points;
    }
  }
  std::printf("%d points\n", points);
}

TEST(CgalMeshDifferential, SelfIntersectionsAreTheSame) {
  size_t total = 0;
  std::vector<Mesh> meshes_to_query{meshes::Cube(), meshes::Torus(16, 8),
                                    meshes::Grid(6), meshes::Grid(6, 0.5),
                                    meshes::Soup(120, 0.4, 3)};
  // Crumpled: vertices moved by more than an edge.
  for (const double by : {0.05, 0.2, 0.5}) {
    const Mesh torus = meshes::Torus(16, 8);
    std::vector<Vec3> vertices(torus.vertices().begin(),
                               torus.vertices().end());
    meshes::Random random(7);
    for (Vec3& p : vertices) p += random.Point(-by, by);
    // And once on a lattice, so that edges fold flat and corners touch.
    for (const bool rounds : {false, true}) {
      std::vector<Vec3> moved = vertices;
      if (rounds) {
        for (Vec3& p : moved) {
          for (size_t k = 0; k < 3; ++k) p[k] = std::round(p[k] * 4) / 4;
        }
      }
      meshes_to_query.push_back(Mesh::Create(moved, {torus.triangles().begin(),
                                                     torus.triangles().end()})
                                    .value());
    }
  }
  int queried = 0;
  for (const Mesh& mesh : meshes_to_query) {
    const Surface surface = ToSurface(mesh);
    const auto has_area = [](const Kernel::Triangle_3& t) {
      return !t.is_degenerate();
    };
    const Triangles triangles = TrianglesOf(mesh);
    if (!std::all_of(triangles.begin(), triangles.end(), has_area)) continue;
    std::vector<std::pair<Surface::Face_index, Surface::Face_index>> pairs;
    CGAL::Polygon_mesh_processing::self_intersections(
        surface, std::back_inserter(pairs));
    std::vector<TrianglePair> expected;
    for (const auto& [f, g] : pairs) {
      const uint32_t i = f;
      const uint32_t j = g;
      expected.push_back({std::min(i, j), std::max(i, j)});
    }
    std::sort(expected.begin(), expected.end());
    const Tree tree = Build(mesh).value();
    EXPECT_EQ(AllSelfOverlaps(tree, SharedCorners::kByIndex), expected);
    total += expected.size();
    ++queried;
  }
  EXPECT_GE(queried, 8);
  std::printf("%d meshes, %zu pairs\n", queried, total);
}

// CGAL's tree as most use it for speed, with numbers in double: rays from
// inside a closed mesh at its vertices and edges.
TEST(CgalMeshDifferential, RaysFromInsideInDouble) {
  using Double = CGAL::Simple_cartesian<double>;
  using Faces = std::vector<Double::Triangle_3>;
  using Face = CGAL::AABB_triangle_primitive<Double, Faces::const_iterator>;
  const Mesh ball = meshes::Icosphere(4);
  const auto point = [](const Vec3& p) {
    return Double::Point_3(p.x, p.y, p.z);
  };
  Faces faces;
  for (size_t id = 0; id < ball.triangle_count(); ++id) {
    const Triangle t = ball.triangle(id);
    faces.emplace_back(point(t.a), point(t.b), point(t.c));
  }
  const CGAL::AABB_tree<CGAL::AABB_traits<Double, Face>> in_double(
      faces.cbegin(), faces.cend());
  const Tree tree = Build(ball).value();
  meshes::Random random(8);
  constexpr int kRays = 20'000;
  int lost = 0;
  for (int i = 0; i < kRays; ++i) {
    const Vec3 from = random.Point(-0.4, 0.4);
    const Triangle t = ball.triangle(random.Below(ball.triangle_count()));
    const Vec3 to = i % 2 == 0 ? t.a : t.a + (t.b - t.a) * random.Uniform(0, 1);
    const Vec3 d = to - from;
    EXPECT_TRUE(AnyHit(tree, {from, d})) << i;
    lost += in_double.do_intersect(
                Double::Ray_3(point(from), Double::Vector_3(d.x, d.y, d.z)))
                ? 0
                : 1;
  }
  std::printf("%d rays from inside a closed mesh: CGAL in double loses %d\n",
              kRays, lost);
}

}  // namespace
}  // namespace orbox
