// SPDX-License-Identifier: Apache-2.0

// Winding numbers of chunks are within the requested error of the exact ones.
#include "orbox/bvh/large/winding_number.h"

#include <atomic>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::vector<Vec3> PointsFor(const Mesh& mesh, size_t count) {
  meshes::Random random(9);
  const Vec3 center = mesh.bounds().Center();
  const double size = 1e-3 + MaxCoordinate(mesh.bounds().HalfExtents());
  std::vector<Vec3> points;
  for (size_t i = 0; i < count; ++i) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    points.push_back(t.c + random.Point(-0.1, 0.1) * size);
    points.push_back(center + random.Point(-1.2, 1.2) * size);
    points.push_back(center + random.Direction() * (50 * size));
  }
  return points;
}

// The torus without some of its triangles is open.
Mesh TorusWithHoles() {
  const Mesh torus = meshes::Torus(24, 12);
  std::vector<TriangleIndices> triangles;
  for (size_t i = 0; i < torus.triangle_count(); ++i) {
    if (i % 9 != 4) triangles.push_back(torus.triangles()[i]);
  }
  return Mesh::Create({torus.vertices().begin(), torus.vertices().end()},
                      std::move(triangles))
      .value();
}

TEST(ChunkedWindingNumberTest, IsWithinTheErrorOfThatOfOneTree) {
  for (const Mesh& mesh : {TorusWithHoles(), meshes::Icosphere(2),
                           meshes::Soup(60, 0.4), meshes::Identical(9)}) {
    const chunks::Files files(mesh);
    const WindingNumberField one = WindingNumberField::Of(files.tree());
    const std::vector<Vec3> points = PointsFor(mesh, 20);
    for (const size_t size : {mesh.triangle_count() / 20 + 1, size_t{1000}}) {
      const ChunkedWindingNumberField field =
          ChunkedWindingNumberField::Of(files.Chunked(size)).value();
      for (const double error : {0.1, 1e-3, 1e-7, 0.0}) {
        const std::vector<double> numbers = field.At(points, error).value();
        for (size_t i = 0; i < points.size(); ++i) {
          const double exact = one.At(points[i], 0);
          EXPECT_NEAR(numbers[i], exact, error + 1e-11);
        }
        EXPECT_EQ(field.At(points[0], error).value(), numbers[0]);
      }
      const std::vector<uint8_t> inside = field.IsInside(points).value();
      for (size_t i = 0; i < points.size(); ++i) {
        if (std::abs(one.At(points[i], 0) - 0.5) < 1e-9) {
          continue;
        }
        EXPECT_EQ(inside[i] != 0, one.IsInside(points[i]));
      }
      EXPECT_EQ(field.IsInside(points[1]).value(), inside[1] != 0);
    }
  }
}

TEST(ChunkedWindingNumberTest, PointsNextToAFaceAreOnTheSideThatOneTreeFinds) {
  meshes::Random random(5);
  const Mesh mesh =
      meshes::Moved(TorusWithHoles(), meshes::RandomRigidPose(random, 9));
  const chunks::Files files(mesh);
  const WindingNumberField one = WindingNumberField::Of(files.tree());
  const ChunkedWindingNumberField field =
      ChunkedWindingNumberField::Of(files.Chunked(40)).value();
  std::vector<Vec3> points;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    const Vec3 p = (t.a + t.b + t.c) * (1.0 / 3);
    if (ClosestPoint(files.tree(), p)->distance > 0) points.push_back(p);
  }
  ASSERT_GT(points.size(), 200U);
  const std::vector<uint8_t> inside = field.IsInside(points).value();
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(inside[i] != 0, one.IsInside(points[i]));
  }
}

TEST(ChunkedWindingNumberTest, FarChunksAreNotLoaded) {
  const chunks::Files files(TorusWithHoles());
  const ChunkedTree tree = files.Chunked(24, 0, {.memory = 1});
  const ChunkedWindingNumberField field =
      ChunkedWindingNumberField::Of(tree).value();
  TraversalStatistics statistics;
  // From outside, all are seen as wholes; within the ring, few are not.
  ASSERT_TRUE(field.At(Vec3{60, 0, 0}, 1e-3, {.statistics = &statistics}).ok());
  EXPECT_EQ(statistics.triangle_tests, 0U);
  ASSERT_TRUE(field.IsInside(Vec3{60, 0, 0}, {.statistics = &statistics}).ok());
  EXPECT_EQ(statistics.triangle_tests, 0U);
  ASSERT_TRUE(field.At(Vec3{1, 0, 0.1}, 0, {.statistics = &statistics}).ok());
  EXPECT_EQ(statistics.triangle_tests, tree.triangle_count());
}

TEST(ChunkedWindingNumberTest, ThreadsDoNotMatterAndErrorsAreTold) {
  const chunks::Files files(TorusWithHoles());
  const ChunkedTree tree = files.Chunked(60);
  const ChunkedWindingNumberField field =
      ChunkedWindingNumberField::Of(tree).value();
  const std::vector<Vec3> points = PointsFor(files.tree().mesh(), 60);
  const auto one = field.At(points, 1e-3, {.threads = 1}).value();
  EXPECT_EQ(field.At(points, 1e-3, {.threads = 3}).value(), one);
  const Vec3 none{std::nan(""), 0, 0};
  EXPECT_EQ(field.At(none).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(field.IsInside(none).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(field.At(points, 1e-3, {.max_distance = -1}).ok());
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(field.At(points, 0, {.cancelled = &cancelled}).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(ChunkedWindingNumberField::Of(tree, {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(
      ChunkedWindingNumberField::Of(tree, {.max_distance = -1}).status().code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(field.At(std::span<const Vec3>()).value().empty());
}

}  // namespace
}  // namespace orbox
