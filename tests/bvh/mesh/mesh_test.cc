// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using testing::HasSubstr;

std::string ErrorOf(std::vector<Vec3> vertices,
                    std::vector<TriangleIndices> triangles) {
  const absl::StatusOr<Mesh> mesh =
      Mesh::Create(std::move(vertices), std::move(triangles));
  EXPECT_EQ(mesh.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(mesh.status().message());
}

TEST(MeshTest, KeepsWhatItIsGiven) {
  const std::vector<Vec3> vertices = {
      {0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  const std::vector<TriangleIndices> triangles = {{0, 1, 2}, {3, 2, 1}};
  const absl::StatusOr<Mesh> mesh = Mesh::Create(vertices, triangles);
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_THAT(mesh->vertices(), testing::ElementsAreArray(vertices));
  EXPECT_THAT(mesh->triangles(), testing::ElementsAreArray(triangles));
  EXPECT_EQ(mesh->triangle(1), (Triangle{{0, 0, 3}, {0, 2, 0}, {1, 0, 0}}));
  EXPECT_EQ(mesh->degenerate_count(), 0u);
}

// Rows of three numbers in any container, as other libraries keep them.
TEST(MeshTest, IsMadeOfRowsOfNumbers) {
  const std::vector<double> doubles = {0, 0, 0, 1, 0, 0, 0, 0.1, 0, 0, 0, 3};
  const std::vector<float> floats = {0, 0, 0, 1, 0, 0, 0, 0.1f, 0, 0, 0, 3};
  const std::array<int32_t, 6> signed_rows = {0, 1, 2, 3, 2, 1};
  const uint32_t unsigned_rows[] = {0, 1, 2, 3, 2, 1};
  const auto expect = [](const absl::StatusOr<Mesh>& mesh, double y) {
    ASSERT_TRUE(mesh.ok()) << mesh.status();
    EXPECT_THAT(mesh->vertices(),
                testing::ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0},
                                     Vec3{0, y, 0}, Vec3{0, 0, 3}));
    EXPECT_THAT(mesh->triangles(),
                testing::ElementsAre(TriangleIndices{0, 1, 2},
                                     TriangleIndices{3, 2, 1}));
  };
  expect(Mesh::Create(doubles, signed_rows), 0.1);
  expect(Mesh::Create(doubles, unsigned_rows), 0.1);
  expect(Mesh::Create(floats, signed_rows), double{0.1f});
  expect(Mesh::Create(floats, unsigned_rows), double{0.1f});
  expect(Mesh::Create(std::span(doubles.data(), doubles.size()),
                      std::span<const uint32_t>(unsigned_rows)),
         0.1);
}

template <typename Vertices, typename Rows>
std::string ErrorOfRows(const Vertices& coordinates, const Rows& indices) {
  const absl::StatusOr<Mesh> mesh = Mesh::Create(coordinates, indices);
  EXPECT_EQ(mesh.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(mesh.status().message());
}

TEST(MeshTest, ErrorsOfRowsNameTheRow) {
  using Doubles = std::vector<double>;
  using Ints = std::vector<int32_t>;
  const Doubles corners = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  EXPECT_THAT(ErrorOfRows(corners, Ints{0, 1, 2, 2, 1, -1, -7, 0, 0}),
              testing::AllOf(HasSubstr("triangle 1 has the vertices 2, 1, -1"),
                             HasSubstr("2 of 3 triangles")));
  EXPECT_THAT(ErrorOfRows(corners, Ints{0, 1, 2, 2, 1, 3}),
              HasSubstr("triangle 1 has the vertices 2, 1, 3"));
  // The unsigned index that would be -1 with a sign is reported as too large.
  EXPECT_THAT(ErrorOfRows(corners, std::vector<uint32_t>{0, 1, 0xffffffff}),
              HasSubstr("triangle 0 has the vertices 0, 1, 4294967295"));
  EXPECT_THAT(ErrorOfRows(corners, Ints{0, 1, 2, 0}),
              HasSubstr("there are 4 indices"));
  EXPECT_THAT(ErrorOfRows(Doubles{0, 0, 0, 1, 2}, Ints{0, 0, 0}),
              testing::AllOf(HasSubstr("there are 5 coordinates"),
                             HasSubstr("lacks 1")));
  EXPECT_THAT(ErrorOfRows(Doubles{}, Ints{}),
              HasSubstr("at least one triangle"));
  EXPECT_THAT(
      ErrorOfRows(std::vector<float>{0, 0, 0, 0, 0,
                                     std::numeric_limits<float>::infinity()},
                  Ints{0, 1, 1}),
      HasSubstr("vertex 1 is (0, 0, inf)"));
}

TEST(MeshTest, CopiesShareTheirData) {
  const Mesh mesh = meshes::Cube();
  const Mesh copy = mesh;
  EXPECT_EQ(copy.vertices().data(), mesh.vertices().data());
}

TEST(MeshTest, BoundsLeaveOutVerticesThatNoTriangleUses) {
  const absl::StatusOr<Mesh> mesh = Mesh::Create(
      {{9, 9, 9}, {0, -1, 0}, {1, 0, 0}, {0, 1, 5}, {-9, 0, 0}}, {{1, 2, 3}});
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->bounds().lo, (Vec3{0, -1, 0}));
  EXPECT_EQ(mesh->bounds().hi, (Vec3{1, 1, 5}));
  EXPECT_EQ(mesh->vertex_count(), 5u);
}

TEST(MeshTest, ErrorsNameTheFirstOffenderAndHowManyThereAre) {
  EXPECT_THAT(ErrorOf({{0, 0, 0}}, {}), HasSubstr("at least one triangle"));
  EXPECT_THAT(ErrorOf({}, {{0, 1, 2}}), HasSubstr("there are 0"));

  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::string not_finite =
      ErrorOf({{0, 0, 0}, {1, nan, 2.5}, {0, 1, 0}, {-inf, 0, 0}}, {{0, 2, 2}});
  EXPECT_THAT(not_finite, HasSubstr("vertex 1 is (1, nan, 2.5)"));
  EXPECT_THAT(not_finite, HasSubstr("2 of 4 vertices"));

  const std::string out_of_range =
      ErrorOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
              {{0, 1, 2}, {0, 3, 1}, {0, 1, 4294967295u}});
  EXPECT_THAT(out_of_range, HasSubstr("triangle 1 has the vertices 0, 3, 1"));
  EXPECT_THAT(out_of_range, HasSubstr("2 of 3 triangles"));
  EXPECT_THAT(out_of_range, HasSubstr("there are 3"));
}

