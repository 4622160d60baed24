// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/polygon.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/internal/triangle_stream.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

using mesh_internal::CutPolygon;
using mesh_internal::PolygonFacts;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<TriangleIndices> FanOf(size_t n) {
  std::vector<TriangleIndices> fan;
  for (uint32_t k = 2; k < n; ++k) fan.push_back({0, k - 1, k});
  return fan;
}

// Twice the area in the plane of x and y.
double Area2(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Expects triangles that turn as the polygon does, add up to its area, and have
// each side of the polygon once and each other side from both sides. Returns
// the triangles.
std::vector<TriangleIndices> ExpectCut(const std::vector<Vec3>& points) {
  std::vector<TriangleIndices> triangles = FanOf(points.size());
  double area = 0;
  for (const auto& [a, b, c] : triangles) {
    area += Area2(points[a], points[b], points[c]);
  }
  const PolygonFacts facts = CutPolygon(points, triangles);
  EXPECT_TRUE(facts.is_simple);
  EXPECT_TRUE(facts.is_planar);
  double sum = 0;
  std::map<std::pair<uint32_t, uint32_t>, int> sides;
  for (const auto& [a, b, c] : triangles) {
    const double own = Area2(points[a], points[b], points[c]);
    EXPECT_GT(own * area, 0) << a << " " << b << " " << c;
    sum += own;
    for (const auto& [from, to] : {std::pair(a, b), {b, c}, {c, a}}) {
      ++sides[{from, to}];
      --sides[{to, from}];
    }
  }
  EXPECT_NEAR(sum, area, 1e-12 * std::abs(area));
  const auto n = static_cast<uint32_t>(points.size());
  for (const auto& [side, count] : sides) {
    const bool forward = side.second == (side.first + 1) % n;
    const bool backward = side.first == (side.second + 1) % n;
    EXPECT_EQ(count, forward ? 1 : backward ? -1 : 0);
  }
  return triangles;
}

// In each plane of two axes, from both sides, from each first corner.
void ExpectCutEverywhere(const std::vector<Vec3>& points) {
  for (size_t first = 0; first < points.size(); ++first) {
    std::vector<Vec3> turned;
    for (size_t i = 0; i < points.size(); ++i) {
      turned.push_back(points[(first + i) % points.size()]);
    }
    const std::vector<TriangleIndices> cut = ExpectCut(turned);
    std::vector<Vec3> reversed(turned.rbegin(), turned.rend());
    ExpectCut(reversed);
    // Other planes have the same triangles.
    for (Vec3& p : turned) p = {7, p.x, p.y};
    std::vector<TriangleIndices> other = FanOf(turned.size());
    EXPECT_TRUE(CutPolygon(turned, other).is_simple);
    EXPECT_EQ(other, cut);
    for (Vec3& p : turned) p = {p.z, p.x, p.y};
    other = FanOf(turned.size());
    EXPECT_TRUE(CutPolygon(turned, other).is_simple);
    EXPECT_EQ(other, cut);
  }
}

TEST(PolygonTest, ConvexPolygonsAreFans) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) {
    const double angle = i * std::numbers::pi / 6;
    points.push_back({std::cos(angle), std::sin(angle), 0});
  }
  std::vector<TriangleIndices> triangles = FanOf(points.size());
  CutPolygon(points, triangles);
  EXPECT_EQ(triangles, FanOf(points.size()));
  // Corners within a side; no area at all.
  for (const std::vector<Vec3>& flat :
       {std::vector<Vec3>{
            {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}},
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}}) {
    triangles = FanOf(flat.size());
    EXPECT_TRUE(CutPolygon(flat, triangles).is_simple);
    EXPECT_EQ(triangles, FanOf(flat.size()));
  }
}

