// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/generate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/mesh_bytes.h"

namespace orbox {
namespace {

using testing::HasSubstr;

const std::set<std::string> kClosed = {
    "torus_knot", "linked_knot", "torus", "sphere", "box", "cylinder", "gear"};

Mesh Generate(const std::string& shape, size_t triangles, uint64_t seed = 1) {
  const absl::StatusOr<Mesh> mesh =
      GenerateMesh({.shape = shape, .triangles = triangles, .seed = seed});
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  return *mesh;
}

std::vector<std::string> ShapeNames() {
  std::vector<std::string> names;
  for (const GeneratedShape& s : GeneratedShapes()) names.emplace_back(s.name);
  return names;
}

// FNV-1a over the bytes that the mesh is written as.
uint64_t Fingerprint(const Mesh& mesh) {
  uint64_t hash = 0xcbf29ce484222325u;
  const std::string bytes = *EncodeMesh(mesh, MeshFormat::kPly);
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

double Volume(const Mesh& mesh) {
  double six = 0;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    six += Dot(t.a, Cross(t.b, t.c));
  }
  return six / 6;
}

TEST(GenerateMeshTest, NumbersOfTrianglesComeNear) {
  for (const std::string& shape : ShapeNames()) {
    EXPECT_GE(Generate(shape, 1).triangle_count(), 1u);
    for (const size_t wanted : {5000, 20000}) {
      const auto got =
          static_cast<double>(Generate(shape, wanted).triangle_count());
      EXPECT_NEAR(got, static_cast<double>(wanted), 0.08 * wanted) << shape;
    }
  }
  for (const std::string shape : {"soup", "needles"}) {
    EXPECT_EQ(Generate(shape, 1).triangle_count(), 1u);
    EXPECT_EQ(Generate(shape, 1237).triangle_count(), 1237u);
  }
  for (const std::string shape : {"torus_knot", "linked_knot", "torus"}) {
    EXPECT_EQ(Generate(shape, 100000).triangle_count(), 100000u);
  }
}

TEST(GenerateMeshTest, ClosedShapesAreWatertightAndFaceOutward) {
  for (const std::string& shape : ShapeNames()) {
    for (const size_t triangles : {1, 40, 200, 3000}) {
      SCOPED_TRACE(shape + " " + std::to_string(triangles));
      const Mesh mesh = Generate(shape, triangles);
      ASSERT_EQ(IsClosed(mesh), kClosed.count(shape) == 1);
      if (!IsClosed(mesh)) continue;
      // Each side is passed once in each direction.
      std::map<std::pair<uint32_t, uint32_t>, int> sides;
      for (const TriangleIndices& t : mesh.triangles()) {
        for (size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
      }
      for (const auto& [side, count] : sides) {
        ASSERT_EQ(count, 1);
        ASSERT_EQ(sides.count({side.second, side.first}), 1u);
      }
      EXPECT_GT(Volume(mesh), 0.1);
    }
  }
}

TEST(GenerateMeshTest, NothingIsDegenerateOrUnused) {
  for (const std::string& shape : ShapeNames()) {
    const Mesh mesh = Generate(shape, 4000);
    EXPECT_EQ(mesh.degenerate_count(), 0u) << shape;
    std::set<uint32_t> used;
    for (const TriangleIndices& t : mesh.triangles()) {
      used.insert(t.begin(), t.end());
    }
    EXPECT_EQ(used.size(), mesh.vertex_count()) << shape;
  }
}

TEST(GenerateMeshTest, ShapesAreWhatTheySay) {
  EXPECT_NEAR(Volume(Generate("sphere", 50000)), 4 * M_PI / 3, 0.01);
  EXPECT_NEAR(Volume(Generate("torus", 50000)), 2 * M_PI * M_PI / 16, 0.01);
  EXPECT_NEAR(Volume(Generate("cylinder", 50000)), M_PI / 4, 0.01);
  EXPECT_NEAR(Volume(Generate("box", 5000)), 1, 1e-12);
  const Mesh unit_sphere = Generate("sphere", 5000);
  for (const Vec3& v : unit_sphere.vertices()) {
    ASSERT_NEAR(Norm(v), 1, 1e-15);
  }
  const Mesh plane = Generate("plane", 5000);
  for (const Vec3& v : plane.vertices()) {
    ASSERT_EQ(v.z, 0);
  }
  // The extreme points of these are exact, so that they can touch exactly.
  const Aabb sphere = Generate("sphere", 1000).bounds();
  EXPECT_EQ(sphere.lo, (Vec3{-1, -1, -1}));
  EXPECT_EQ(sphere.hi, (Vec3{1, 1, 1}));
  const Aabb torus = Generate("torus", 1000).bounds();
  EXPECT_EQ(torus.lo, (Vec3{-1.25, -1.25, -0.25}));
  EXPECT_EQ(torus.hi, (Vec3{1.25, 1.25, 0.25}));
  EXPECT_EQ(Generate("torus_knot", 1000).bounds().hi.x, 1.375);
}

TEST(GenerateMeshTest, SeedsMatterWhereTheShapeIsRandom) {
  for (const std::string& shape : ShapeNames()) {
    const bool is_random =
        shape == "terrain" || shape == "soup" || shape == "needles";
    EXPECT_EQ(Fingerprint(Generate(shape, 500, 1)) !=
                  Fingerprint(Generate(shape, 500, 2)),
              is_random)
        << shape;
  }
}

// Hashes of meshes, computed once. No compiler, library or machine may change
// them.
TEST(GenerateMeshTest, BytesAreTheSameEverywhere) {
  const std::map<std::string, uint64_t> expected = {
      {"torus_knot", 0xb9dfed5f97d2deffu}, {"linked_knot", 0xc8a22a280d02a203u},
      {"torus", 0xb7601dc32331748eu},      {"sphere", 0xec9622778bd93981u},
      {"box", 0x6fcef69d6d84f000u},        {"cylinder", 0x14e353b73cad72ccu},
      {"gear", 0x43def456ced45994u},       {"plane", 0x378dfbcc864959d6u},
      {"terrain", 0x85eeaf69940156bbu},    {"soup", 0xd4f8167ae2c61137u},
      {"needles", 0xdfa980cca23daf7du},
  };
  for (const std::string& shape : ShapeNames()) {
    ASSERT_EQ(expected.count(shape), 1u) << shape;
    EXPECT_EQ(Fingerprint(Generate(shape, 2000, 7)), expected.at(shape))
        << shape << ": now 0x" << std::hex
        << Fingerprint(Generate(shape, 2000, 7));
  }
}

TEST(GenerateMeshTest, Errors) {
  const absl::StatusOr<Mesh> unknown = GenerateMesh({.shape = "teapot"});
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unknown.status().message()),
              testing::AllOf(HasSubstr("'teapot'"), HasSubstr("torus_knot"),
                             HasSubstr("needles")));
  for (const size_t triangles : {size_t{0}, Mesh::kMaxTriangles + 1,
                                 std::numeric_limits<size_t>::max()}) {
    const absl::StatusOr<Mesh> mesh =
        GenerateMesh({.shape = "box", .triangles = triangles});
    EXPECT_EQ(mesh.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(mesh.status().message()), HasSubstr("1 to"));
  }
}

// ---- The linked knots, which demonstrate clearance.

// All pairs of triangles of the two that meet, by sweeping along y.
std::vector<std::pair<size_t, size_t>> MeetingPairs(const Mesh& a,
                                                    const Mesh& b) {
  auto sorted = [](const Mesh& mesh) {
    std::vector<std::pair<Aabb, size_t>> boxes;
    for (size_t i = 0; i < mesh.triangle_count(); ++i) {
      boxes.emplace_back(BoundsOf(mesh.triangle(i)), i);
    }
    std::sort(boxes.begin(), boxes.end(), [](const auto& p, const auto& q) {
      return p.first.lo.y < q.first.lo.y;
    });
    return boxes;
  };
  const auto boxes_a = sorted(a);
  const auto boxes_b = sorted(b);
  double widest = 0;
  for (const auto& [box, id] : boxes_b) {
    widest = std::max(widest, box.hi.y - box.lo.y);
  }
  std::vector<std::pair<size_t, size_t>> pairs;
  for (const auto& [box_a, i] : boxes_a) {
    auto at = std::lower_bound(
        boxes_b.begin(), boxes_b.end(), box_a.lo.y - 2 * widest,
        [](const auto& p, double y) { return p.first.lo.y < y; });
    for (; at != boxes_b.end() && at->first.lo.y <= box_a.hi.y; ++at) {
      if (Overlaps(a.triangle(i), b.triangle(at->second))) {
        pairs.emplace_back(i, at->second);
      }
    }
  }
  return pairs;
}

Mesh MovedAlongX(const Mesh& mesh, double by) {
  std::vector<Vec3> vertices = meshes::VerticesOf(mesh);
  for (Vec3& v : vertices) v.x += by;
  return *Mesh::Create(std::move(vertices), meshes::TrianglesOf(mesh));
}

TEST(LinkedKnotTest, ApartTouchingInOneVertexPenetrating) {
  for (const size_t triangles : {500, 4000}) {
    SCOPED_TRACE(triangles);
    const Mesh knot = Generate("torus_knot", triangles);
    const Mesh linked = Generate("linked_knot", triangles);
    EXPECT_TRUE(MeetingPairs(knot, linked).empty());
    EXPECT_TRUE(
        MeetingPairs(knot, MovedAlongX(linked, 0.25 - 0x1p-50)).empty());
    EXPECT_FALSE(MeetingPairs(knot, MovedAlongX(linked, 0.3125)).empty());

    const Mesh touching = MovedAlongX(linked, 0.25);
    const auto pairs = MeetingPairs(knot, touching);
    // Six triangles around the vertex of the one, and six of the other.
    EXPECT_EQ(pairs.size(), 36u);
    const Vec3 contact = {0.625, 0, 0};
    for (const auto& [i, j] : pairs) {
      const Triangle s = knot.triangle(i);
      const Triangle t = touching.triangle(j);
      EXPECT_TRUE(s.a == contact || s.b == contact || s.c == contact);
      EXPECT_TRUE(t.a == contact || t.b == contact || t.c == contact);
    }
  }
}

}  // namespace
}  // namespace orbox
