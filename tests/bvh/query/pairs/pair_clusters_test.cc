// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_clusters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

bool ShareACorner(const Mesh& mesh, uint32_t s, uint32_t t) {
  const Triangle x = mesh.triangle(s);
  const Triangle y = mesh.triangle(t);
  for (const Vec3& p : {x.a, x.b, x.c}) {
    for (const Vec3& q : {y.a, y.b, y.c}) {
      if (p == q) return true;
    }
  }
  return false;
}

// The pairs of each cluster, by the definition: tests if any two pairs hang
// together, and walks the connected ones.
std::set<std::set<TrianglePair>> BruteForce(const Mesh& a, const Mesh& moved,
                                            const Mesh& b, double distance) {
  std::vector<TrianglePair> pairs;
  for (uint32_t i = 0; i < a.triangle_count(); ++i) {
    for (uint32_t k = 0; k < b.triangle_count(); ++k) {
      if (DistanceBetween(moved.triangle(i), b.triangle(k)) <= distance) {
        pairs.push_back({i, k});
      }
    }
  }
  std::vector<bool> is_seen(pairs.size(), false);
  std::set<std::set<TrianglePair>> clusters;
  for (size_t first = 0; first < pairs.size(); ++first) {
    if (is_seen[first]) continue;
    std::set<TrianglePair> cluster;
    std::vector<size_t> next = {first};
    is_seen[first] = true;
    while (!next.empty()) {
      const TrianglePair at = pairs[next.back()];
      next.pop_back();
      cluster.insert(at);
      for (size_t i = 0; i < pairs.size(); ++i) {
        if (is_seen[i] || !ShareACorner(a, at.a, pairs[i].a) ||
            !ShareACorner(b, at.b, pairs[i].b)) {
          continue;
        }
        is_seen[i] = true;
        next.push_back(i);
      }
    }
    clusters.insert(cluster);
  }
  return clusters;
}

bool BoxHolds(const Aabb& box, const Vec3& p) {
  const Aabb both = Union(box, {p, p});
  return both.lo == box.lo && both.hi == box.hi;
}

// Checks the count, closest pair, areas and box of a cluster of `pairs`.
void ExpectCluster(const NearCluster& cluster,
                   const std::set<TrianglePair>& pairs, const Mesh& a,
                   const Mesh& b) {
  EXPECT_EQ(cluster.pair_count, pairs.size());
  std::set<uint32_t> of_a, of_b;
  std::pair<double, TrianglePair> nearest = {
      std::numeric_limits<double>::infinity(), {}};
  Vec3 lo = cluster.box.lo, hi = cluster.box.hi;
  for (const TrianglePair& pair : pairs) {
    of_a.insert(pair.a);
    of_b.insert(pair.b);
    const TrianglePairDistance d =
        Distance(a.triangle(pair.a), b.triangle(pair.b));
    nearest = std::min(nearest, std::pair(d.distance, pair));
    // Points may be out by 2^-48 of the largest coordinate.
    const double slack =
        0x1p-46 * std::max(MaxCoordinate(Abs(lo)), MaxCoordinate(Abs(hi)));
    const Vec3 by = {slack, slack, slack};
    EXPECT_TRUE(BoxHolds({lo - by, hi + by}, d.on_first));
    EXPECT_TRUE(BoxHolds({lo - by, hi + by}, d.on_second));
  }
  EXPECT_EQ(cluster.closest.distance, nearest.first);
  EXPECT_EQ(cluster.closest.triangles, nearest.second);
  double area_a = 0, area_b = 0;
  for (const uint32_t id : of_a) area_a += meshes::AreaOf(a.triangle(id));
  for (const uint32_t id : of_b) area_b += meshes::AreaOf(b.triangle(id));
  EXPECT_NEAR(cluster.area_a, area_a, 1e-12 * area_a);
  EXPECT_NEAR(cluster.area_b, area_b, 1e-12 * area_b);
}

