// SPDX-License-Identifier: Apache-2.0

// Signed distances to chunks are those to one mesh, to the last bit, and so are
// the reasons why a mesh has none.
#include "orbox/bvh/large/signed_distance.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

TEST(ChunkedSignedDistanceTest, ChunksAnswerAsOneTree) {
  for (const Mesh& mesh :
       {meshes::Torus(16, 8), meshes::Icosphere(2),
        meshes::Joined(meshes::Cube(),
                       meshes::Moved(meshes::Cube(),
                                     Pose::Translation({0.3, 0.4, 0.5})))}) {
    const chunks::Files files(mesh);
    const SignedDistanceField one =
        SignedDistanceField::Create(files.tree()).value();
    const std::vector<Vec3> points = chunks::PointsAround(mesh, 20);
    for (const size_t size : {mesh.triangle_count() / 6 + 1, size_t{1000}}) {
      const ChunkedSignedDistanceField field =
          ChunkedSignedDistanceField::Create(files.Chunked(size)).value();
      EXPECT_EQ(field.tree().triangle_count(), mesh.triangle_count());
      size_t inside = 0;
      for (const double most : {std::numeric_limits<double>::infinity(), 0.1}) {
        const QueryOptions options{.max_distance = most};
        const auto closest = field.ClosestPoint(points, options).value();
        const auto distances = field.Distance(points, options).value();
        for (size_t i = 0; i < points.size(); ++i) {
          const auto expected = one.ClosestPoint(points[i], most);
          ASSERT_EQ(closest[i].has_value(), expected.has_value());
          EXPECT_EQ(std::isnan(distances[i]), !expected.has_value());
          if (!expected) continue;
          EXPECT_EQ(closest[i]->triangle, expected->triangle);
          EXPECT_EQ(std::bit_cast<uint64_t>(closest[i]->distance),
                    std::bit_cast<uint64_t>(expected->distance));
          EXPECT_TRUE(chunks::SameBits(closest[i]->point, expected->point));
          EXPECT_EQ(distances[i], expected->distance);
          inside += expected->distance < 0 ? 1 : 0;
        }
      }
      EXPECT_GT(inside, 5U);
      EXPECT_EQ(field.Distance(points[3]).value(), one.Distance(points[3]));
      EXPECT_EQ(field.IsInside(points[3]).value(), one.IsInside(points[3]));
      const std::vector<uint8_t> all = field.IsInside(points).value();
      EXPECT_EQ(all, one.IsInside(points).value());
      const Vec3 none[] = {points[0], {std::nan(""), 0, 0}};
      EXPECT_EQ(field.Distance(none).status(), one.Distance(none).status());
      EXPECT_EQ(field.IsInside(none).status().code(),
                absl::StatusCode::kInvalidArgument);
    }
  }
}

TEST(ChunkedSignedDistanceTest, WhatHasNoInsideSaysWhy) {
  // A torus without a triangle, and perhaps with one turned over; a sheet.
  const Mesh torus = meshes::Torus(12, 6);
  std::vector<Vec3> vertices(torus.vertices().begin(), torus.vertices().end());
  std::vector<TriangleIndices> open(torus.triangles().begin(),
                                    torus.triangles().end());
  open.erase(open.begin() + 31);
  std::vector<TriangleIndices> turned = open;
  std::swap(turned[7][0], turned[7][1]);
  for (const Mesh& mesh :
       {Mesh::Create(vertices, turned).value(),
        Mesh::Create(vertices, open).value(), meshes::Grid(5)}) {
    const chunks::Files files(mesh);
    const absl::Status one = SignedDistanceField::Create(files.tree()).status();
    ASSERT_EQ(one.code(), absl::StatusCode::kFailedPrecondition);
    for (const size_t size : {mesh.triangle_count() / 6 + 1, size_t{1000}}) {
      const absl::Status status =
          ChunkedSignedDistanceField::Create(files.Chunked(size)).status();
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_EQ(status.message(), one.message());
    }
  }
}

TEST(ChunkedSignedDistanceTest, CreateCanBeCancelled) {
  const ChunkedTree cube{Build(meshes::Cube()).value()};
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(ChunkedSignedDistanceField::Create(cube, {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(ChunkedSignedDistanceField::Create(cube, {.max_distance = -1})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

// A triangle turned over; and an edge of four triangles that all go one way.
TEST(ChunkedSignedDistanceTest, ParityDecidesWhereFacesDisagree) {
  const Mesh torus = meshes::Torus(12, 6);
  std::vector<TriangleIndices> turned(torus.triangles().begin(),
                                      torus.triangles().end());
  std::swap(turned[7][0], turned[7][1]);
  meshes::Random random(3);
  for (const Mesh& mesh :
       {Mesh::Create({torus.vertices().begin(), torus.vertices().end()}, turned)
            .value(),
        meshes::Joined(meshes::Identical(4), meshes::Icosphere(1))}) {
    ASSERT_FALSE(DoFacesAgree(mesh));
    const chunks::Files files(mesh);
    const auto one = SignedDistanceField::Create(files.tree());
    ASSERT_TRUE(one.ok()) << one.status();
    const auto many = ChunkedSignedDistanceField::Create(
        files.Chunked(mesh.triangle_count() / 6 + 1));
    ASSERT_TRUE(many.ok()) << many.status();
    const Aabb& box = mesh.bounds();
    std::vector<Vec3> points;
    for (int i = 0; i < 60; ++i) {
      const Vec3 p = random.Point(0, 1);
      const Vec3 size = box.hi - box.lo;
      points.push_back(box.lo + Vec3{p.x * size.x, p.y * size.y, p.z * size.z});
    }
    const std::vector<double> expected = one->Distance(points).value();
    EXPECT_EQ(many->Distance(points).value(), expected);
    EXPECT_TRUE(std::any_of(expected.begin(), expected.end(),
                            [](double d) { return d < 0; }));
  }
}

}  // namespace
}  // namespace orbox
