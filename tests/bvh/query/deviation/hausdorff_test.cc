// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/hausdorff.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

HausdorffLimits Within(double tolerance) {
  HausdorffLimits limits;
  limits.tolerance = tolerance;
  return limits;
}

double BruteDistance(const Mesh& mesh, const Vec3& p) {
  double least = kInf;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    least = std::min(least, Distance(p, mesh.triangle(i)).distance);
  }
  return least;
}

// The largest distance of points spread over the triangle, (n + 1)(n + 2) / 2
// of them, the corners among them.
double SampledFarthest(const Triangle& t, const Mesh& b, int n) {
  double farthest = 0;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; i + j <= n; ++j) {
      const double v = static_cast<double>(i) / n;
      const double w = static_cast<double>(j) / n;
      const Vec3 p = t.a * (1 - v - w) + t.b * v + t.c * w;
      farthest = std::max(farthest, BruteDistance(b, p));
    }
  }
  return farthest;
}

double LongestEdge(const Triangle& t) {
  return std::max({Norm(t.b - t.a), Norm(t.c - t.b), Norm(t.a - t.c)});
}

// No sample is beyond the upper bound, and the lower bound exceeds the largest
// sample by at most the spacing. The witness points are on the surfaces, at the
// distance of the lower bound.
void ExpectEncloses(const HausdorffResult& h, const Mesh& a, const Mesh& b,
                    double tolerance) {
  constexpr int kSamples = 6;
  double sampled = 0;
  double spacing = 0;
  for (uint32_t i = 0; i < a.triangle_count(); ++i) {
    const Triangle t = a.triangle(i);
    sampled = std::max(sampled, SampledFarthest(t, b, kSamples));
    spacing = std::max(spacing, LongestEdge(t) / kSamples);
  }
  const double reach =
      MaxCoordinate(Max(Max(Abs(a.bounds().lo), Abs(a.bounds().hi)),
                        Max(Abs(b.bounds().lo), Abs(b.bounds().hi))));
  const double rounding = 0x1p-45 * reach;
  EXPECT_LE(sampled, h.upper + rounding);
  EXPECT_LE(h.lower, sampled + spacing);
  EXPECT_LE(h.lower, h.upper);
  EXPECT_LE(h.upper - h.lower, tolerance);
  ASSERT_LT(h.triangle_a, a.triangle_count());
  ASSERT_LT(h.triangle_b, b.triangle_count());
  EXPECT_LE(Distance(h.on_a, a.triangle(h.triangle_a)).distance, rounding);
  EXPECT_LE(Distance(h.on_b, b.triangle(h.triangle_b)).distance, rounding);
  EXPECT_GE(BruteDistance(b, h.on_a), h.lower);
  EXPECT_NEAR(Norm(h.on_a - h.on_b), h.lower, rounding);
}

void ExpectSame(const HausdorffResult& x, const HausdorffResult& y) {
  EXPECT_EQ(x.lower, y.lower);
  EXPECT_EQ(x.upper, y.upper);
  EXPECT_EQ(x.triangle_a, y.triangle_a);
  EXPECT_EQ(x.on_a, y.on_a);
  EXPECT_EQ(x.triangle_b, y.triangle_b);
  EXPECT_EQ(x.on_b, y.on_b);
}

// The far and the near square: corners of a plate over four small triangles,
// one below each corner, which leave its middle far from all.
Mesh Plate(double height) {
  return meshes::Make(
      {{-1, -1, height}, {1, -1, height}, {1, 1, height}, {-1, 1, height}},
      {{0, 1, 2}, {0, 2, 3}});
}