void CheckPosed(const Mesh& a, const Pose& pose, const Mesh& b,
                double distance) {
  const Mesh moved = meshes::Moved(a, pose);
  const auto expected = BruteForce(a, moved, b, distance);
  // A place is known by its nearest pair.
  std::map<TrianglePair, const std::set<TrianglePair>*> by_pair;
  for (const auto& cluster : expected) {
    for (const TrianglePair& pair : cluster) by_pair[pair] = &cluster;
  }
  for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
    const Tree tree_a = Build(a, {.storage = storage}).value();
    const Tree tree_b = trees::Make(b, Volumes::kAabb, 1);
    const auto posed = PosedTree::Create(tree_a, pose);
    const auto clusters =
        AllClustersWithin(*posed, tree_b, distance, {.threads = 2}).value();
    ASSERT_EQ(clusters.size(), expected.size());
    std::set<const std::set<TrianglePair>*> found;
    for (const NearCluster& cluster : clusters) {
      const auto pairs = by_pair.find(cluster.closest.triangles);
      ASSERT_NE(pairs, by_pair.end());
      ExpectCluster(cluster, *pairs->second, moved, b);
      EXPECT_TRUE(found.insert(pairs->second).second);
    }
    for (size_t i = 1; i < clusters.size(); ++i) {
      EXPECT_LE(clusters[i - 1].closest.distance, clusters[i].closest.distance);
    }
  }
}

TEST(PairClustersTest, AgreeWithBruteForce) {
  meshes::Random random(21);
  const auto all = meshes::Assortment();
  for (size_t i = 0; i < all.size(); ++i) {
    const Mesh& a = all[i].mesh;
    const Mesh& b = all[(i + 1) % all.size()].mesh;
    if (a.triangle_count() * b.triangle_count() > 1'600) continue;
    SCOPED_TRACE(all[i].name);
    CheckPosed(a, Pose::Identity(), b, 0.1);
    CheckPosed(a, Pose::Rotation(random.Direction(), 1, random.Point(-1, 1)), b,
               0.25);
    CheckPosed(a, Pose::Identity(), b, 0);
  }
}

TEST(PairClustersTest, LegsOfATableAreFourPlacesOnOneFloor) {
  const Mesh floor = meshes::Make(
      {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}}, {{0, 1, 2}, {0, 2, 3}});
  Mesh legs = meshes::Cube({-4.5, -4, 0.25}, 1);
  for (const Vec3& at : {Vec3{3.5, -4, 0.125}, {3, 3, 0.5}, {-4, 3, 0.25}}) {
    legs = meshes::Joined(legs, meshes::Cube(at, 1));
  }
  const auto clusters =
      AllClustersWithin(trees::Make(legs), trees::Make(floor), 0.5);
  ASSERT_EQ(clusters.size(), 4u);
  EXPECT_EQ(clusters[0].closest.distance, 0.125);
  EXPECT_EQ(clusters[1].closest.distance, 0.25);
  EXPECT_EQ(clusters[2].closest.distance, 0.25);
  EXPECT_LT(clusters[1].closest.triangles, clusters[2].closest.triangles);
  EXPECT_EQ(clusters[3].closest.distance, 0.5);
  // The box is that of the leg and d around it on the floor, and d above that,
  // except for rounding.
  EXPECT_NEAR(clusters[0].box.lo.x, 3, 1e-12);
  EXPECT_NEAR(clusters[0].box.hi.x, 5, 1e-12);
  EXPECT_EQ(clusters[0].box.lo.z, 0);
  EXPECT_NEAR(clusters[0].box.hi.z, 0.5, 1e-12);
  // One triangle of the floor, and the other if the leg is on both.
  EXPECT_EQ(clusters[0].area_b, 162);
  EXPECT_EQ(clusters[3].area_b, 324);
}

TEST(PairClustersTest, TiesInOneSpotAreOnePlace) {
  // Corner to corner: three faces of each cube, some of two triangles.
  const auto corners =
      AllClustersWithin(trees::Make(meshes::Cube({0, 0, 0}, 1)),
                        trees::Make(meshes::Cube({2, 2, 2}, 1)), 1.75);
  ASSERT_EQ(corners.size(), 1u);
  EXPECT_GE(corners[0].pair_count, 9u);
  EXPECT_EQ(corners[0].closest.on_a, (Vec3{1, 1, 1}));
  EXPECT_EQ(corners[0].closest.on_b, (Vec3{2, 2, 2}));
}

// Each place in a form that does not depend on names of triangles.
using Reported = std::vector<std::array<double, 6>>;
Reported ReportOf(const std::vector<NearCluster>& clusters,
                  bool swapped = false, double scale = 1) {
  Reported reported;
  for (const NearCluster& p : clusters) {
    const double area = scale * scale;
    reported.push_back({p.closest.distance / scale,
                        static_cast<double>(p.pair_count), p.box.lo.x / scale,
                        p.box.hi.z / scale,
                        (swapped ? p.area_b : p.area_a) / area,
                        (swapped ? p.area_a : p.area_b) / area});
  }
  std::sort(reported.begin(), reported.end());
  return reported;
}

