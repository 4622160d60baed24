// SPDX-License-Identifier: Apache-2.0

// Compares Orbox with FCL (BVHModel of OBBRSS, in double), which does not claim
// to be exact. If the two differ, rationals have to prove that Orbox is right,
// and the test prints how often FCL was not. So it passes with any version of
// FCL, and fails if a result of ours is wrong. tests/README.md explains the
// differences that FCL 0.7.0 shows.
#include <fcl/geometry/shape/sphere.h>
#include <fcl/math/bv/OBB.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "orbox/overlap/boxes/box_box.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/fcl_mesh.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using oracle::Rational;

// Two meshes where their vertices put them, in both libraries; no poses, so
// that both see the same numbers.
class Pair {
 public:
  Pair(const Mesh& a, const Mesh& b)
      : a_(a),
        b_(b),
        tree_a_(Build(a).value()),
        tree_b_(Build(b).value()),
        fcl_a_(FclModelOf(a)),
        fcl_b_(FclModelOf(b)) {}

  std::vector<TrianglePair> Meeting() const {
    return AllOverlaps(tree_a_, tree_b_);
  }
  std::vector<TrianglePair> MeetingByFcl() const {
    const fcl::CollisionRequest<double> request(
        std::numeric_limits<size_t>::max(), false);
    fcl::CollisionResult<double> result;
    fcl::collide(fcl_a_.get(), Here(), fcl_b_.get(), Here(), request, result);
    std::vector<TrianglePair> pairs;
    for (size_t i = 0; i < result.numContacts(); ++i) {
      const auto& contact = result.getContact(i);
      pairs.push_back({static_cast<uint32_t>(contact.b1),
                       static_cast<uint32_t>(contact.b2)});
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
  }

  double Gap() const { return ClosestPair(tree_a_, tree_b_)->distance; }
  double GapByFcl(bool is_signed = false) const {
    const fcl::DistanceRequest<double> request(true, is_signed);
    fcl::DistanceResult<double> result;
    fcl::distance(fcl_a_.get(), Here(), fcl_b_.get(), Here(), request, result);
    return result.min_distance;
  }

  bool OracleSaysMeet(const TrianglePair& pair) const {
    return oracle::Overlaps(a_.triangle(pair.a), b_.triangle(pair.b));
  }
  MeshRelation Relation() const { return RelationOfMeshes(tree_a_, tree_b_); }
  const Tree& tree_a() const { return tree_a_; }
  const Tree& tree_b() const { return tree_b_; }

 private:
  static const fcl::Transform3d& Here() {
    static const fcl::Transform3d here = fcl::Transform3d::Identity();
    return here;
  }

  Mesh a_;
  Mesh b_;
  Tree tree_a_;
  Tree tree_b_;
  std::shared_ptr<FclModel> fcl_a_;
  std::shared_ptr<FclModel> fcl_b_;
};

// Queries both for all overlapping pairs, and tests those that differ by the
// oracle.
struct Differences {
  size_t cases = 0;
  size_t pairs = 0;
  size_t missed_by_fcl = 0;  // pairs that meet
  size_t added_by_fcl = 0;   // and that do not
  size_t wrong_yes_or_no = 0;

  void Add(const Pair& pair) {
    const std::vector<TrianglePair> ours = pair.Meeting();
    const std::vector<TrianglePair> theirs = pair.MeetingByFcl();
    ++cases;
    pairs += ours.size();
    wrong_yes_or_no += ours.empty() != theirs.empty() ? 1 : 0;
    std::vector<TrianglePair> only_ours;
    std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                        std::back_inserter(only_ours));
    for (const TrianglePair& p : only_ours) {
      EXPECT_TRUE(pair.OracleSaysMeet(p)) << p.a << " " << p.b;
    }
    std::vector<TrianglePair> only_theirs;
    std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(),
                        std::back_inserter(only_theirs));
    for (const TrianglePair& p : only_theirs) {
      EXPECT_FALSE(pair.OracleSaysMeet(p)) << p.a << " " << p.b;
    }
    missed_by_fcl += only_ours.size();
    added_by_fcl += only_theirs.size();
  }

  void Print(const std::string& what) const {
    std::printf(
        "%s: %zu cases with %zu meeting pairs; FCL misses %zu, adds %zu; yes "
        "or "
        "no wrong in %zu\n",
        what.c_str(), cases, pairs, missed_by_fcl, added_by_fcl,
        wrong_yes_or_no);
  }
};