TEST(HausdorffTest, EnclosesWhatSamplesFind) {
  meshes::Random random(1);
  const auto all = meshes::Assortment();
  for (size_t i = 0; i < all.size(); ++i) {
    const Mesh& b = all[(i + 1) % all.size()].mesh;
    const Pose pose = Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                                     random.Point(-0.5, 0.5));
    const Mesh a = meshes::Moved(all[i].mesh, pose);
    if (a.triangle_count() * b.triangle_count() > 20'000) continue;
    SCOPED_TRACE(all[i].name + " to " + all[(i + 1) % all.size()].name);
    const double tolerance = 0.02 * Norm(b.bounds().HalfExtents());
    const Tree tree_a = trees::Make(all[i].mesh);
    const Tree tree_b = trees::Make(b);
    const PosedTree posed = PosedTree::Create(tree_a, pose).value();
    const auto there =
        HausdorffDistance(posed, tree_b, Within(tolerance)).value();
    ExpectEncloses(there, a, b, tolerance);
    // The pose of B requires a tree of its own.
    const auto back =
        HausdorffDistance(tree_b, posed, Within(tolerance)).value();
    ExpectEncloses(back, b, a, tolerance);
    ExpectSame(
        back,
        HausdorffDistance(tree_b, trees::Make(a), Within(tolerance)).value());
    const auto both =
        SymmetricHausdorffDistance(posed, tree_b, Within(tolerance)).value();
    ExpectSame(both.a_to_b, there);
    ExpectSame(both.b_to_a, back);
    EXPECT_EQ(both.lower(), std::max(there.lower, back.lower));
    EXPECT_EQ(both.upper(), std::max(there.upper, back.upper));
  }
}

TEST(HausdorffTest, KnownDistancesToTheLastBit) {
  const Tree inner = trees::Make(meshes::Cube({-1, -1, -1}, 2));
  const Tree outer = trees::Make(meshes::Cube({-2, -2, -2}, 4));
  const auto h = SymmetricHausdorffDistance(inner, outer, Within(0)).value();
  EXPECT_EQ(h.a_to_b.lower, 1);
  EXPECT_EQ(h.a_to_b.upper, 1);
  EXPECT_EQ(h.b_to_a.lower, std::sqrt(3.0));
  EXPECT_EQ(h.b_to_a.upper, std::sqrt(3.0));
  EXPECT_EQ(h.upper(), std::sqrt(3.0));
}

TEST(HausdorffTest, AMeshIsNowhereAwayFromItself) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Tree tree = trees::Make(m.mesh);
    const auto h = HausdorffDistance(tree, tree).value();
    EXPECT_EQ(h.lower, 0);
    EXPECT_LE(h.upper, 0.002 * Norm(m.mesh.bounds().HalfExtents()));
    const auto part =
        HausdorffDistance(trees::Make(meshes::OneTriangle()), tree);
    ASSERT_TRUE(part.ok());
  }
}

// Corners are near, the middle is not: by symmetry it is the farthest.
TEST(HausdorffTest, TheFarthestPointMayBeInsideATriangle) {
  std::vector<Triangle> feet;
  for (const Vec3& at :
       {Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{1, 1, 0}, Vec3{-1, 1, 0}}) {
    feet.push_back({at, at + Vec3{0, 0, -1}, at + Vec3{0, 0, -1}});
  }
  const Mesh b = meshes::FromTriangles(feet);
  for (const double height : {0.0, 0.5, 4.0}) {
    const double expected = std::sqrt(2 + height * height);
    const auto h = HausdorffDistance(trees::Make(Plate(height)), trees::Make(b),
                                     Within(1e-6))
                       .value();
    EXPECT_LE(h.lower, expected * (1 + 1e-15));
    EXPECT_GE(h.upper, expected * (1 - 1e-15));
    EXPECT_LE(h.upper - h.lower, 1e-6);
    EXPECT_LE(Norm(h.on_a - Vec3{0, 0, height}), 1e-2);
  }
}