TEST(PolygonTest, ConcavePolygons) {
  // An arrow, an L, a U, a comb.
  ExpectCutEverywhere({{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}});
  ExpectCutEverywhere(
      {{0, 0, 0}, {6, 0, 0}, {6, 2, 0}, {2, 2, 0}, {2, 6, 0}, {0, 6, 0}});
  ExpectCutEverywhere({{0, 0, 0},
                       {3, 0, 0},
                       {3, 3, 0},
                       {2, 3, 0},
                       {2, 1, 0},
                       {1, 1, 0},
                       {1, 3, 0},
                       {0, 3, 0}});
  std::vector<Vec3> comb;
  for (int i = 0; i < 9; ++i) {
    comb.push_back({double(i), i % 2 == 0 ? 0.0 : 5.0, 0});
  }
  comb.push_back({8, -1, 0});
  comb.push_back({0, -1, 0});
  ExpectCutEverywhere(comb);
}

TEST(PolygonTest, CornersWithinASideStay) {
  ExpectCutEverywhere({{0, 0, 0},
                       {3, 0, 0},
                       {6, 0, 0},
                       {6, 2, 0},
                       {4, 2, 0},
                       {2, 2, 0},
                       {2, 6, 0},
                       {0, 6, 0},
                       {0, 3, 0}});
}

TEST(PolygonTest, BridgesLeadToHoles) {
  // A square with one hole, and with two; sides 4 and 1.
  ExpectCutEverywhere({{0, 0, 0},
                       {4, 0, 0},
                       {4, 4, 0},
                       {0, 4, 0},
                       {0, 0, 0},
                       {1, 1, 0},
                       {1, 2, 0},
                       {2, 2, 0},
                       {2, 1, 0},
                       {1, 1, 0}});
  ExpectCutEverywhere({{0, 0, 0},
                       {4, 0, 0},
                       {4, 4, 0},
                       {3.5, 3.5, 0},
                       {3.5, 3, 0},
                       {3, 3, 0},
                       {3, 3.5, 0},
                       {3.5, 3.5, 0},
                       {4, 4, 0},
                       {0, 4, 0},
                       {0, 0, 0},
                       {1, 1, 0},
                       {1, 2, 0},
                       {2, 2, 0},
                       {2, 1, 0},
                       {1, 1, 0}});
}

// Stars of random radii around a point: simple, with many concave corners.
TEST(PolygonTest, RandomStars) {
  meshes::Random random(4);
  for (int i = 0; i < 200; ++i) {
    const int n = 4 + static_cast<int>(random.Bits() % 200);
    std::vector<Vec3> points;
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * k / n;
      const double radius = random.Uniform(0.1, 1);
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), 3});
    }
    ExpectCut(points);
  }
}

// Spirals, whose ears are few at a time.
TEST(PolygonTest, ASpiral) {
  std::vector<Vec3> points;
  for (int k = 0; k < 400; ++k) {
    const double angle = 0.1 * k;
    points.push_back(
        {(1 + angle) * std::cos(angle), (1 + angle) * std::sin(angle), 0});
  }
  for (int k = 399; k >= 0; --k) {
    const double angle = 0.1 * k;
    points.push_back(
        {(2 + angle) * std::cos(angle), (2 + angle) * std::sin(angle), 0});
  }
  ExpectCut(points);
}

// Turned, so that no axis is along its sides.
std::vector<Vec3> Comb(int teeth) {
  std::vector<Vec3> points = {{-0.5, -1, 0}, {1.0 * teeth, -1, 0}};
  for (int i = teeth; i >= 0; --i) {
    points.push_back({1.0 * i, 0.1 * std::sin(3.0 * i), 0});
    points.push_back({i - 0.5, 0.8 * teeth, 0});
  }
  for (Vec3& p : points) p = {0.6 * p.x - 0.8 * p.y, 0.8 * p.x + 0.6 * p.y, 0};
  return points;
}

std::vector<Vec3> Star(int corners) {
  std::vector<Vec3> points;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    const double radius = k % 2 == 0 ? 1 : 0.4;
    points.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
  }
  return points;
}

