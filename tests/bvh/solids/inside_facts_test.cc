// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/inside_facts.h"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using meshes::Cube;
using meshes::Joined;

Mesh Turned(const Mesh& mesh, size_t count = SIZE_MAX) {
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  for (size_t i = 0; i < std::min(count, triangles.size()); ++i) {
    std::swap(triangles[i][1], triangles[i][2]);
  }
  return meshes::Make({mesh.vertices().begin(), mesh.vertices().end()},
                      std::move(triangles));
}

InsideFacts FactsOf(const Mesh& mesh) {
  return FactsOfInside(trees::Make(mesh)).value();
}

void ExpectVolume(const Mesh& mesh, double volume, double width) {
  const InsideFacts facts = FactsOf(mesh);
  ASSERT_TRUE(facts.volume.has_value());
  EXPECT_LE(facts.volume->lower, volume);
  EXPECT_GE(facts.volume->upper, volume);
  EXPECT_LE(facts.volume->upper - facts.volume->lower, width);
}

const Mesh& Big() {
  static const Mesh& mesh = *new Mesh(Cube({-1, -1, -1}, 3));
  return mesh;
}

TEST(InsideFactsTest, VolumesOfSolids) {
  ExpectVolume(Cube({1e6, 0, 0}, 2), 8, 1e-6);
  ExpectVolume(Turned(Cube({}, 2)), 8, 1e-12);
  // A cavity that faces inward, one that faces as the shell does, which is
  // none, and both in a mesh that is inside out.
  ExpectVolume(Joined(Big(), Turned(Cube())), 26, 1e-12);
  ExpectVolume(Joined(Big(), Cube()), 27, 1e-12);
  ExpectVolume(Turned(Joined(Big(), Turned(Cube()))), 26, 1e-12);
  ExpectVolume(Turned(Joined(Big(), Cube())), 27, 1e-12);
  ExpectVolume(Joined(Cube(), Cube({5, 0, 0}, 2)), 9, 1e-12);
}

TEST(InsideFactsTest, VolumeOfShellsThatOverlapIsThatOfTheirUnion) {
  ExpectVolume(Joined(Cube({}, 2), Cube({1, 0.001, 0.002}, 2)),
               16 - 1.999 * 1.998, 0.02);
  ExpectVolume(Joined(Cube({}, 2), Cube({1, 0, 0}, 2)), 12, 0.02);
  ExpectVolume(Joined(Cube(), Cube({1, 0, 0})), 2, 0.01);
  ExpectVolume(Joined(Cube(), Cube()), 1, 0.01);
}

TEST(InsideFactsTest, WhatIsSaidOfFaces) {
  const InsideFacts cube = FactsOf(Cube());
  EXPECT_TRUE(cube.is_closed && cube.do_faces_agree);
  EXPECT_FALSE(cube.looks_inward || cube.meets_itself || cube.has_walls);
  EXPECT_TRUE(FactsOf(Turned(Cube())).looks_inward);
  EXPECT_FALSE(FactsOf(Joined(Big(), Turned(Cube()))).has_walls);
  EXPECT_TRUE(FactsOf(Joined(Big(), Cube())).has_walls);
  EXPECT_FALSE(FactsOf(Joined(Big(), Cube())).meets_itself);
  EXPECT_TRUE(FactsOf(Joined(Cube(), Cube({0.5, 0.25, 0}))).meets_itself);
}

TEST(InsideFactsTest, NoVolumeForWhatHasNone) {
  const InsideFacts turned = FactsOf(Turned(Cube({}, 2), 2));
  EXPECT_TRUE(turned.is_closed);
  EXPECT_FALSE(turned.do_faces_agree);
  EXPECT_FALSE(turned.volume.has_value());
  const InsideFacts open = FactsOf(meshes::Grid(3));
  EXPECT_FALSE(open.is_closed || open.do_faces_agree);
  EXPECT_FALSE(open.volume.has_value());
}

TEST(InsideFactsTest, BadOptions) {
  const Tree tree = trees::Make(Cube());
  EXPECT_EQ(FactsOfInside(tree, {}, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(FactsOfInside(tree, {}, {.cancelled = &cancelled}).status().code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace orbox
