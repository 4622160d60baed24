// SPDX-License-Identifier: Apache-2.0

// Detail that is far smaller than its mesh: a screw in a hall, one stray
// triangle, scales of 1e12 and more. Answers are those of brute force and of
// the same tree without its parts, and take about as many steps as those of the
// detail alone.
#include "orbox/bvh/tree/tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// A mesh with detail of some sizes, each about a point.
struct Detailed {
  std::string name;
  Mesh mesh;
  std::vector<Sphere> spots;
};

Mesh Ball(const Vec3& center, double radius) {
  return meshes::Icosphere(3, center, radius);
}

Detailed WithStray(double away) {
  const Mesh stray = meshes::FromTriangles(
      {{{away, away, away}, {away + 1, away, away}, {away, away + 1, away}}});
  return {"stray " + std::to_string(away),
          meshes::Joined(Ball({}, 1), stray),
          {{{}, 1}}};
}

// Two screws, one inside out of the other's sight, and a coarse box around.
Detailed TwoScrewsInHall() {
  const Sphere small{{3e4, 1e4, -2e4}, 1e-3};
  const Sphere large{{-3e4, 0, 1e4}, 0.5};
  return {"two screws",
          meshes::Joined(meshes::Cube({-5e4, -5e4, -5e4}, 1e5),
                         meshes::Joined(Ball(small.center, small.radius),
                                        Ball(large.center, large.radius))),
          {small, large}};
}

// In the middle, where a hall is halved.
Detailed ScrewInTheMiddle() {
  const Sphere screw{{}, 0.01};
  return {"screw in the middle",
          meshes::Joined(Ball(screw.center, screw.radius),
                         meshes::Cube({-5e4, -5e4, -5e4}, 1e5)),
          {screw}};
}

// Detail in detail, down to 1e-12; each ball crosses the next larger one.
Detailed Nested() {
  Detailed nested{"nested", Ball({}, 1), {{{}, 1}}};
  Vec3 at{1, 0, 0};
  for (double radius = 1e-5; radius > 1e-16; radius *= 1e-5) {
    nested.mesh = meshes::Joined(nested.mesh, Ball(at, radius));
    nested.spots.push_back({at, radius});
    at.x += radius;
  }
  return nested;
}

std::vector<Detailed> AllDetailed() {
  return {WithStray(1e5), WithStray(1e12), TwoScrewsInHall(),
          ScrewInTheMiddle(), Nested()};
}

// Returns `tree` without its detail trees, which files do not keep.
Tree WithoutDetails(const Tree& tree) {
  return DecodeTree(EncodeTree(tree).value(), "tree").value();
}