// Corners within sides, and bridges to a hole.
std::vector<Vec3> Frame(int steps) {
  std::vector<Vec3> points;
  const auto add = [&](double size, bool left) {
    const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    for (int side = 0; side < 4; ++side) {
      const Vec3& from = corners[left ? side : (4 - side) % 4];
      const Vec3& to = corners[left ? (side + 1) % 4 : 3 - side];
      for (int k = 0; k < steps; ++k) {
        points.push_back((from + (to - from) * (1.0 * k / steps)) * size +
                         Vec3{1, 1, 0} * (0.5 - size / 2));
      }
    }
    points.push_back(points[points.size() - 4 * steps]);
  };
  add(1, true);
  add(0.5, false);
  return points;
}

TEST(PolygonTest, PolygonsOfManyCorners) {
  for (const std::vector<Vec3>& points :
       {Comb(200), Comb(1500), Star(400), Star(3000), Frame(64), Frame(128)}) {
    const std::vector<TriangleIndices> cut = ExpectCut(points);
    const std::vector<Vec3> reversed(points.rbegin(), points.rend());
    ExpectCut(reversed);
  }
}

TEST(PolygonTest, OneCrossingOfManySides) {
  meshes::Random random(8);
  for (const auto& [points, first_tip] : {std::pair(Comb(200), 3),
                                          {Comb(1500), 3},
                                          {Star(400), 2},
                                          {Star(3000), 2}}) {
    for (int i = 0; i < 20; ++i) {
      const size_t tip =
          first_tip + 2 * random.Below((points.size() - first_tip - 3) / 2);
      // Beyond the next tip.
      std::vector<Vec3> crossing = points;
      crossing[tip] = points[tip + 2] + (points[tip + 2] - points[tip]) * 0.25;
      std::vector<TriangleIndices> triangles = FanOf(points.size());
      EXPECT_FALSE(CutPolygon(crossing, triangles).is_simple) << tip;
      EXPECT_EQ(triangles, FanOf(points.size()));
    }
  }
}

TEST(PolygonTest, PolygonsThatCrossThemselvesStayFans) {
  for (const std::vector<Vec3>& points :
       {std::vector<Vec3>{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}},
        {{0, 0, 0}, {3, 3, 0}, {3, 0, 0}, {0, 1, 0}},
        // A pentagram turns left at each corner.
        {{0, 3, 0}, {-2, -2, 0}, {3, 1, 0}, {-3, 1, 0}, {2, -2, 0}}}) {
    std::vector<TriangleIndices> triangles = FanOf(points.size());
    EXPECT_FALSE(CutPolygon(points, triangles).is_simple);
    EXPECT_EQ(triangles, FanOf(points.size()));
  }
}

TEST(PolygonTest, CornersOffThePlane) {
  std::vector<TriangleIndices> triangles = FanOf(4);
  const auto lifted = [](double z) {
    return std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, z}, {0, 1, 0}};
  };
  EXPECT_TRUE(CutPolygon(lifted(0.02), triangles).is_planar);
  EXPECT_FALSE(CutPolygon(lifted(0.1), triangles).is_planar);
  EXPECT_EQ(triangles, FanOf(4));
}

TEST(PolygonTest, NumbersBeyondTheRangeAreLeftAlone) {
  for (const double bad : {1e300, std::nan(""), HUGE_VAL}) {
    std::vector<TriangleIndices> triangles = FanOf(4);
    const std::vector<Vec3> points = {
        {0, 0, 0}, {4, bad, 0}, {1, 1, 0}, {0, 4, 0}};
    EXPECT_TRUE(CutPolygon(points, triangles).is_simple);
    EXPECT_EQ(triangles, FanOf(4));
  }
}

// The L of 6 x 6 without 4 x 4, one high, as a closed surface.
constexpr double kL[6][2] = {{0, 0}, {6, 0}, {6, 2}, {2, 2}, {2, 6}, {0, 6}};

void ExpectL(const absl::StatusOr<Mesh>& mesh) {
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->triangle_count(), 2u * 4 + 6 * 2);
  const SurfaceFacts facts = FactsOfSurface(*mesh);
  // Two faces of 20, and 24 around.
  EXPECT_NEAR(facts.area, 64, 1e-12);
  EXPECT_NEAR(facts.volume, 20, 1e-12);
  EXPECT_TRUE(IsClosed(*mesh));
}

