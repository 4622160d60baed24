// SPDX-License-Identifier: Apache-2.0

// Queries of solids that report from inside, by the rules of
// tests/support/long_queries.h.
#include <atomic>
#include <cstddef>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/penetration.h"
#include "orbox/bvh/solids/scene_clash.h"
#include "orbox/bvh/solids/shared_region.h"
#include "tests/support/long_queries.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using long_queries::Batch;
using Options = RunOptions;

// All measures, which take long.
constexpr ClashOptions kMeasuring{
    .thickness = true, .volume = true, .depth = true};

template <typename Call>
Batch OfSolids(const char* name, const Call& call) {
  return {name, [call](size_t, const QueryOptions& options) {
            return call(Options{.statistics = options.statistics,
                                .threads = options.threads,
                                .progress = options.progress,
                                .cancelled = options.cancelled})
                .status();
          }};
}

// Searches that count no steps end when they are cancelled at the first report.
TEST(LongClashesTest, Measures) {
  const Tree a = trees::Make(meshes::Torus(64, 32));
  const Tree b = trees::Make(meshes::Icosphere(4, {1, 0, 0}, 0.4));
  const std::vector<Batch> batches = {
      OfSolids(
          "thickness",
          [&](const Options& o) { return ThicknessOfShared(a, b, {}, {}, o); }),
      OfSolids("volume", [&](const Options& o) {
        return VolumeOfShared(a, b, {}, {}, o);
      })};
  for (const Batch& batch : batches) {
    std::atomic<bool> cancelled = false;
    QueryOptions options{.cancelled = &cancelled};
    options.progress = [&](double) { cancelled = true; };
    EXPECT_EQ(batch.call(1, options).code(), absl::StatusCode::kCancelled)
        << batch.name;
  }
}

TEST(LongClashesTest, Pairs) {
  const Tree a = trees::Make(meshes::Torus(64, 32));
  const Tree b = trees::Make(meshes::Icosphere(4, {1, 0, 0}, 0.4));
  const std::vector<Batch> batches = {
      OfSolids("penetration",
               [&](const Options& o) { return PenetrationOf(a, b, {}, o); }),
      OfSolids("clash with measures",
               [&](const Options& o) { return ClashOf(a, b, kMeasuring, o); })};
  for (const Batch& batch : batches) {
    SCOPED_TRACE(batch.name);
    ExpectEndsFromInside(batch, long_queries::Shares::kOwn);
  }
}

// Their first report comes before the clashes.
TEST(LongClashesTest, Scenes) {
  Scene scene;
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Torus(64, 32))).ok());
  const Tree ball = trees::Make(meshes::Icosphere(3, {1, 0, 0}, 0.4));
  for (const double x : {0.0, -2.0}) {
    ASSERT_TRUE(scene.Add(ball, Pose::Translation({x, 0, 0})).ok());
  }
  scene.Update();
  const std::vector<Batch> batches = {
      OfSolids(
          "all clashes",
          [&](const Options& o) { return AllClashes(scene, kMeasuring, o); }),
      OfSolids("clashes of pairs", [&](const Options& o) {
        return AllClashes(scene, std::vector<BodyPair>{{0, 1}, {0, 2}},
                          kMeasuring, o);
      })};
  for (const Batch& batch : batches) {
    SCOPED_TRACE(batch.name);
    ExpectReportsFromInside(batch);
    ExpectEndsInLastPiece(batch);
    ExpectUsesThreads(batch);
  }
}

}  // namespace
}  // namespace orbox
