// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_contacts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

std::vector<Vec3> PointsOf(const TriangleContact& contact) {
  return {contact.points().begin(), contact.points().end()};
}

void ExpectSame(const std::vector<PairContact>& x,
                const std::vector<PairContact>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].triangles, y[i].triangles);
    EXPECT_EQ(PointsOf(x[i].contact), PointsOf(y[i].contact));
  }
}

// The contacts of single triangles have an oracle of their own in
// tests/overlap/triangles/contact_test.cc.
std::vector<PairContact> BruteForce(const Mesh& a, const Mesh& b) {
  std::vector<PairContact> contacts;
  for (const TrianglePair& pair : brute_force::Overlapping(a, b)) {
    contacts.push_back(
        {pair, ContactOf(a.triangle(pair.a), b.triangle(pair.b))});
  }
  return contacts;
}

void CheckPosed(const Mesh& a, const Pose& pose, const Mesh& b) {
  const auto expected = BruteForce(meshes::Moved(a, pose), b);
  const auto trees_a = trees::Variants(a);
  const auto trees_b = trees::Variants(b);
  for (size_t i = 0; i < trees_a.size(); ++i) {
    const size_t j = (i + 1) % trees_b.size();
    SCOPED_TRACE(trees_a[i].name + " against " + trees_b[j].name);
    const PosedTree posed = PosedTree::Create(trees_a[i].tree, pose).value();
    ExpectSame(AllContacts(posed, trees_b[j].tree), expected);
  }
}

TEST(PairContactsTest, AgreeWithBruteForce) {
  meshes::Random random(1);
  const auto all = meshes::Assortment();
  for (size_t i = 0; i < all.size(); ++i) {
    const Mesh& a = all[i].mesh;
    const Mesh& b = all[(i + 1) % all.size()].mesh;
    if (a.triangle_count() * b.triangle_count() > 40'000) continue;
    SCOPED_TRACE(all[i].name);
    CheckPosed(a, Pose::Identity(), b);
    CheckPosed(a,
               Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                              random.Point(-0.5, 0.5)),
               b);
  }
}

// The curve in which two closed surfaces cut each other is closed: each of its
// corners ends an even number of segments. Corners are on a lattice of powers
// of two, so that equal points have equal bits.
TEST(PairContactsTest, TheCurveOfTwoClosedSurfacesIsClosed) {
  const Tree a = trees::Make(meshes::Cube({0, 0, 0}, 4));
  const Tree b = trees::Make(meshes::Tetrahedron({1, 1, 2}, 8));
  std::vector<Vec3> ends;
  for (const PairContact& c : AllContacts(a, b)) {
    ASSERT_LE(c.contact.points().size(), 2U);
    if (c.contact.points().size() < 2) continue;
    ends.insert(ends.end(), c.contact.points().begin(),
                c.contact.points().end());
  }
  ASSERT_GE(ends.size(), 6U);
  for (const Vec3& p : ends) {
    EXPECT_EQ(std::count(ends.begin(), ends.end(), p) % 2, 0)
        << p.x << " " << p.y << " " << p.z;
  }
}

TEST(PairContactsTest, FacesInOnePlaneMeetInPolygons) {
  const Tree cube = trees::Make(meshes::Cube());
  const PosedTree beside =
      PosedTree::Create(cube, Pose::Translation({1, 0.25, 0.25})).value();
  double area = 0;
  for (const PairContact& c : AllContacts(beside, cube)) {
    const auto p = c.contact.points();
    for (size_t i = 2; i < p.size(); ++i) {
      area += 0.5 * Norm(Cross(p[i - 1] - p[0], p[i] - p[0]));
    }
  }
  EXPECT_NEAR(area, 0.75 * 0.75, 1e-12);
}

TEST(PairContactsTest, ScaleAndOrderOfTheMeshesDoNotMatter) {
  const Mesh a = meshes::Torus(12, 6);
  const Mesh b = meshes::Icosphere(1, {0.9, 0.1, 0.2}, 0.5);
  const auto expected = BruteForce(a, b);
  ASSERT_FALSE(expected.empty());
  for (const int exponent : {-100, 100}) {
    const double s = std::ldexp(1.0, exponent);
    auto scaled = AllContacts(trees::Make(meshes::Scaled(a, s)),
                              trees::Make(meshes::Scaled(b, s)));
    for (PairContact& c : scaled) {
      TriangleContact back;
      for (const Vec3& p : c.contact.points()) back.Add(p * (1 / s));
      c.contact = back;
    }
    ExpectSame(scaled, expected);
  }
  auto swapped = AllContacts(trees::Make(b), trees::Make(a));
  for (PairContact& c : swapped) {
    c.triangles = {c.triangles.b, c.triangles.a};
  }
  std::sort(swapped.begin(), swapped.end(),
            [](const PairContact& x, const PairContact& y) {
              return x.triangles < y.triangles;
            });
  ExpectSame(swapped, expected);
}

TEST(PairContactsTest, TheVisitorStops) {
  const Tree tree = trees::Make(meshes::Cube());
  int seen = 0;
  VisitContacts(tree, tree, [&](const PairContact&) {
    return ++seen == 2 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_EQ(seen, 2);
}

TEST(PairContactsTest, EveryInstructionSetAgreesToTheLastCount) {
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree a = trees::Make(meshes::Torus(40, 16), kind.volumes);
    const Tree b = trees::Make(meshes::Grid(30, 0.3), kind.volumes);
    TraversalStatistics first;
    SetInstructionSet(SupportedInstructionSets().front());
    const auto contacts = AllContacts(a, b, {.statistics = &first}).value();
    EXPECT_FALSE(contacts.empty());
    EXPECT_EQ(first.settled_by_float + first.settled_by_double +
                  first.settled_by_expansion + first.settled_by_exact,
              first.triangle_tests);
    trees::OnEachInstructionSet([&] {
      TraversalStatistics statistics;
      ExpectSame(AllContacts(a, b, {.statistics = &statistics}).value(),
                 contacts);
      EXPECT_EQ(statistics, first);
    });
  }
}

}  // namespace
}  // namespace orbox