std::string LAsObj(bool vertices_first) {
  std::string vertices;
  for (const int z : {0, 1}) {
    for (const auto& [x, y] : kL) {
      vertices += "v " + std::to_string(x) + " " + std::to_string(y) + " " +
                  std::to_string(z) + "\n";
    }
  }
  std::string faces = "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n";
  for (int i = 0; i < 6; ++i) {
    const int next = (i + 1) % 6;
    for (const int k : {i + 1, next + 1, next + 7, i + 7}) {
      faces += (k == i + 1 ? "f " : " ") + std::to_string(k);
    }
    faces += "\n";
  }
  return vertices_first ? vertices + faces : faces + vertices;
}

std::string LAsPly(bool binary) {
  meshes::ByteWriter out(std::endian::little);
  std::string text;
  for (const int z : {0, 1}) {
    for (const auto& [x, y] : kL) {
      out.Number(x).Number(y).Number(static_cast<double>(z));
      text += std::to_string(x) + " " + std::to_string(y) + " " +
              std::to_string(z) + "\n";
    }
  }
  const auto add = [&](const std::vector<int>& face) {
    out.Number(static_cast<uint8_t>(face.size()));
    text += std::to_string(face.size());
    for (const int k : face) {
      out.Number(int32_t{k});
      text += " " + std::to_string(k);
    }
    text += "\n";
  };
  add({5, 4, 3, 2, 1, 0});
  add({6, 7, 8, 9, 10, 11});
  for (int i = 0; i < 6; ++i) {
    const int next = (i + 1) % 6;
    add({i, next, next + 6, i + 6});
  }
  return std::string("ply\nformat ") +
         (binary ? "binary_little_endian" : "ascii") +
         " 1.0\nelement vertex 12\nproperty double x\nproperty double y\n"
         "property double z\nelement face 8\n"
         "property list uchar int vertex_indices\nend_header\n" +
         (binary ? out.bytes() : text);
}

TEST(PolygonTest, FormatsWithPolygons) {
  ExpectL(ReadMesh(LAsObj(true), MeshFormat::kObj, "l.obj"));
  ExpectL(ReadMesh(LAsObj(false), MeshFormat::kObj, "l.obj"));
  ExpectL(ReadMesh(LAsPly(false), MeshFormat::kPly, "l.ply"));
  ExpectL(ReadMesh(LAsPly(true), MeshFormat::kPly, "l.ply"));
  const std::string ply = LAsPly(false);
  ExpectL(ReadMesh("OFF\n12 8 0\n" + ply.substr(ply.find("end_header") + 11),
                   MeshFormat::kOff, "l.off"));
}

TEST(PolygonTest, StreamedFilesHaveTheTrianglesOfOthers) {
  ScratchDirectory folder;
  const std::string path = folder.Write("l.ply", LAsPly(true));
  const Mesh mesh = *ReadMeshFile(path);
  const auto stream = mesh_internal::TriangleStream::OpenStreamed(path);
  ASSERT_TRUE(stream.ok() && stream->has_value());
  size_t id = 0;
  const absl::Status status =
      (*stream)->ForEach([&](std::span<const Triangle> some) {
        for (const Triangle& t : some) EXPECT_EQ(t, mesh.triangle(id++));
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(id, mesh.triangle_count());
}

TEST(PolygonTest, NotesNameWhatIsNoPolygon) {
  std::vector<ReadNote> notes;
  ASSERT_TRUE(
      ReadMesh("v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nv 1 1 1\nf 1 2 3 4\n"
               "f 1 3 5 4\n",
               MeshFormat::kObj, "f", {.notes = &notes})
          .ok());
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(TextOf(notes[0]), "polygons that cross themselves: 1, at line 6");
  EXPECT_EQ(TextOf(notes[1]), "polygons that are not planar: 1, at line 7");
}

}  // namespace
}  // namespace orbox
