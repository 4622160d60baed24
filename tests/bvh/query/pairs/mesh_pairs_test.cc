// SPDX-License-Identifier: Apache-2.0

// Overlap, distance and all pairs within d of two posed meshes: three queries,
// one loop (traverse/internal/two_trees-inl.h), one set of cases.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"
#include "tests/support/witnesses.h"

namespace orbox {
namespace {

// The true answers for two meshes, found once and compared with many trees.
struct Truth {
  Truth(const Mesh& first, const Mesh& second, double d)
      : a(first),
        b(second),
        distance(d),
        overlapping(brute_force::Overlapping(a, b)),
        within(brute_force::Within(a, b, d)),
        closest(brute_force::Closest(a, b)),
        closest_within(brute_force::ClosestWithin(a, b, closest.distance)) {}

  void Check(const PosedTree& x, const PosedTree& y) const {
    EXPECT_EQ(AnyOverlap(x, y), !overlapping.empty());
    EXPECT_EQ(AllOverlaps(x, y), overlapping);
    EXPECT_EQ(AnyWithin(x, y, distance), !within.empty());
    EXPECT_EQ(AllWithin(x, y, distance), within);
    const double d = closest.distance;
    const Witness found = *ClosestPair(x, y);
    ExpectIsClosest(found, a, b, d);
    const auto at_most_d = ClosestPair(x, y, {.max_distance = d});
    ASSERT_EQ(at_most_d.has_value(), closest_within.has_value());
    EXPECT_EQ(AnyWithin(x, y, d), closest_within.has_value());
    if (at_most_d) {
      ExpectIsClosest(*at_most_d, a, b, d);
      EXPECT_TRUE(WithinDistance(a.triangle(at_most_d->triangles.a),
                                 b.triangle(at_most_d->triangles.b), d));
    }
    const double above = std::nextafter(d, 2 * d + 1);
    const auto at_most_above = ClosestPair(x, y, {.max_distance = above});
    ASSERT_TRUE(at_most_above);
    ExpectSame(*at_most_above, found);
    if (d > 0) {
      EXPECT_FALSE(ClosestPair(x, y, {.max_distance = std::nextafter(d, 0)}));
      EXPECT_FALSE(AnyWithin(x, y, d * (1 - 0x1p-50)));
    }
  }

