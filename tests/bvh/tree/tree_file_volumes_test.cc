// SPDX-License-Identifier: Apache-2.0

// Tree files whose checksums are right, and volumes perhaps not: each is an
// error, or a tree whose answers are right.
#include <algorithm>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/tree_file_editor.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::HasSubstr;
using namespace tree_internal;  // NOLINT(google-build-using-namespace)

// Shrinks one number of a volume until the reader refuses it; before that,
// results are right.
void ShrinkUntilRefused(const Tree& tree, uint32_t node, int row,
                        uint32_t lane) {
  const bool is_lower_side =
      tree.nodes()[node].kind != VolumeKind::kSphere && row < 3;
  bool was_refused = false;
  for (float step = 0x1p-26f; step < 1; step *= 2) {
    TreeFileEditor file(*EncodeTree(tree));
    file.Edit<Node>(kNodes, node, [&](Node& n) {
      n.rows[row][lane] += is_lower_side ? step : -step;
      // Lanes not used repeat the first.
      if (lane == 0) {
        std::fill(n.rows[row] + n.count, n.rows[row] + kLanes, n.rows[row][0]);
      }
    });
    const absl::StatusOr<Tree> read =
        DecodeTree(file.Sealed(), "shrunk", {.threads = 1});
    if (!read.ok()) {
      was_refused = true;
      EXPECT_THAT(std::string(read.status().message()),
                  HasSubstr("a volume above it does not hold"));
      continue;
    }
    // Once refused, never accepted when smaller.
    EXPECT_FALSE(was_refused) << "step " << step;
    EXPECT_LE(step, 0x1p-20f);
    const Mesh& mesh = read->mesh();
    for (size_t id = 0; id < mesh.triangle_count(); ++id) {
      EXPECT_EQ(ClosestPoint(*read, mesh.triangle(id).b)->distance, 0);
    }
  }
  EXPECT_TRUE(was_refused);
}

TEST(TreeFileHostileTest, ShrunkVolumes) {
  const Mesh mesh = meshes::Soup(150, 0.3, 4);
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    const Tree tree = trees::Make(mesh, kind.volumes);
    for (const uint32_t node : {0u, 1u, 2u}) {
      for (uint32_t lane = 0; lane < tree.nodes()[node].count; ++lane) {
        const bool is_sphere = tree.nodes()[node].kind == VolumeKind::kSphere;
        for (int row = is_sphere ? 3 : 0; row < (is_sphere ? 4 : 6); ++row) {
          SCOPED_TRACE(testing::Message() << "node " << node << " lane " << lane
                                          << " row " << row);
          ShrinkUntilRefused(tree, node, row, lane);
        }
      }
    }
  }
}

// A byte is changed to any value: an error, or right results.
TEST(TreeFileHostileTest, RandomBytesUnderRightChecksums) {
  meshes::Random random(11);
  size_t accepted = 0;
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(meshes::Soup(60, 0.3, 9), kind.volumes);
    const std::string bytes = *EncodeTree(tree);
    for (int i = 0; i < 3000; ++i) {
      TreeFileEditor file(bytes);
      // Anywhere, or in the nodes, where some changes do no harm.
      const TreeFileFront front = file.Front();
      const size_t begin = i % 2 == 0 ? 0 : front.table[kNodes].offset;
      const size_t end =
          i % 2 == 0 ? bytes.size() : front.table[kLeaves].offset;
      file.bytes()[begin + random.Below(end - begin)] =
          static_cast<char>(random.Below(256));
      const absl::StatusOr<Tree> read =
          DecodeTree(file.Sealed(), "random", {.threads = 1});
      if (!read.ok()) {
        EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
        continue;
      }
      ++accepted;
      const Vec3 p = random.Point(-1, 2);
      const auto hit = ClosestPoint(*read, p);
      const SurfacePoint expected = brute_force::Nearest(read->mesh(), p)[0];
      ASSERT_TRUE(hit.has_value());
      EXPECT_EQ(hit->triangle, expected.triangle);
      EXPECT_EQ(hit->distance, expected.distance);
    }
  }
  // Larger volumes are right, too.
  EXPECT_GT(accepted, 100u);
}

// Rounded to steps, the center of the triangles at one end is beyond that end.
TEST(TreeFileVolumesTest, SpheresWhoseCentersAreRoundedOutward) {
  constexpr double kAt = 0x1p40;
  const Vec3 p{kAt + 2, kAt - 4, kAt - 8};
  const Vec3 q{kAt + 2, kAt - 5, kAt - 8};
  const Vec3 r{kAt, kAt + 1.720947265625, kAt + 2};
  const Vec3 s{kAt + 1, kAt - 1.1395263671875, kAt - 3};
  const Vec3 t{kAt + 3, kAt + 6, kAt + 5};
  const Mesh mesh = meshes::FromTriangles({{p, q, r},
                                           {r, r, s},
                                           {s, r, t},
                                           {s, q, s},
                                           {r, p, q},
                                           {s, t, s},
                                           {s, t, s},
                                           {r, r, s},
                                           {t, t, {kAt - 1, kAt - 2, 5.25}}});
  const Tree tree = Build(mesh, {.volumes = Volumes::kSphere,
                                 .max_leaf_triangles = 6,
                                 .quality = Quality::kBest,
                                 .storage = Storage::kCompact})
                        .value();
  bool is_outside = false;
  for (uint32_t i = 0; i < tree.compact_nodes().size(); ++i) {
    const Node node = tree.node(i);
    for (int lane = 0; lane < node.count; ++lane) {
      is_outside |= node.rows[2][lane] > 1;
    }
  }
  EXPECT_TRUE(is_outside);  // what the test is about
  const auto file = EncodeTree(tree);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(DecodeTree(*file, "test").ok());
}

}  // namespace
}  // namespace orbox
