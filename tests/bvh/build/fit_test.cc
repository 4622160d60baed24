#include "orbox/bvh/build/fit.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/choose_volume.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// Points on a slanted, flattened ellipsoid inside the unit cube.
std::vector<Vec3> Cloud(meshes::Random& random, size_t n) {
  const Pose turn = Pose::Rotation(random.Direction(), random.Uniform(0, 6),
                                   random.Point(-0.2, 0.2));
  std::vector<Vec3> points;
  for (size_t i = 0; i < n; ++i) {
    const Vec3 d = random.Direction();
    points.push_back(turn.Apply(Vec3{0.5 * d.x, 0.2 * d.y, 0.05 * d.z}));
  }
  return points;
}

TEST(FitTest, SpheresHoldTheirPointsAndAreTight) {
  meshes::Random random(1);
  for (const size_t n : {1, 2, 3, 10, 1000, 20'000}) {
    const auto points = Cloud(random, n);
    const Spheref s = FitSphere(points);
    double furthest = 0;
    for (const Vec3& p : points) {
      const Vec3 c{s.center.x, s.center.y, s.center.z};
      furthest = std::max(furthest, Norm(p - c));
    }
    EXPECT_LE(furthest, s.radius);
    EXPECT_GE(furthest, s.radius * (1 - 1e-6) - 1e-6);
    // The smallest ball around the ellipsoid has radius 0.5.
    EXPECT_LE(s.radius, 0.5 * 1.1);
  }
}

TEST(FitTest, BoxesHoldTheirPointsInAnyFrame) {
  meshes::Random random(2);
  for (int i = 0; i < 50; ++i) {
    const auto points = Cloud(random, 100);
    const Pose turn = Pose::Rotation(random.Direction(), 1);
    FrameMatrix frame;
    for (int k = 0; k < 9; ++k) {
      frame[k] = static_cast<float>(turn.rows[k / 3][k % 3]);
    }
    const Aabbf box = FitBox(points, frame);
    for (const Vec3& p : points) {
      for (int k = 0; k < 3; ++k) {
        const long double x = static_cast<long double>(frame[3 * k]) * p.x +
                              static_cast<long double>(frame[3 * k + 1]) * p.y +
                              static_cast<long double>(frame[3 * k + 2]) * p.z;
        EXPECT_GE(x, box.lo[k]);
        EXPECT_LE(x, box.hi[k]);
      }
    }
  }
}

// A slanted rectangle: both frames find its plane, so that the box is flat.
TEST(FitTest, FramesFindThePlaneOfFlatParts) {
  meshes::Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Pose turn = Pose::Rotation(random.Direction(), random.Uniform(0, 6));
    const Vec3 o = turn.Apply(Vec3{0.1, 0.2, 0.1});
    const Vec3 u = turn.Apply(Vec3{0.7, 0.2, 0.1});
    const Vec3 v = turn.Apply(Vec3{0.1, 0.5, 0.1});
    const Vec3 w = turn.Apply(Vec3{0.7, 0.5, 0.1});
    SurfaceMoments moments;
    moments.Add({o, u, w});
    moments.Add({o, w, v});
    const std::vector<Vec3> corners = {o, u, v, w};
    for (const FrameMatrix& frame :
         {PrincipalFrame(moments), NormalFrame(moments)}) {
      const Aabbf box = FitBox(corners, frame);
      const Vec3f edges = box.hi - box.lo;
      EXPECT_LT(std::min(edges.x, std::min(edges.y, edges.z)), 1e-5f);
    }
  }
}

TEST(FitTest, FramesOfNothingAreTheIdentity) {
  EXPECT_EQ(PrincipalFrame({}), kIdentityFrame);
  EXPECT_EQ(NormalFrame({}), kIdentityFrame);
  SurfaceMoments point;
  point.Add({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  EXPECT_EQ(PrincipalFrame(point), kIdentityFrame);
}

// Steiner's formula against the definition: the share of points of a region
// that are within r of the box.
TEST(ChooseVolumeTest, DilatedVolumesAreThoseOfSamples) {
  meshes::Random random(4);
  const Vec3 edges{0.6, 0.3, 0.1};
  const double r = 0.2;
  int inside = 0;
  constexpr int kSamples = 400'000;
  for (int i = 0; i < kSamples; ++i) {
    const Vec3 p = random.Point(-0.5, 0.5);
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
      const double gap = std::max(std::abs(p[k]) - edges[k] / 2, 0.0);
      squared += gap * gap;
    }
    inside += squared <= r * r;
  }
  // Five standard deviations of the sample's share.
  EXPECT_NEAR(DilatedBoxVolume(edges, r),
              static_cast<double>(inside) / kSamples, 5 * 0.5 / 632);
  EXPECT_DOUBLE_EQ(DilatedSphereVolume(0.5, 0.5), 4.0 / 3 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(DilatedBoxVolume({}, 1), DilatedSphereVolume(0, 1));
}

TEST(ChooseVolumeTest, ForcedKindsAreObeyedAndTheMixIsNeverWorse) {
  meshes::Random random(5);
  const auto cloud = Cloud(random, 60);
  std::vector<std::span<const Vec3>> children;
  for (size_t i = 0; i < 60; i += 20) {
    children.push_back(std::span<const Vec3>(cloud).subspan(i, 20));
  }
  SurfaceMoments moments;
  for (size_t i = 0; i + 2 < cloud.size(); i += 3) {
    moments.Add({cloud[i], cloud[i + 1], cloud[i + 2]});
  }
  const std::pair<Volumes, VolumeKind> forced[] = {
      {Volumes::kSphere, VolumeKind::kSphere},
      {Volumes::kAabb, VolumeKind::kAabb},
      {Volumes::kObb, VolumeKind::kObb}};
  for (const auto& [volumes, kind] : forced) {
    Node node;
    ChooseVolumes(children, moments, volumes, &node);
    EXPECT_EQ(node.kind, kind);
  }
  // A flat slanted cloud is what oriented boxes are for.
  Node node;
  ChooseVolumes(children, moments, Volumes::kMixed, &node);
  EXPECT_EQ(node.kind, VolumeKind::kObb);
}

}  // namespace
}  // namespace orbox