std::vector<uint32_t> SortedIds(const Tree& tree, size_t first, size_t count) {
  std::vector<uint32_t> ids;
  for (size_t leaf = first; leaf < first + count; ++leaf) {
    for (const uint32_t id : tree.leaf_ids(leaf)) {
      if (id != kNoTriangle) ids.push_back(id);
    }
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

void ExpectDetailsHoldWhatIsBelow(const Tree& tree) {
  ASSERT_NE(tree.detail_trees(), nullptr);
  for (const DetailTrees::Detail& part : tree.detail_trees()->all()) {
    EXPECT_EQ(tree.detail_trees()->At(part.node), &part.tree);
    const Node root = tree.node(part.node);
    EXPECT_EQ(SortedIds(part.tree, 0, part.tree.leaf_count()),
              SortedIds(tree, root.first_leaf, root.leaves_below));
    // It resolves what the tree does not.
    EXPECT_GE(part.tree.space().scale, 0x1p10 * tree.space().scale);
    for (uint32_t lane = 0; lane < root.inner_count; ++lane) {
      EXPECT_TRUE(tree.detail_trees()->IsBelowRoot(root.first_node + lane));
    }
    if (part.tree.detail_trees() != nullptr)
      ExpectDetailsHoldWhatIsBelow(part.tree);
  }
}

TEST(DetailTreesTest, PartsHoldWhatIsBelowTheirRoots) {
  for (const Detailed& detailed : AllDetailed()) {
    SCOPED_TRACE(detailed.name);
    for (const trees::Named& variant : trees::Variants(detailed.mesh)) {
      SCOPED_TRACE(variant.name);
      if (variant.tree.leaf_count() > 64) {
        ExpectDetailsHoldWhatIsBelow(variant.tree);
      }
    }
  }
}

// A query enters each part on its way, which costs as much as some nodes.
TEST(DetailTreesTest, DetailInOneSpotIsOnePart) {
  const Detailed screw = ScrewInTheMiddle();
  const Tree tree = trees::Make(screw.mesh);
  ASSERT_NE(tree.detail_trees(), nullptr);
  ASSERT_EQ(tree.detail_trees()->all().size(), 1u);
  EXPECT_EQ(SortedIds(tree.detail_trees()->all()[0].tree, 0,
                      tree.detail_trees()->all()[0].tree.leaf_count())
                .size(),
            screw.mesh.triangle_count() - 12);
  TraversalStatistics statistics;
  const Sphere ball{{0.01, 0, 0}, 1e-4};
  EXPECT_EQ(AllOverlaps(tree, ball, {.statistics = &statistics}).value(),
            AllOverlaps(WithoutDetails(tree), ball));
  EXPECT_LE(statistics.Total().nodes_visited, 8u);
}

TEST(DetailTreesTest, MeshesOfOneScaleHaveNone) {
  for (const meshes::Named& named : meshes::Assortment()) {
    EXPECT_EQ(trees::Make(named.mesh).detail_trees(), nullptr) << named.name;
  }
  EXPECT_EQ(trees::Make(meshes::Torus(200, 100)).detail_trees(), nullptr);
  // Copies of a triangle are one place at any scale.
  const Mesh far =
      meshes::Moved(meshes::Cube(), Pose::Translation({1e9, 0, 0}));
  EXPECT_EQ(trees::Make(
                meshes::Joined(
                    meshes::FromTriangles(std::vector(1000, Triangle{})), far))
                .detail_trees(),
            nullptr);
}

// Points, balls, boxes and rays near each spot.
struct Probes {
  std::vector<Vec3> points;
  std::vector<Sphere> balls;
  std::vector<Aabb> boxes;
  std::vector<Obb> turned_boxes;
  std::vector<Ray> rays;
  std::vector<SweptSphere> sweeps;
};

Probes ProbesOf(const Detailed& detailed, int count) {
  constexpr std::array<Vec3, 3> kTurned = {
      {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}};
  meshes::Random random(7);
  Probes probes;
  for (const auto& [center, radius] : detailed.spots) {
    for (int i = 0; i < count; ++i) {
      const auto near = [&, &center = center, &radius = radius] {
        return center + random.Point(-2, 2) * radius;
      };
      const Vec3 p = near();
      probes.points.push_back(p);
      probes.balls.push_back({p, random.Uniform(0, 1.5) * radius});
      const Vec3 half = random.Point(0, 1) * radius;
      probes.boxes.push_back({p - half, p + half});
      probes.turned_boxes.push_back({p, kTurned, half});
      probes.rays.push_back({p, near() - p});
      probes.sweeps.push_back({p, near(), 0.1 * radius});
    }
    // Through the spot from far away.
    probes.rays.push_back({{-7e3, 5e3, 1e3}, center - Vec3{-7e3, 5e3, 1e3}});
    probes.boxes.push_back({center, {1e7, 1e7, 1e7}});
  }
  return probes;
}

template <typename Shape>
void ExpectSameRegions(const Tree& tree, const Tree& plain,
                       const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes) {
    const std::vector<uint32_t> found = AllOverlaps(tree, shape);
    EXPECT_EQ(found, AllOverlaps(plain, shape));
    EXPECT_EQ(AnyOverlap(tree, shape), !found.empty());
    EXPECT_EQ(CountOverlaps(tree, shape), found.size());
  }
}

void ExpectSameAnswers(const Tree& tree, const Probes& probes) {
  const Tree plain = WithoutDetails(tree);
  ASSERT_EQ(plain.detail_trees(), nullptr);
  const auto all = ClosestPoint(tree, probes.points).value();
  for (size_t i = 0; i < probes.points.size(); ++i) {
    const Vec3& p = probes.points[i];
    const SurfacePoint found = *ClosestPoint(tree, p);
    const SurfacePoint expected = *ClosestPoint(plain, p);
    EXPECT_EQ(found.triangle, expected.triangle);
    EXPECT_EQ(found.distance, expected.distance);
    EXPECT_EQ(found.point, expected.point);
    EXPECT_EQ(all[i]->triangle, expected.triangle);
    EXPECT_EQ(all[i]->distance, expected.distance);
    const auto nearest = KNearest(tree, p, 20);
    const auto nearest_expected = KNearest(plain, p, 20);
    ASSERT_EQ(nearest.size(), nearest_expected.size());
    for (size_t k = 0; k < nearest.size(); ++k) {
      EXPECT_EQ(nearest[k].triangle, nearest_expected[k].triangle);
      EXPECT_EQ(nearest[k].distance, nearest_expected[k].distance);
    }
    EXPECT_EQ(IsInside(tree, p), IsInside(plain, p));
  }
  ExpectSameRegions(tree, plain, probes.balls);
  ExpectSameRegions(tree, plain, probes.boxes);
  ExpectSameRegions(tree, plain, probes.turned_boxes);
  for (const Vec3& p : probes.points) {
    const std::vector<HalfSpace> set = {{{1, 2, 3}, Dot({1, 2, 3}, p)},
                                        {{-1, 0, 1}, Dot({-1, 0, 1}, p)}};
    EXPECT_EQ(AllOverlaps(tree, set), AllOverlaps(plain, set));
  }
  for (const Ray& ray : probes.rays) {
    const auto found = ClosestHit(tree, ray);
    const auto expected = ClosestHit(plain, ray);
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (found) {
      EXPECT_EQ(found->triangle, expected->triangle);
      EXPECT_EQ(found->t, expected->t);
      EXPECT_EQ(found->barycentric, expected->barycentric);
    }
    EXPECT_EQ(AnyHit(tree, ray), found.has_value());
    const auto all_hits = AllHits(tree, ray);
    const auto expected_hits = AllHits(plain, ray);
    ASSERT_EQ(all_hits.size(), expected_hits.size());
    for (size_t k = 0; k < all_hits.size(); ++k) {
      EXPECT_EQ(all_hits[k].triangle, expected_hits[k].triangle);
    }
  }
  for (const SweptSphere& ball : probes.sweeps) {
    const auto found = ClosestHit(tree, ball);
    const auto expected = ClosestHit(plain, ball);
    ASSERT_EQ(found.has_value(), expected.has_value());
    const auto all_hits = AllHits(tree, ball);
    EXPECT_EQ(all_hits.size(), AllHits(plain, ball).size());
    if (!found) continue;
    // Among triangles touched at one time, the reported one depends on the
    // tree.
    EXPECT_LE(found->earliest, expected->latest);
    EXPECT_LE(expected->earliest, found->latest);
    EXPECT_TRUE(std::ranges::any_of(all_hits, [&](const SweepHit& hit) {
      return hit.triangle == found->triangle && hit.latest == found->latest;
    }));
  }
}

TEST(DetailTreesTest, AnswersAreThoseWithoutParts) {
  for (const Detailed& detailed : AllDetailed()) {
    SCOPED_TRACE(detailed.name);
    const Probes probes = ProbesOf(detailed, kSanitized ? 3 : 12);
    for (const trees::Named& variant : trees::Variants(detailed.mesh)) {
      SCOPED_TRACE(variant.name);
      ExpectSameAnswers(variant.tree, probes);
    }
  }
}

TEST(DetailTreesTest, AnswersAreThoseOfBruteForce) {
  for (const Detailed& detailed : AllDetailed()) {
    SCOPED_TRACE(detailed.name);
    const Tree tree = trees::Make(detailed.mesh);
    const Probes probes = ProbesOf(detailed, 12);
    for (const Vec3& p : probes.points) {
      const auto expected = brute_force::Nearest(detailed.mesh, p);
      const SurfacePoint found = *ClosestPoint(tree, p);
      EXPECT_EQ(found.triangle, expected[0].triangle);
      EXPECT_EQ(found.distance, expected[0].distance);
    }
    for (const Sphere& ball : probes.balls) {
      EXPECT_EQ(AllOverlaps(tree, ball),
                brute_force::InRange(detailed.mesh, ball));
    }
    for (const Aabb& box : probes.boxes) {
      EXPECT_EQ(AllOverlaps(tree, box),
                brute_force::InRange(detailed.mesh, box));
    }
  }
}

void ExpectSamePairs(const PosedTree& a, const PosedTree& b,
                     const PosedTree& plain_a, const PosedTree& plain_b,
                     double distance) {
  const auto overlaps = AllOverlaps(plain_a, plain_b);
  const auto within = AllWithin(plain_a, plain_b, distance);
  const Witness closest = *ClosestPair(plain_a, plain_b);
  for (const int threads : {1, 4}) {
    EXPECT_EQ(AllOverlaps(a, b, {.threads = threads}).value(), overlaps);
    EXPECT_EQ(AllWithin(a, b, distance, {.threads = threads}).value(), within);
  }
  EXPECT_EQ(AnyOverlap(a, b), !overlaps.empty());
  EXPECT_EQ(AnyWithin(a, b, distance), !within.empty());
  EXPECT_EQ(ClosestPair(a, b)->distance, closest.distance);
}

TEST(DetailTreesTest, PairsAreThoseWithoutParts) {
  for (const Detailed& detailed : {WithStray(1e5), TwoScrewsInHall()}) {
    SCOPED_TRACE(detailed.name);
    const double size = detailed.spots[0].radius;
    const Mesh& mesh = detailed.mesh;
    for (const double away : {2.01, 0.7}) {
      if (kSanitized && away < 1) continue;  // thousands of pairs
      const Tree a = trees::Make(mesh);
      const Tree b = trees::Make(
          meshes::Moved(mesh, Pose::Translation({away * size, 0, 0})));
      const Tree plain_a = WithoutDetails(a);
      const Tree plain_b = WithoutDetails(b);
      ExpectSamePairs(a, b, plain_a, plain_b, 0.02 * size);
      const Tree ball =
          trees::Make(Ball(detailed.spots[0].center + Vec3{size, 0, 0}, size));
      ExpectSamePairs(a, ball, plain_a, ball, 0.02 * size);
      ExpectSamePairs(ball, b, ball, plain_b, 0.02 * size);
      Pose pose = Pose::Translation({away * size, 0, 0});
      pose.rows[1].y = 1.25;  // skewed
      ExpectSamePairs(PosedTree::Create(a, pose).value(), b,
                      PosedTree::Create(plain_a, pose).value(), plain_b,
                      0.02 * size);
      ExpectSamePairs(a, PosedTree::Create(b, pose).value(), plain_a,
                      PosedTree::Create(plain_b, pose).value(), 0.02 * size);
      ExpectSamePairs(PosedTree::Create(a, pose).value(),
                      PosedTree::Create(b, pose).value(),
                      PosedTree::Create(plain_a, pose).value(),
                      PosedTree::Create(plain_b, pose).value(), 0.02 * size);
    }
  }
}

TEST(DetailTreesTest, SelfPairsAreThoseWithoutParts) {
  for (const Detailed& detailed :
       {WithStray(1e5), TwoScrewsInHall(), Nested()}) {
    SCOPED_TRACE(detailed.name);
    const Tree tree = trees::Make(detailed.mesh);
    const Tree plain = WithoutDetails(tree);
    const double distance = 0.05 * detailed.spots[0].radius;
    for (const int threads : {1, 4}) {
      EXPECT_EQ(AllSelfOverlaps(tree, {}, {.threads = threads}).value(),
                AllSelfOverlaps(plain));
    }
    if (detailed.spots.size() > 2) continue;  // all of the small ones are near
    EXPECT_EQ(AllSelfWithin(tree, distance), AllSelfWithin(plain, distance));
    EXPECT_EQ(AllSelfWithin(tree, distance, {}, {.threads = 4}).value(),
              AllSelfWithin(plain, distance));
  }
}

TEST(DetailTreesTest, RefittingKeepsParts) {
  const Detailed detailed = TwoScrewsInHall();
  const Tree tree = trees::Make(detailed.mesh);
  const Mesh moved =
      meshes::Moved(detailed.mesh, Pose::Translation({10, -3, 1e-4}));
  Detailed there{"moved", moved, detailed.spots};
  for (Sphere& spot : there.spots) spot.center += Vec3{10, -3, 1e-4};
  const Tree refitted = Refit(tree, moved).value();
  ExpectDetailsHoldWhatIsBelow(refitted);
  ExpectSameAnswers(refitted, ProbesOf(there, 8));
  DeformingTree deforming = DeformingTree::Create(detailed.mesh, {}).value();
  ASSERT_TRUE(deforming.Move(moved.vertices()).ok());
  ExpectDetailsHoldWhatIsBelow(deforming.tree());
  ExpectSameAnswers(deforming.tree(), ProbesOf(there, 8));
}

uint64_t Steps(const TraversalStatistics& s) {
  return s.Total().volume_tests + s.triangle_tests;
}

// Detail alone, compared with that detail in a mesh that is far larger.
TEST(DetailTreesTest, DetailTakesFewMoreStepsThanAlone) {
  for (const double away : {1e5, 1e6, 1e9, 1e12}) {
    SCOPED_TRACE(away);
    const Detailed detailed = WithStray(away);
    const Tree tree = trees::Make(detailed.mesh);
    const Tree alone = trees::Make(Ball({}, 1));
    const Probes probes = ProbesOf(detailed, 100);
    TraversalStatistics with;
    TraversalStatistics without;
    for (const auto& [t, s] :
         {std::pair{&tree, &with}, std::pair{&alone, &without}}) {
      for (const Vec3& p : probes.points) {
        ClosestPoint(*t, p, {.statistics = s}).value();
      }
      for (const Sphere& ball : probes.balls) {
        CountOverlaps(*t, ball, {.statistics = s}).value();
      }
      for (const Ray& ray : probes.rays) {
        ClosestHit(*t, ray, {.statistics = s}).value();
      }
    }
    EXPECT_LT(Steps(with), 3 * Steps(without));
    TraversalStatistics self_with;
    TraversalStatistics self_without;
    AllSelfOverlaps(tree, {}, {.statistics = &self_with}).value();
    AllSelfOverlaps(alone, {}, {.statistics = &self_without}).value();
    EXPECT_LT(Steps(self_with), 2 * Steps(self_without));
    TraversalStatistics pairs_with;
    TraversalStatistics pairs_without;
    const Pose pose = Pose::Translation({0.1, 0.05, 1.9});
    AllOverlaps(PosedTree::Create(tree, pose).value(), tree,
                {.statistics = &pairs_with})
        .value();
    AllOverlaps(PosedTree::Create(alone, pose).value(), alone,
                {.statistics = &pairs_without})
        .value();
    EXPECT_LT(Steps(pairs_with), 3 * Steps(pairs_without));
    TraversalStatistics gap_with;
    TraversalStatistics gap_without;
    const Pose apart = Pose::Translation({0.1, 0.05, 2.5});
    ClosestPair(PosedTree::Create(tree, apart).value(), tree, {},
                {.statistics = &gap_with})
        .value();
    ClosestPair(PosedTree::Create(alone, apart).value(), alone, {},
                {.statistics = &gap_without})
        .value();
    EXPECT_LT(Steps(gap_with), 3 * Steps(gap_without));
  }
}

}  // namespace
}  // namespace orbox