// The border of the range of numbers (shapes/range.h).
TEST(MeshTest, WhatIsTooLargeIsRefusedAndWhatIsTooSmallIsZero) {
  constexpr double kMost = 0x1p200;
  constexpr double kLeast = 0x1p-200;
  const double above = std::nextafter(kMost, 0x1p201);
  const double below = std::nextafter(kLeast, 0.0);
  const absl::StatusOr<Mesh> mesh = Mesh::Create(
      {{kMost, -kMost, kLeast}, {-kLeast, below, -below}, {5e-324, -0.0, 1}},
      {{0, 1, 2}});
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_THAT(mesh->vertices(),
              testing::ElementsAre(Vec3{kMost, -kMost, kLeast},
                                   Vec3{-kLeast, 0, 0}, Vec3{0, 0, 1}));
  EXPECT_EQ(mesh->bounds().lo, (Vec3{-kLeast, -kMost, 0}));

  // The first one, how many, and a power of two that brings all into range.
  const std::string error = ErrorOf(
      {{0, 0, 0}, {0, -above, 0}, {0, 1, 0}, {1e70, 0, 0}}, {{0, 1, 2}});
  EXPECT_THAT(error, HasSubstr("vertex 1 is (0, -1.6069380442589906e+60, 0)"));
  EXPECT_THAT(error, HasSubstr("at most 2^200 (1.6e60) in size"));
  EXPECT_THAT(error, HasSubstr("scale the model by 2^-33"));
  EXPECT_THAT(error, HasSubstr("2 of 4 vertices"));
  EXPECT_LE(1e70 * 0x1p-33, kMost);
  EXPECT_GT(1e70 * 0x1p-32, kMost);
  EXPECT_THAT(ErrorOf({{0, above, 0}}, {{0, 0, 0}}),
              HasSubstr("scale the model by 2^-1;"));
  // Rows of numbers come in by the same door; every float is in range.
  EXPECT_THAT(ErrorOfRows(std::vector<double>{0, 0, 1e300},
                          std::vector<int32_t>{0, 0, 0}),
              HasSubstr("scale the model by 2^-"));
  constexpr float kMostFloat = std::numeric_limits<float>::max();
  constexpr float kLeastFloat = std::numeric_limits<float>::denorm_min();
  const absl::StatusOr<Mesh> floats =
      Mesh::Create(std::vector<float>{kMostFloat, kLeastFloat, 0},
                   std::vector<int32_t>{0, 0, 0});
  ASSERT_TRUE(floats.ok()) << floats.status();
  EXPECT_EQ(floats->vertices()[0], (Vec3{kMostFloat, kLeastFloat, 0}));
}