Mesh Turned(const Mesh& mesh, meshes::Random& random, const Vec3& by) {
  return meshes::Moved(
      mesh, Pose::Rotation(random.Direction(), random.Uniform(0, 6), by));
}

TEST(FclDifferential, MeshesAtRandom) {
  const Mesh torus = meshes::Torus(16, 8);
  const Mesh ball = meshes::Icosphere(2, {}, 0.5);
  meshes::Random random(1);
  for (const double scale : {1.0, 1e-3, 1e-6, 1e6}) {
    Differences differences;
    for (int i = 0; i < 100; ++i) {
      const Mesh a = Turned(torus, random, {});
      const Mesh b = Turned(ball, random, random.Point(-1.2, 1.2));
      differences.Add({meshes::Scaled(a, scale), meshes::Scaled(b, scale)});
    }
    differences.Print("at random, size " + std::to_string(scale));
  }
}

// Cubes in contact: by faces, edges and corners, in one plane or not.
TEST(FclDifferential, ContactWithoutDepth) {
  Differences differences;
  for (const Vec3& by :
       {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, -1}, Vec3{1, 1, 0},
        Vec3{1, 1, 1}, Vec3{1, 0.5, 0.25}, Vec3{0, -1, 0.125},
        Vec3{-1, 1, 0.25}, Vec3{0.5, 0.5, 1}, Vec3{0, 0, 0}, Vec3{0.5, 0, 0}}) {
    differences.Add({meshes::Cube(), meshes::Cube(by)});
  }
  differences.Print("contact without depth");
}

TEST(FclDifferential, GapsOfLessThanAMillionth) {
  Differences differences;
  for (const double size : {1e-3, 1.0, 1e3}) {
    for (const double gap : {1e-5, 1e-7, 1e-9, 1e-12}) {
      for (const Vec3& along : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        differences.Add({meshes::Cube({}, size),
                         meshes::Cube(along * (size * (1 + gap)), size)});
      }
    }
  }
  differences.Print("gaps down to 1e-12 of the size");
}

// b, moved down until it is about `gap` above a: a step of what is between them
// is never too far.
Mesh LoweredTo(double gap, const Mesh& a, const Mesh& b) {
  const Tree below = Build(a).value();
  const Tree above = Build(b).value();
  double by = 0;
  for (int step = 0; step < 60; ++step) {
    const Pose pose = Pose::Translation({0, 0, -by});
    const double between =
        ClosestPair(below, PosedTree::Create(above, pose).value())->distance;
    // It may fall through the ring.
    if (between < 1.01 * gap || by > 5) break;
    by += between - gap;
  }
  return meshes::Moved(b, Pose::Translation({0, 0, -by}));
}

// A model of a thousandth, and gaps of it: is the distance what it is?
TEST(FclDifferential, DistancesOfSmallModels) {
  const Mesh torus = meshes::Torus(24, 12);
  const Mesh ball = meshes::Icosphere(2, {}, 0.5);
  meshes::Random random(2);
  for (const double scale : {1.0, 1e-2, 1e-3, 1e-4}) {
    int wrong = 0;
    int zero = 0;
    int cases = 0;
    for (const double gap : {1e-1, 1e-3, 1e-5}) {
      for (int i = 0; i < 10; ++i) {
        const Mesh a = Turned(torus, random, {});
        Mesh b = Turned(ball, random, {0, 0, 3});
        b = LoweredTo(gap, a, b);
        const Pair pair(meshes::Scaled(a, scale), meshes::Scaled(b, scale));
        const Witness ours = *ClosestPair(pair.tree_a(), pair.tree_b());
        const Rational exact = oracle::SquaredDistance(
            pair.tree_a().mesh().triangle(ours.triangles.a),
            pair.tree_b().mesh().triangle(ours.triangles.b));
        EXPECT_TRUE(oracle::IsRoundedRoot(ours.distance, exact));
        // Nothing is closer: no pair is within the next double below.
        EXPECT_FALSE(AnyWithin(pair.tree_a(), pair.tree_b(),
                               std::nextafter(ours.distance, 0.0)));
        const double theirs = pair.GapByFcl();
        ++cases;
        wrong +=
            std::abs(theirs - ours.distance) > 1e-3 * ours.distance ? 1 : 0;
        zero += theirs <= 0 && ours.distance > 0 ? 1 : 0;
      }
    }
    std::printf(
        "size %g: of %d distances FCL has %d wrong by 0.1 %% or more, "
        "%d of them 0 or less\n",
        scale, cases, wrong, zero);
  }
}

