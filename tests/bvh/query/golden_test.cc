// SPDX-License-Identifier: Apache-2.0

// Hashes of the results of each query over a corpus, one number for a query. It
// is equal for every storage, kind of volume, quality, instruction set and
// number of threads. Since the numbers are written here, it is equal for every
// compiler and kind of build as well.
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "tests/support/golden_hash.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// Two trees over the same meshes, and how many threads to use.
struct Case {
  Tree a;
  Tree b;
  int threads;
};

// Turned by angles whose sines are fractions: no library function's last bit.
std::vector<Pose> Poses() {
  Pose turned;
  turned.rows = {Vec3{0.6, -0.8, 0}, Vec3{0.8, 0.6, 0}, Vec3{0, 0, 1}};
  std::vector<Pose> poses;
  for (const double x : {-1.5, -0.9, -0.25, 0.0, 0.375, 1.0625, 1.75}) {
    turned.translation = {x, 0.125 * x, 0.0625};
    poses.push_back(turned);
    poses.push_back(Pose::Translation({x, 0.1, -0.2}));
  }
  return poses;
}

std::vector<Vec3> Points() {
  meshes::Random random(11);
  std::vector<Vec3> points = {{}, {1, 0, 0}, {0, 0, 0.25}, {0x1p40, 0, 0}};
  for (int i = 0; i < 60; ++i) points.push_back(random.Point(-1.5, 1.5));
  return points;
}

void EachPose(const Case& c, const std::function<void(const PosedTree&)>& f) {
  for (const Pose& pose : Poses()) f(PosedTree::Create(c.a, pose).value());
}

void Ranges(const Case& c, Hash& hash) {
  for (const Vec3& p : Points()) {
    hash.Add(AllOverlaps(c.a, Sphere{p, 0.5}));
    hash.Add(AllOverlaps(c.a, Aabb{p, p + Vec3{0.5, 0.25, 1}}));
    hash.Add(AllOverlaps(
        c.a,
        Obb{p, {{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}}, {0.3, 0.4, 0.2}}));
    const std::array<HalfSpace, 2> wedge = {
        {{{1, 2, 3}, 0.5 * p.x}, {{-1, 0.5, 0}, 0.25}}};
    hash.Add(AllOverlaps(c.a, wedge));
  }
}

void Nearest(const Case& c, Hash& hash) {
  for (const Vec3& p : Points()) {
    hash.Add(ClosestPoint(c.a, p));
    hash.Add(KNearest(c.a, p, 9));
  }
  hash.Add(ClosestPoint(c.a, Points(), {.threads = c.threads}).value());
}

void Signed(const Case& c, Hash& hash) {
  const SignedDistanceField field = SignedDistanceField::Create(c.a).value();
  for (const Vec3& p : Points()) {
    hash.Add(field.Distance(p));
    hash.Add(uint64_t{field.IsInside(p)});
  }
}

void Rays(const Case& c, Hash& hash) {
  const std::vector<Vec3> points = Points();
  for (size_t i = 1; i < points.size(); ++i) {
    const Ray ray{points[i - 1], points[i] - points[i - 1]};
    hash.Add(ClosestHit(c.a, ray));
    hash.Add(AllHits(c.a, ray));
    hash.Add(AllHits(c.a, SweptSphere{points[i - 1], points[i], 0.125}));
  }
}

// Among triangles touched at one time, the reported one depends on the tree.
// Every case uses one tree here.
void Sweeps(const Case& c, Hash& hash) {
  const Tree tree = trees::Make(c.a.mesh());
  const std::vector<Vec3> points = Points();
  for (size_t i = 1; i < points.size(); ++i) {
    hash.Add(ClosestHit(tree, SweptSphere{points[i - 1], points[i], 0.125}));
  }
}

void Overlaps(const Case& c, Hash& hash) {
  EachPose(c, [&](const PosedTree& a) {
    hash.Add(uint64_t{AnyOverlap(a, c.b)});
    hash.Add(AllOverlaps(a, c.b));
    hash.Add(static_cast<uint64_t>(RelationOfMeshes(a, c.b)));
    hash.Add(AllOverlaps(a, c.b, {.threads = c.threads}).value());
  });
  hash.Add(AllSelfOverlaps(c.b));
}

void Distances(const Case& c, Hash& hash) {
  EachPose(c, [&](const PosedTree& a) {
    hash.Add(*ClosestPair(a, c.b));
    hash.Add(uint64_t{AnyWithin(a, c.b, 0.125)});
    hash.Add(AllWithin(a, c.b, 0.0625));
  });
}

void Farthest(const Case& c, Hash& hash) {
  EachPose(c, [&](const PosedTree& a) {
    const HausdorffResult h =
        HausdorffDistance(a, c.b, {.relative_tolerance = 0.25},
                          {.threads = c.threads})
            .value();
    hash.Add(h.lower <= h.upper ? h.upper : -1.0);
    const HausdorffResult close =
        HausdorffDistance(a, c.b, {}, {.threads = c.threads}).value();
    hash.Add(close.lower);
    hash.Add(close.upper);
  });
}

void NearItself(const Case& c, Hash& hash) {
  for (const SharedCorners shared :
       {SharedCorners::kByPosition, SharedCorners::kByIndex}) {
    for (const double distance : {0.0, 0.0625, 0.3}) {
      hash.Add(AllSelfWithin(c.a, distance, shared));
      hash.Add(uint64_t{AnySelfWithin(c.b, distance, shared)});
    }
  }
}

constexpr Golden<Case> kGolden[] = {
    {"Ranges", Ranges, 0x111915f6dc3c241c},
    {"Nearest", Nearest, 0xaf2069a962d2c377},
    {"Signed", Signed, 0xde3665ef81d44e54},
    {"Rays", Rays, 0x8c80ba78e6a28282},
    {"Sweeps", Sweeps, 0x9c6ba2b3929a737f},
    {"Overlaps", Overlaps, 0xa1c2ddf1593abaa7},
    {"Distances", Distances, 0x36fb7f6a7aa642b6},
    {"Farthest", Farthest, 0x9ac02a8a88e461d5},
    {"NearItself", NearItself, 0x0f4ec42b76963b6c},
};

class GoldenTest : public testing::TestWithParam<Golden<Case>> {};

TEST_P(GoldenTest, TheSameBytesHoweverTheTreeIsBuilt) {
  const std::vector<trees::Named> a = trees::Variants(meshes::Torus(24, 12));
  const std::vector<trees::Named> b = trees::Variants(meshes::Icosphere(2));
  for (size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(a[i].name);
    EXPECT_EQ(GetParam().HashOf({a[i].tree, b[i].tree, 1}),
              GetParam().expected);
  }
  // Kinds mixed between the sides, and threads.
  EXPECT_EQ(GetParam().HashOf({a[1].tree, b[2].tree, 3}), GetParam().expected);
  EXPECT_EQ(GetParam().HashOf({a.back().tree, b[3].tree, 7}),
            GetParam().expected);
}

TEST_P(GoldenTest, TheSameBytesOnEveryInstructionSet) {
  const Case c = {trees::Make(meshes::Torus(24, 12)),
                  trees::Make(meshes::Icosphere(2)), 2};
  trees::OnEachInstructionSet(
      [&] { ExpectGolden(GetParam().HashOf(c), GetParam().expected); });
}

INSTANTIATE_TEST_SUITE_P(Queries, GoldenTest, testing::ValuesIn(kGolden),
                         NameOfGolden<Case>);

}  // namespace
}  // namespace orbox