TEST(MeshTest, DegenerateTrianglesAreLegalAndCounted) {
  const absl::StatusOr<Mesh> mesh =
      Mesh::Create({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {0, 1, 0}},
                   {{0, 1, 2}, {0, 0, 1}, {2, 2, 2}, {0, 1, 3}});
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->degenerate_count(), 3u);
}

TEST(IsClosedTest, TellsClosedFromOpen) {
  EXPECT_TRUE(IsClosed(meshes::Cube()));
  EXPECT_TRUE(IsClosed(meshes::Tetrahedron()));
  EXPECT_TRUE(IsClosed(meshes::Icosphere(2)));
  EXPECT_TRUE(IsClosed(meshes::Torus(8, 5)));
  EXPECT_TRUE(IsClosed(meshes::Joined(meshes::Cube(), meshes::Cube())));
  EXPECT_FALSE(IsClosed(meshes::OneTriangle()));
  EXPECT_FALSE(IsClosed(meshes::Grid(3)));
  EXPECT_FALSE(IsClosed(meshes::Soup(10, 0.5)));
}

TEST(IsClosedTest, EachMissingTriangleOpensTheSurface) {
  const Mesh sphere = meshes::Icosphere(1);
  for (size_t i = 0; i < sphere.triangle_count(); ++i) {
    std::vector<TriangleIndices> triangles(sphere.triangles().begin(),
                                           sphere.triangles().end());
    triangles.erase(triangles.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(IsClosed(meshes::Make(
        {sphere.vertices().begin(), sphere.vertices().end()}, triangles)))
        << i;
  }
}

TEST(IsClosedTest, VerticesWithEqualCoordinatesCountAsOne) {
  // Each triangle with corners of its own, and zeros of either sign.
  const Mesh cube = meshes::Cube();
  std::vector<Triangle> triangles;
  for (size_t i = 0; i < cube.triangle_count(); ++i) {
    Triangle t = cube.triangle(i);
    for (size_t k = 0; k < 3; ++k) {
      for (size_t axis = 0; axis < 3; ++axis) {
        if (t[k][axis] == 0 && i % 2 == 0) t[k][axis] = -0.0;
      }
    }
    triangles.push_back(t);
  }
  EXPECT_TRUE(IsClosed(meshes::FromTriangles(triangles)));
}

TEST(IsClosedTest, CopiesAndThreadsGetTheSameAnswerAgain) {
  for (const Mesh& mesh : {meshes::Icosphere(2), meshes::Grid(3)}) {
    const bool is_closed = IsClosed(
        meshes::Make({mesh.vertices().begin(), mesh.vertices().end()},
                     {mesh.triangles().begin(), mesh.triangles().end()}));
    const Mesh copy = mesh;
    bool answers[8];
    std::vector<std::thread> threads;
    for (bool& answer : answers) {
      threads.emplace_back(
          [&] { answer = IsClosed(mesh) && IsClosed(copy) && IsClosed(mesh); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(answers, testing::Each(is_closed));
  }
}

TEST(IsClosedTest, SidesOfZeroLengthDoNotCount) {
  const Mesh cube = meshes::Cube();
  std::vector<TriangleIndices> triangles(cube.triangles().begin(),
                                         cube.triangles().end());
  triangles.push_back({0, 0, 0});
  triangles.push_back({0, 1, 1});  // there and back again
  EXPECT_TRUE(IsClosed(meshes::Make(
      {cube.vertices().begin(), cube.vertices().end()}, triangles)));
}

TEST(MeshDeathTest, ATriangleThatIsNotThereEndsLoudly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Mesh cube = meshes::Cube();
  EXPECT_EQ(cube.triangle(11), cube.triangle(11));
  EXPECT_DEATH(cube.triangle(12),
               "Mesh::triangle: there are 12 triangles, and 12 is not");
  EXPECT_DEATH(cube.triangle(1000000000), "and 1000000000 is not");
}

}  // namespace
}  // namespace orbox