TEST(HausdorffTest, FewPartsGiveBoundsThatHold) {
  const Mesh a = meshes::Torus(12, 6);
  const Mesh b = meshes::Icosphere(1);
  const Tree tree_a = trees::Make(a);
  const Tree tree_b = trees::Make(b);
  double last = kInf;
  for (const size_t parts : {0, 10, 100, 10'000}) {
    HausdorffLimits limits = Within(0);
    limits.max_parts = parts;
    const auto h = HausdorffDistance(tree_a, tree_b, limits).value();
    ExpectEncloses(h, a, b, kInf);
    EXPECT_LE(h.upper - h.lower, last);
    last = h.upper - h.lower;
  }
  EXPECT_LT(last, 1e-3);
  HausdorffLimits relative = Within(0);
  relative.relative_tolerance = 0.01;
  const auto h = HausdorffDistance(tree_a, tree_b, relative).value();
  EXPECT_LE(h.upper - h.lower, 0.01 * h.lower);
}

TEST(HausdorffTest, TheFieldEnclosesEveryTriangle) {
  const auto all = meshes::Assortment();
  for (size_t i = 0; i < all.size(); i += 2) {
    const Mesh& b = all[i].mesh;
    const Mesh a =
        meshes::Moved(meshes::Torus(6, 4), Pose::Translation({0.3, 0.2, 0.1}));
    if (b.triangle_count() > 400) continue;
    SCOPED_TRACE(all[i].name);
    const double tolerance = 0.02 * Norm(b.bounds().HalfExtents());
    const auto field =
        DeviationField(trees::Make(a), trees::Make(b), Within(tolerance))
            .value();
    ASSERT_EQ(field.size(), a.triangle_count());
    for (uint32_t k = 0; k < field.size(); ++k) {
      const Triangle t = a.triangle(k);
      double nearest = kInf;
      for (uint32_t j = 0; j < b.triangle_count(); ++j) {
        nearest = std::min(nearest, Distance(t, b.triangle(j)).distance);
      }
      EXPECT_EQ(field[k].nearest, nearest);
      const double sampled = SampledFarthest(t, b, 6);
      const double rounding = 0x1p-45 * MaxCoordinate(Abs(b.bounds().hi));
      EXPECT_LE(sampled, field[k].farthest_upper + rounding);
      EXPECT_LE(field[k].farthest_lower, sampled + LongestEdge(t) / 6);
      EXPECT_LE(field[k].farthest_upper - field[k].farthest_lower, tolerance);
      EXPECT_LE(field[k].nearest, field[k].farthest_lower);
    }
  }
}

TEST(HausdorffTest, ScaleAndKindOfTreeDoNotMatter) {
  const Mesh a = meshes::Torus(12, 6);
  const Mesh b = meshes::Icosphere(2);
  const auto expected =
      HausdorffDistance(trees::Make(a), trees::Make(b), Within(0x1p-7)).value();
  for (const trees::Named& variant : trees::Variants(b)) {
    SCOPED_TRACE(variant.name);
    ExpectSame(
        HausdorffDistance(trees::Make(a), variant.tree, Within(0x1p-7)).value(),
        expected);
  }
  for (const int exponent : {-140, -40, 40, 190}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    HausdorffResult h =
        HausdorffDistance(trees::Make(meshes::Scaled(a, s)),
                          trees::Make(meshes::Scaled(b, s)), Within(0x1p-7 * s))
            .value();
    // Powers of two change no digit, except for roundings upward on denormals.
    EXPECT_EQ(h.lower / s, expected.lower);
    EXPECT_EQ(h.triangle_a, expected.triangle_a);
    EXPECT_NEAR(h.upper / s, expected.upper, 1e-12);
  }
}

TEST(HausdorffTest, ThreadsDoNotMatter) {
  // Enough vertices for several pieces, and parts for rounds of many.
  const Mesh a = meshes::Torus(40, 20);
  const Mesh b = meshes::Icosphere(3, {0.3, 0.1, 0}, 1.2);
  const Tree tree_a = trees::Make(a);
  const Tree tree_b = trees::Make(b);
  const PosedTree posed =
      PosedTree::Create(tree_a, Pose::Rotation({0, 0.6, 0.8}, 0.4)).value();
  for (const double tolerance : {1e-2, 1e-9}) {
    HausdorffLimits limits = Within(tolerance);
    limits.max_parts = 20'000;
    TraversalStatistics alone;
    const auto h = SymmetricHausdorffDistance(posed, tree_b, limits,
                                              {.statistics = &alone})
                       .value();
    HausdorffLimits few = limits;
    few.max_parts = 50;
    const auto field =
        DeviationField(posed, tree_b, few, {.statistics = &alone}).value();
    for (const int threads : {2, 3, 7}) {
      SCOPED_TRACE(threads);
      TraversalStatistics statistics;
      const RunOptions options{.statistics = &statistics, .threads = threads};
      const auto same =
          SymmetricHausdorffDistance(posed, tree_b, limits, options).value();
      ExpectSame(same.a_to_b, h.a_to_b);
      ExpectSame(same.b_to_a, h.b_to_a);
      const auto same_field =
          DeviationField(posed, tree_b, few, options).value();
      ASSERT_EQ(same_field.size(), field.size());
      for (size_t i = 0; i < field.size(); ++i) {
        EXPECT_EQ(same_field[i].nearest, field[i].nearest);
        EXPECT_EQ(same_field[i].farthest_lower, field[i].farthest_lower);
        EXPECT_EQ(same_field[i].farthest_upper, field[i].farthest_upper);
      }
      EXPECT_EQ(statistics, alone);
    }
  }
}

TEST(HausdorffTest, ProgressNeverFallsAndCanBeCancelled) {
  const Tree a = trees::Make(meshes::Torus(40, 20));
  const Tree b = trees::Make(meshes::Icosphere(3));
  std::atomic<bool> cancelled = false;
  const HausdorffLimits limits = Within(1e-4);
  RunOptions options;
  options.cancelled = &cancelled;
  double share = 0;
  options.progress = [&share](double done) {
    EXPECT_GE(done, share);
    EXPECT_LE(done, 1);
    share = done;
  };
  EXPECT_TRUE(SymmetricHausdorffDistance(a, b, limits, options).ok());
  EXPECT_EQ(share, 1);
  share = 0;
  EXPECT_TRUE(DeviationField(a, b, limits, options).ok());
  EXPECT_EQ(share, 1);
  share = 0;
  // In the middle, where only the parts are left.
  options.progress = [&](double done) { cancelled = done > 0.7; };
  EXPECT_EQ(HausdorffDistance(a, b, limits, options).status().code(),
            absl::StatusCode::kCancelled);
  cancelled = true;
  options.progress = nullptr;
  EXPECT_EQ(HausdorffDistance(a, b, limits, options).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(DeviationField(a, b, limits, options).status().code(),
            absl::StatusCode::kCancelled);
}

TEST(HausdorffTest, BadArgumentsAreRefused) {
  const Tree tree = trees::Make(meshes::Cube());
  const auto refused = [&](const HausdorffLimits& limits,
                           const RunOptions& options) {
    for (const absl::Status& status :
         {HausdorffDistance(tree, tree, limits, options).status(),
          SymmetricHausdorffDistance(tree, tree, limits, options).status(),
          DeviationField(tree, tree, limits, options).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    }
  };
  for (const double bad : {-1.0, std::nan("")}) {
    refused({.tolerance = bad}, {});
    refused({.relative_tolerance = bad}, {});
  }
  refused({}, {.threads = -1});
}

TEST(HausdorffTest, EveryInstructionSetAgreesToTheLastCount) {
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree a = trees::Make(meshes::Torus(20, 8), kind.volumes);
    const Tree b = trees::Make(meshes::Grid(15, 0.3), kind.volumes);
    TraversalStatistics first;
    SetInstructionSet(SupportedInstructionSets().front());
    const auto expected =
        SymmetricHausdorffDistance(a, b, Within(0.01), {.statistics = &first})
            .value();
    EXPECT_GT(first.triangle_tests, 0U);
    trees::OnEachInstructionSet([&] {
      TraversalStatistics statistics;
      const auto h = SymmetricHausdorffDistance(a, b, Within(0.01),
                                                {.statistics = &statistics})
                         .value();
      ExpectSame(h.a_to_b, expected.a_to_b);
      ExpectSame(h.b_to_a, expected.b_to_a);
      EXPECT_EQ(statistics, first);
    });
  }
}

}  // namespace
}  // namespace orbox