  Mesh a;
  Mesh b;
  double distance;
  std::vector<TrianglePair> overlapping;
  std::vector<PairDistance> within;
  Witness closest;
  // Within what its distance is rounded to, which may be less.
  std::optional<Witness> closest_within;
};

// Both meshes posed, every kind of tree against the next.
void CheckPosed(const Mesh& a, const Pose& pose_a, const Mesh& b,
                const Pose& pose_b, double d) {
  const Truth truth(meshes::Moved(a, pose_a), meshes::Moved(b, pose_b), d);
  const auto trees_a = trees::Variants(a);
  const auto trees_b = trees::Variants(b);
  for (size_t i = 0; i < trees_a.size(); ++i) {
    const trees::Named& x = trees_a[i];
    for (const size_t j : {i, (i + 1) % trees_b.size()}) {
      const trees::Named& y = trees_b[j];
      SCOPED_TRACE(x.name + " against " + y.name);
      truth.Check(PosedTree::Create(x.tree, pose_a).value(),
                  PosedTree::Create(y.tree, pose_b).value());
    }
  }
}

TEST(MeshPairsTest, AgreeWithBruteForceOnEveryPairOfMeshes) {
  meshes::Random random(4);
  const auto all = meshes::Assortment();
  for (size_t i = 0; i < all.size(); ++i) {
    const meshes::Named& m = all[i];
    const meshes::Named& n = all[(i + 1) % all.size()];
    if (m.mesh.triangle_count() * n.mesh.triangle_count() > 40'000) continue;
    SCOPED_TRACE(m.name + " and " + n.name);
    for (const double move : {0.5, 2.0}) {
      CheckPosed(m.mesh, meshes::RandomRigidPose(random, move), n.mesh,
                 meshes::RandomRigidPose(random, 0.3), 0.2);
    }
    CheckPosed(m.mesh, Pose::Identity(), n.mesh,
               meshes::RandomRigidPose(random, 1), 0.05);
    CheckPosed(m.mesh, meshes::RandomRigidPose(random, 1), n.mesh,
               Pose::Identity(), 0.05);
  }
}

// Moved vertices are rounded there, by more than what parts some pairs.
TEST(MeshPairsTest, MovesFarFromTheOriginRoundTheVertices) {
  meshes::Random random(14);
  const Mesh ball = meshes::Icosphere(1);
  for (const double far : {1e9, 1e12, 3e14}) {
    const Vec3 at{far, -far, 0.3 * far};
    const Mesh placed = meshes::Moved(ball, Pose::Translation(at));
    for (int round = 0; round < 4; ++round) {
      SCOPED_TRACE(::testing::Message() << far << " " << round);
      const Vec3 aside = random.Direction() * (round % 2 == 0 ? 2 : 1.7);
      CheckPosed(placed, Pose::Translation(aside), placed, Pose::Identity(),
                 0.2);
      CheckPosed(ball, Pose::Translation(at + aside), ball,
                 Pose::Translation(at), 0.2);
      CheckPosed(placed, Pose::Translation(aside - at), ball, Pose::Identity(),
                 0.2);
      CheckPosed(placed, Pose::Translation(aside), ball, Pose::Translation(at),
                 0.2);
    }
  }
}

TEST(MeshPairsTest, AMeshMeetsItselfEverywhere) {
  const Mesh mesh = meshes::Icosphere(1);
  CheckPosed(mesh, Pose::Identity(), mesh, Pose::Identity(), 0);
  CheckPosed(mesh, Pose::Identity(), mesh, Pose::Identity(), 0.1);
}

// Cubes that share a face, an edge, a corner; or miss by one unit in the last
// place.
TEST(MeshPairsTest, TouchingIsMeeting) {
  const Mesh cube = meshes::Cube();
  for (const Vec3& t : {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1},
                        Vec3{-1, 0.5, 0.25}, Vec3{0, 0, 0}}) {
    CheckPosed(cube, Pose::Translation(t), cube, Pose::Identity(), 0);
    const Vec3 apart = t * (1 + 0x1p-52);
    CheckPosed(cube, Pose::Translation(apart), cube, Pose::Identity(), 0);
    CheckPosed(cube, Pose::Translation(apart), cube, Pose::Identity(), 0x1p-52);
  }
  const Tree tree = trees::Make(cube);
  const auto at = [&](double x) {
    return PosedTree::Create(tree, Pose::Translation({x, 0, 0})).value();
  };
  EXPECT_TRUE(AnyOverlap(at(1), tree));
  EXPECT_FALSE(AnyOverlap(at(1 + 0x1p-52), tree));
  EXPECT_EQ(ClosestPair(at(1 + 0x1p-52), tree)->distance, 0x1p-52);
}

// PEERS: one mesh inside another is no contact of surfaces, and the distance
// between them is that of the surfaces.
TEST(MeshPairsTest, AMeshInsideAnotherIsApart) {
  const Mesh outer = meshes::Cube({-4, -4, -4}, 8);
  const Mesh inner = meshes::Cube({-1, -1, -1}, 2);
  CheckPosed(inner, Pose::Identity(), outer, Pose::Identity(), 3);
  EXPECT_EQ(ClosestPair(trees::Make(inner), trees::Make(outer))->distance, 3);
}

// PEERS: absolute tolerances turn small gaps into contacts and small models
// into one point.
TEST(MeshPairsTest, ScaleDoesNotMatter) {
  const Mesh a = meshes::Torus(12, 6);
  const Mesh b = meshes::Icosphere(1);
  const Vec3 move{1.7, 0.2, 0.9};
  const Truth truth(meshes::Moved(a, Pose::Translation(move)), b, 0.3);
  for (const int exponent : {-140, -120, -40, -10, 10, 40, 120, 190}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    const Tree small_a = trees::Make(meshes::Scaled(a, s));
    const Tree small_b = trees::Make(meshes::Scaled(b, s));
    const PosedTree posed =
        PosedTree::Create(small_a, Pose::Translation(move * s)).value();
    EXPECT_EQ(AllOverlaps(posed, small_b), truth.overlapping);
    const auto within = AllWithin(posed, small_b, 0.3 * s);
    ASSERT_EQ(within.size(), truth.within.size());
    for (size_t i = 0; i < within.size(); ++i) {
      EXPECT_EQ(within[i].triangles, truth.within[i].triangles);
      EXPECT_EQ(within[i].distance, truth.within[i].distance * s);
    }
    const auto closest = *ClosestPair(posed, small_b);
    ExpectIsClosest(closest,
                    meshes::Moved(small_a.mesh(), Pose::Translation(move * s)),
                    small_b.mesh(), truth.closest.distance * s);
  }
}

TEST(MeshPairsTest, SizesThatDifferByMillions) {
  const Mesh large = meshes::Scaled(meshes::Icosphere(1), 1e6);
  const Mesh small = meshes::Icosphere(1);
  meshes::Random random(5);
  const Pose pose = Pose::Rotation(random.Direction(), 1, {1e6, 3, 4});
  CheckPosed(small, pose, large, Pose::Identity(), 1);
  CheckPosed(large, Pose::Identity(), small, pose, 1);
  const Mesh huge = meshes::Scaled(meshes::Icosphere(1), 1e15);
  CheckPosed(small, Pose::Identity(), huge, Pose::Identity(), 1e15);
}

// At 2^60 the posed vertices collapse onto each other, which is mostly a matter
// for exact arithmetic: few triangles are enough.
TEST(MeshPairsTest, FarFromTheOrigin) {
  const Mesh mesh = meshes::Torus(6, 4);
  meshes::Random random(6);
  for (const double offset : {0x1p20, 0x1p40, 0x1p60}) {
    SCOPED_TRACE(offset);
    const Vec3 t{offset, -offset, offset};
    const Mesh moved = meshes::Moved(mesh, Pose::Translation(t));
    CheckPosed(moved, Pose::Translation({1, 0.5, 0}), moved, Pose::Identity(),
               0.1);
    CheckPosed(mesh, meshes::RandomRigidPose(random, offset), mesh,
               Pose::Identity(), 0.1);
  }
}

// Poses that scale uniformly, mirror, shear, and flatten.
TEST(MeshPairsTest, AffinePoses) {
  const Mesh a = meshes::Torus(10, 6);
  const Mesh b = meshes::Icosphere(1);
  const Pose scaled{{{{0, -2.5, 0}, {2.5, 0, 0}, {0, 0, 2.5}}}, {3, 0, 0}};
  const Pose mirrored{{{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1.5, 0, 0}};
  const Pose nearly{{{{1, 1e-6, 0}, {0, 1, 0}, {0, 0, 1 + 1e-6}}}, {1, 1, 0}};
  const Pose sheared{{{{1, 0.5, 0}, {0, 1, 0}, {0, 0.25, 3}}}, {1, 1, 0}};
  const Pose flat{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}}, {0.5, 0, 0.25}};
  const Pose point{{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, {0.5, 0, 0.25}};
  for (const Pose& pose : {scaled, mirrored, nearly, sheared, flat, point}) {
    CheckPosed(a, pose, b, Pose::Identity(), 0.3);
    CheckPosed(a, Pose::Translation({0.5, 0, 0}), b, pose, 0.3);
  }
}

// Stretched along the axes of one turn, and turned again.
Pose SkewedPose(meshes::Random& random, double move) {
  const double most = 0.99 * PosedTree::kMostStretch;
  Pose pose = meshes::RandomRigidPose(random, move);
  const Pose turn = meshes::RandomRigidPose(random, 0);
  pose.rows[0] *= random.Uniform(0.5, 0.5 * most);
  pose.rows[1] *= 0.5;
  Pose both;
  for (size_t i = 0; i < 3; ++i) {
    both.rows[i] = {};
    for (size_t k = 0; k < 3; ++k) {
      both.rows[i] += turn.rows[i][k] * pose.rows[k];
    }
  }
  both.translation = pose.translation;
  return both;
}

TEST(MeshPairsTest, SkewedPosesOnEitherSideAndOnBoth) {
  meshes::Random random(9);
  const auto all = meshes::Assortment();
  for (size_t i = 0; i < all.size(); ++i) {
    const meshes::Named& m = all[i];
    const meshes::Named& n = all[(i + 2) % all.size()];
    if (m.mesh.triangle_count() * n.mesh.triangle_count() > 20'000) continue;
    SCOPED_TRACE(m.name + " and " + n.name);
    CheckPosed(m.mesh, SkewedPose(random, 1), n.mesh,
               meshes::RandomRigidPose(random, 1), 0.1);
    CheckPosed(m.mesh, meshes::RandomRigidPose(random, 1), n.mesh,
               SkewedPose(random, 1), 0.1);
    CheckPosed(m.mesh, SkewedPose(random, 1), n.mesh, SkewedPose(random, 1),
               0.1);
  }
}

// The tree does not change, and its results are those of one that was built at
// the pose.
TEST(MeshPairsTest, SkewedTreesAnswerAsTreesInPlace) {
  meshes::Random random(10);
  const Mesh torus = meshes::Torus(40, 16);
  const Mesh grid = meshes::Grid(30, 0.3);
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    const Tree a = trees::Make(torus, kind.volumes);
    const Tree b = trees::Make(grid, kind.volumes);
    for (int round = 0; round < 6; ++round) {
      const Pose pose_a = SkewedPose(random, 1.5);
      const Pose pose_b = round % 2 == 0 ? meshes::RandomRigidPose(random, 1)
                                         : SkewedPose(random, 1);
      const PosedTree x = PosedTree::Create(a, pose_a).value();
      const PosedTree y = PosedTree::Create(b, pose_b).value();
      EXPECT_TRUE(x.is_moved());
      EXPECT_GT(x.stretch(), 1);
      EXPECT_EQ(x.tree().nodes().data(), a.nodes().data());
      const Tree there = trees::Make(meshes::Moved(torus, pose_a));
      const Tree here = trees::Make(meshes::Moved(grid, pose_b));
      const double d = ClosestPair(there, here)->distance;
      EXPECT_EQ(AllOverlaps(x, y), AllOverlaps(there, here));
      EXPECT_EQ(AllWithin(x, y, d + 0.05), AllWithin(there, here, d + 0.05));
      ExpectIsClosest(*ClosestPair(x, y), there.mesh(), here.mesh(), d);
      EXPECT_EQ(ClosestPair(y, x)->distance, d);
      EXPECT_TRUE(AnyWithin(x, y, std::nextafter(d, kInf)));
    }
  }
}

// If both trees are skewed, one is moved into the world, once.
TEST(MeshPairsTest, ASkewedTreeHasOneInPlace) {
  meshes::Random random(11);
  const Tree tree = trees::Make(meshes::Torus(20, 8));
  const Pose pose = SkewedPose(random, 1);
  const PosedTree skewed = PosedTree::Create(tree, pose).value();
  const PosedTree copy = skewed;
  const PosedTree& place = skewed.InWorld();
  EXPECT_EQ(&place, &copy.InWorld());
  EXPECT_EQ(&place, &place.InWorld());
  EXPECT_FALSE(place.is_moved());
  EXPECT_EQ(place.stretch(), 1);
  for (uint32_t i = 0; i < tree.mesh().triangle_count(); ++i) {
    EXPECT_EQ(place.triangle(i), skewed.triangle(i));
  }
  const PosedTree rigid =
      PosedTree::Create(tree, meshes::RandomRigidPose(random, 1)).value();
  EXPECT_EQ(&rigid.InWorld(), &rigid);
}

TEST(MeshPairsTest, PosesThatSkewTooMuchGetATreeOfTheirOwn) {
  const Tree tree = trees::Make(meshes::Torus(10, 6));
  const auto posed = [&](double stretch) {
    Pose pose = Pose::Rotation({0, 0.6, 0.8}, 1);
    for (Vec3& row : pose.rows) row.x *= stretch;
    return PosedTree::Create(tree, pose).value();
  };
  EXPECT_EQ(posed(1).stretch(), 1);
  EXPECT_NEAR(posed(2).stretch(), 2, 1e-6);
  EXPECT_NEAR(posed(0.5).stretch(), 2, 1e-6);
  EXPECT_TRUE(posed(0.999 * PosedTree::kMostStretch).is_moved());
  EXPECT_FALSE(posed(1.001 * PosedTree::kMostStretch).is_moved());
  EXPECT_FALSE(posed(0).is_moved());
}

TEST(MeshPairsTest, SwappingTheMeshesSwapsTheAnswer) {
  meshes::Random random(7);
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Soup(200, 0.2));
  for (int i = 0; i < 10; ++i) {
    const PosedTree posed =
        PosedTree::Create(a, meshes::RandomRigidPose(random, 1)).value();
    auto swapped = AllOverlaps(b, posed);
    for (TrianglePair& p : swapped) std::swap(p.a, p.b);
    std::sort(swapped.begin(), swapped.end());
    EXPECT_EQ(AllOverlaps(posed, b), swapped);
    EXPECT_EQ(ClosestPair(posed, b)->distance, ClosestPair(b, posed)->distance);
    EXPECT_EQ(AllWithin(posed, b, 0.1).size(), AllWithin(b, posed, 0.1).size());
  }
}

TEST(MeshPairsTest, BadDistancesAndPoses) {
  const Tree tree = trees::Make(meshes::Cube());
  EXPECT_EQ(AllWithin(tree, tree, kInf).size(), 144u);
  EXPECT_EQ(
      PosedTree::Create(tree, Pose::Translation({kNan, 0, 0})).status().code(),
      absl::StatusCode::kInvalidArgument);
  const Pose beyond{{{{1e308, 1e308, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
  EXPECT_EQ(PosedTree::Create(tree, beyond).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(MeshPairsTest, TheVisitorStops) {
  const Tree tree = trees::Make(meshes::Cube());
  int seen = 0;
  VisitWithin(tree, tree, 0, [&](const PairDistance&) {
    return ++seen == 2 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_EQ(seen, 2);
}

TEST(MeshPairsTest, EveryInstructionSetAgreesToTheLastCount) {
  meshes::Random random(8);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree a = trees::Make(meshes::Torus(40, 16), kind.volumes);
    const Tree b = trees::Make(meshes::Grid(30, 0.3), kind.volumes);
    const PosedTree posed =
        PosedTree::Create(a, kind.volumes == Volumes::kAabb
                                 ? SkewedPose(random, 1)
                                 : meshes::RandomRigidPose(random, 1))
            .value();
    TraversalStatistics first;
    SetInstructionSet(SupportedInstructionSets().front());
    const auto pairs =
        AllWithin(posed, b, 0.05, {.statistics = &first}).value();
    const auto closest =
        *ClosestPair(posed, b, {}, {.statistics = &first}).value();
    trees::OnEachInstructionSet([&] {
      TraversalStatistics statistics;
      EXPECT_EQ(AllWithin(posed, b, 0.05, {.statistics = &statistics}).value(),
                pairs);
      ExpectSame(
          *ClosestPair(posed, b, {}, {.statistics = &statistics}).value(),
          closest);
      EXPECT_EQ(statistics, first);
    });
  }
}

// Surfaces with many leaves side by side. Pairs that floats or boxes leave
// undecided are first tested by planes in double, or by axes across slivers.
TEST(MeshPairsTest, SurfacesSideBySide) {
  const auto check = [](const Mesh& a, const Mesh& b) {
    const auto overlapping = brute_force::Overlapping(a, b);
    for (const auto& [a_name, tree_a] : trees::Variants(a)) {
      const Tree tree_b = Build(b).value();
      SCOPED_TRACE(a_name);
      EXPECT_EQ(AllOverlaps(tree_a, tree_b), overlapping);
      EXPECT_EQ(AllOverlaps(tree_b, tree_a).size(), overlapping.size());
      EXPECT_EQ(AnyOverlap(tree_a, tree_b), !overlapping.empty());
    }
  };
  const Mesh sphere = meshes::Icosphere(2);
  for (const double gap : {1e-3, 1e-9, 1e-15, 0.0}) {
    SCOPED_TRACE(gap);
    check(sphere, meshes::Scaled(sphere, 1 + gap));
    check(meshes::Moved(sphere, Pose::Translation({gap, 0, 0})), sphere);
  }
  check(meshes::Needles(200, 1), meshes::Needles(200, 2));
}

// Surfaces side by side at poses: a translation, and a turn.
TEST(MeshPairsTest, PosedSurfacesSideBySide) {
  const Mesh sphere = meshes::Icosphere(2);
  const Mesh needles = meshes::Needles(200, 3);
  for (const double gap : {1e-9, 1e-15}) {
    for (const Pose& pose :
         {Pose::Translation({gap, 2 * gap, 0}),
          Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.3, {gap, 0, 0})}) {
      for (const Mesh& mesh : {sphere, needles}) {
        const Mesh around = meshes::Scaled(
            meshes::Moved(mesh, {pose.rows, {0, 0, 0}}), 1 + gap);
        const auto posed = PosedTree::Create(Build(mesh).value(), pose).value();
        const Tree other = Build(around).value();
        const auto overlapping =
            brute_force::Overlapping(meshes::Moved(mesh, pose), around);
        EXPECT_EQ(AllOverlaps(posed, other), overlapping);
        EXPECT_EQ(AnyOverlap(posed, other), !overlapping.empty());
      }
    }
  }
}

// A pose that is not quite a rotation, and a model far from its own origin: the
// skew is of all of its coordinates. Edges begin at its corners, and lead away.
TEST(MeshPairsTest, AModelAsideOfItsOriginKeepsToASkewedPose) {
  const Vec3 middle{-1, -1, -1};
  const Mesh ball = meshes::Icosphere(0, middle, 0x1p-13);
  const Pose pose{.rows = {Vec3{0x1p-19, 1, 0}, {0, 0, -1}, {-1, 0, 0}}};
  const Mesh moved = meshes::Moved(ball, pose);
  for (const trees::Named& v : trees::Variants(ball)) {
    SCOPED_TRACE(v.name);
    const PosedTree posed = *PosedTree::Create(v.tree, pose);
    for (const Vec3& p : moved.vertices()) {
      const Mesh edge =
          meshes::Make({p, p + (p - pose.Apply(middle))}, {{0, 1, 1}});
      const Truth truth(edge, moved, 0x1p-48);
      EXPECT_EQ(truth.within.size(), 5u);
      const Tree tree = trees::Make(edge);
      truth.Check(tree, posed);
    }
  }
}

}  // namespace
}  // namespace orbox