// fcl#492: a mesh inside a closed mesh that does not touch it.
TEST(FclDifferential, AMeshInsideAnother) {
  const Pair pair(meshes::Cube({0.25, 0.25, 0.25}, 0.5), meshes::Cube());
  EXPECT_TRUE(pair.Meeting().empty());
  EXPECT_EQ(pair.Relation(), MeshRelation::kFirstInSecond);
  EXPECT_EQ(pair.Gap(), 0.25);
  std::printf(
      "inside another: FCL finds %zu pairs, a distance of %g, a signed "
      "one of %g\n",
      pair.MeetingByFcl().size(), pair.GapByFcl(), pair.GapByFcl(true));
}

// fcl#221, #491: how deep are meshes that penetrate each other?
TEST(FclDifferential, DepthOfPenetration) {
  const Pair pair(meshes::Cube(), meshes::Cube({0.875, 0.25, 0.125}));
  EXPECT_EQ(pair.Gap(), 0);
  const auto found = PenetrationOf(pair.tree_a(), pair.tree_b());
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->depth.lower, 0.125, 1e-9);
  EXPECT_NEAR(found->depth.upper, 0.125, 1e-9);
  std::printf("an eighth deep: FCL's signed distance is %g\n",
              pair.GapByFcl(true));
}

// A segment and a point as triangles: how far from a ball are they?
TEST(FclDifferential, BallsAndTrianglesWithoutArea) {
  meshes::Random random(3);
  int wrong = 0;
  int zero = 0;
  double worst = 0;
  constexpr int kCases = 300;
  for (int i = 0; i < kCases; ++i) {
    const Vec3 a = random.Point(-1, 1);
    const Vec3 b = random.Point(-1, 1);
    const Vec3 c = i % 2 == 0 ? b : a + (b - a) * 0.5;
    const Mesh mesh = Mesh::Create({a, b, c}, {{0, 1, 2}}).value();
    const Vec3 center = random.Direction() * 3;
    constexpr double kRadius = 0.5;
    const SurfacePoint closest = *ClosestPoint(Build(mesh).value(), center);
    EXPECT_TRUE(oracle::IsRoundedRoot(
        closest.distance, oracle::SquaredDistance(center, mesh.triangle(0))));
    const std::shared_ptr<FclModel> model = FclModelOf(mesh);
    const fcl::Sphere<double> ball(kRadius);
    fcl::Transform3d at = fcl::Transform3d::Identity();
    at.translation() = fcl::Vector3d(center.x, center.y, center.z);
    const fcl::DistanceRequest<double> request;
    fcl::DistanceResult<double> result;
    fcl::distance(model.get(), fcl::Transform3d::Identity(), &ball, at, request,
                  result);
    const double off =
        std::abs(result.min_distance + kRadius - closest.distance);
    wrong += off > 1e-5 ? 1 : 0;
    zero += result.min_distance <= 0 ? 1 : 0;
    worst = std::max(worst, off);
  }
  std::printf(
      "balls and triangles without area: of %d distances FCL has %d "
      "wrong, by up to %g, %d of them 0\n",
      kCases, wrong, worst, zero);
}

// The boxes of a model in metres whose parts are micrometres: FCL pads by 1e-6,
// and by what? By that of the turn, which no unit changes.
TEST(FclDifferential, BoxesOfMicrometres) {
  int padded = 0;
  int cases = 0;
  for (const double size : {1e-8, 1e-7, 1e-6, 1e-3, 1.0}) {
    for (const double gap : {0.5, 2.0, 8.0}) {
      const double at = size * (2 + gap);
      const Obb ours{.center = {}, .half_extents = {size, size, size}};
      Obb other = ours;
      other.center.x = at;
      EXPECT_FALSE(OverlapsSat(ours, other));
      fcl::OBB<double> a;
      a.axis.setIdentity();
      a.To.setZero();
      a.extent.setConstant(size);
      fcl::OBB<double> b = a;
      b.To[0] = at;
      // Turned a little, so that no shortcut for parallel boxes is taken.
      b.axis =
          Eigen::AngleAxisd(1e-9, fcl::Vector3d::UnitZ()).toRotationMatrix();
      ++cases;
      padded += a.overlap(b) ? 1 : 0;
    }
  }
  std::printf(
      "boxes apart by half their size or more: FCL says that %d of %d "
      "meet\n",
      padded, cases);
}

}  // namespace
}  // namespace orbox