void ExpectNear(const Reported& x, const Reported& y) {
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t k = 0; k < 6; ++k) {
      // Sums of areas depend on their order.
      EXPECT_NEAR(x[i][k], y[i][k], 1e-12 * (1 + std::abs(y[i][k])));
    }
  }
}

Mesh Backwards(const Mesh& mesh) {
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  std::vector<TriangleIndices> triangles(mesh.triangles().rbegin(),
                                         mesh.triangles().rend());
  for (TriangleIndices& t : triangles) std::swap(t[0], t[2]);
  return meshes::Make(std::move(vertices), std::move(triangles));
}

TEST(PairClustersTest, OrderAndScaleDoNotMatter) {
  Mesh a = meshes::Icosphere(1, {0, 0, 0}, 1);
  for (const Vec3& at : {Vec3{3, 0.25, 0.125}, {0, 3, 0.0625}, {3, 3, 0.5}}) {
    a = meshes::Joined(a, meshes::Icosphere(1, at, 1));
  }
  const Mesh b = meshes::Joined(meshes::Cube({-2, -2, -3.1}, 2),
                                meshes::Cube({1.5, -2, -5.1}, 4));
  const Tree tree_a = trees::Make(a);
  const Tree tree_b = trees::Make(b);
  const double d = 0.3;
  const auto clusters = AllClustersWithin(tree_a, tree_b, d);
  ASSERT_GT(clusters.size(), 1u);
  const Reported reported = ReportOf(clusters);
  ExpectNear(ReportOf(AllClustersWithin(tree_b, tree_a, d), true), reported);
  ExpectNear(ReportOf(AllClustersWithin(trees::Make(Backwards(a)), tree_b, d)),
             reported);
  const double scale = 0x1p40;
  ExpectNear(ReportOf(AllClustersWithin(trees::Make(meshes::Scaled(a, scale)),
                                        trees::Make(meshes::Scaled(b, scale)),
                                        d * scale),
                      false, scale),
             reported);
  // The triangles of a soup of the same corners hang together as well.
  std::vector<Triangle> soup;
  for (uint32_t i = 0; i < a.triangle_count(); ++i) {
    soup.push_back(a.triangle(i));
  }
  const Tree of_soup = trees::Make(meshes::FromTriangles(soup));
  ExpectNear(ReportOf(AllClustersWithin(of_soup, tree_b, d)), reported);
}

TEST(PairClustersTest, NothingAndEverything) {
  const Tree cube = trees::Make(meshes::Cube());
  const Tree far = trees::Make(meshes::Cube({1e60, 0, 0}, 1));
  for (const double none : {0.0, 0.5}) {
    EXPECT_TRUE(AllClustersWithin(cube, far, none).empty());
  }
  const auto all = AllClustersWithin(cube, far, kInf);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].pair_count, 144u);
  EXPECT_TRUE(std::isfinite(all[0].box.lo.x));
  // Degenerate and identical triangles.
  const Tree same = trees::Make(meshes::Identical(20));
  const auto of_same = AllClustersWithin(same, same, 0);
  ASSERT_EQ(of_same.size(), 1u);
  EXPECT_EQ(of_same[0].pair_count, 400u);
  EXPECT_TRUE(ClustersOf(cube, far, {}, 1).empty());
}

TEST(PairClustersTest, BatchesOfPosesAreTheSame) {
  const Tree a = trees::Make(meshes::Icosphere(1));
  const Tree b = trees::Make(meshes::Cube({1.1, -0.5, -0.5}, 1));
  const std::vector<Pose> poses = {Pose::Identity(),
                                   Pose::Translation({0.05, 0, 0}),
                                   Pose::Translation({-9, 0, 0})};
  const auto lists = AllClustersWithin(a, poses, b, 0.2, {.threads = 2});
  ASSERT_TRUE(lists.ok());
  ASSERT_EQ(lists->size(), poses.size());
  for (size_t i = 0; i < poses.size(); ++i) {
    const auto one = AllClustersWithin(*PosedTree::Create(a, poses[i]), b, 0.2);
    ASSERT_EQ((*lists)[i].size(), one.size());
    for (size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ((*lists)[i][k].closest.distance, one[k].closest.distance);
      EXPECT_EQ((*lists)[i][k].pair_count, one[k].pair_count);
    }
  }
}

}  // namespace
}  // namespace orbox
