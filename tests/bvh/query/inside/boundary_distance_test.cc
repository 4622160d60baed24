// SPDX-License-Identifier: Apache-2.0

// Distances to the boundary of the inside. Tests unions of boxes on a lattice,
// whose cells have known distances, and shapes with walls of every kind.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using meshes::Joined;
using solids::Box;

constexpr double kBoundsApart = 1e-8;

SignedDistanceField SignedFieldOf(const Mesh& mesh) {
  return SignedDistanceField::Create(trees::Make(mesh)).value();
}

void ExpectEnclosed(const DistanceInterval& d, double exact,
                    double rounding = 1e-14) {
  EXPECT_LE(d.lower, d.upper);
  EXPECT_LE(d.lower, exact + rounding);
  EXPECT_GE(d.upper, exact - rounding);
  EXPECT_LE(d.upper - d.lower, kBoundsApart);
}

// The unit cells of a lattice, in and out of a union of boxes.
class LatticeCells {
 public:
  static constexpr int kSize = 6;

  explicit LatticeCells(const std::vector<Aabb>& boxes) {
    for (int x = -1; x <= kSize; ++x) {
      for (int y = -1; y <= kSize; ++y) {
        for (int z = -1; z <= kSize; ++z) {
          const Vec3 middle{x + 0.5, y + 0.5, z + 0.5};
          const bool is_in =
              std::any_of(boxes.begin(), boxes.end(), [&](const Aabb& box) {
                return Max(box.lo, Min(middle, box.hi)) == middle;
              });
          (is_in ? in_ : out_).push_back(middle);
        }
      }
    }
  }

  // Negative inside. Within the cells around the lattice.
  double SignedDistance(const Vec3& p) const {
    const double to_in = DistanceTo(in_, p);
    return to_in > 0 ? to_in : -DistanceTo(out_, p);
  }

 private:
  static double DistanceTo(const std::vector<Vec3>& cells, const Vec3& p) {
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& middle : cells) {
      const Vec3 d = Max(Abs(p - middle) - Vec3{0.5, 0.5, 0.5}, Vec3{});
      least = std::min(least, SquaredNorm(d));
    }
    return std::sqrt(least);
  }

  std::vector<Vec3> in_;
  std::vector<Vec3> out_;
};

std::vector<Aabb> LatticeBoxes(meshes::Random& random) {
  std::vector<Aabb> boxes(1 + random.Below(5));
  for (Aabb& box : boxes) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto from = static_cast<double>(random.Below(LatticeCells::kSize));
      const auto size = static_cast<double>(random.Below(4) + 1);
      box.lo[axis] = from;
      box.hi[axis] = std::min<double>(from + size, LatticeCells::kSize);
    }
  }
  return boxes;
}

// In general position, and on planes of the lattice, which walls are on.
std::vector<Vec3> LatticePoints(meshes::Random& random, size_t count) {
  std::vector<Vec3> points;
  for (size_t i = 0; i < count; ++i) {
    Vec3 p = random.Point(-0.5, LatticeCells::kSize + 0.5);
    for (size_t axis = 0; axis < i % 4; ++axis) p[axis] = std::round(p[axis]);
    points.push_back(p);
  }
  return points;
}

TEST(BoundaryDistanceTest, UnionsOfBoxesEndWhereTheirCellsDo) {
  meshes::Random random(5);
  size_t passed = 0;  // walls, by points inside
  for (int i = 0; i < (kSanitized ? 10 : 80); ++i) {
    SCOPED_TRACE(i);
    const std::vector<Aabb> boxes = LatticeBoxes(random);
    const LatticeCells cells(boxes);
    const SignedDistanceField field = SignedFieldOf(solids::UnionOf(boxes));
    const std::vector<Vec3> points = LatticePoints(random, 40);
    const auto all = field.DistanceToBoundary(points, {.threads = 2});
    ASSERT_TRUE(all.ok()) << all.status();
    for (size_t k = 0; k < points.size(); ++k) {
      SCOPED_TRACE(k);
      const Vec3& p = points[k];
      const DistanceInterval d = field.DistanceToBoundary(p);
      EXPECT_EQ(d, (*all)[k]);
      const double exact = cells.SignedDistance(p);
      ExpectEnclosed(d, exact);
      if (exact > 0) {
        EXPECT_EQ(d, BoundsOfDistance(field.tree(), p,
                                      *ClosestPoint(field.tree(), p)));
      }
      if (exact < -1e-9) {
        EXPECT_LT(d.upper, 0);
      }
      const double to_surface = field.Distance(p);
      if (to_surface != 0) {
        EXPECT_EQ(d.lower < 0, to_surface < 0);
      }
      passed += d.upper < -std::abs(to_surface) - 1e-3 ? 1 : 0;
    }
  }
  EXPECT_GT(passed, kSanitized ? 0u : 15u);
}

// Turned, so that no plane is that of an axis, and walls meet at rounded lines.
TEST(BoundaryDistanceTest, TurnedUnionsHaveTheDistancesOfTheirCells) {
  meshes::Random random(6);
  for (int i = 0; i < (kSanitized ? 5 : 40); ++i) {
    SCOPED_TRACE(i);
    const std::vector<Aabb> boxes =
        solids::BoxesWithoutFlushSides(random, LatticeCells::kSize);
    const LatticeCells cells(boxes);
    const Pose pose = meshes::RandomRigidPose(random, 9);
    const SignedDistanceField field =
        SignedFieldOf(meshes::Moved(solids::UnionOf(boxes), pose));
    for (const Vec3& p : LatticePoints(random, 40)) {
      ExpectEnclosed(field.DistanceToBoundary(pose.Apply(p)),
                     cells.SignedDistance(p), 1e-12);
    }
  }
}

TEST(BoundaryDistanceTest, BoundsAreCloseFarFromTheOrigin) {
  meshes::Random random(8);
  const Vec3 at{500'000, -5'000'000, 10'000'000};
  Pose pose;
  pose.translation = at;
  for (int i = 0; i < (kSanitized ? 5 : 40); ++i) {
    SCOPED_TRACE(i);
    const std::vector<Aabb> boxes = LatticeBoxes(random);
    const LatticeCells cells(boxes);
    const SignedDistanceField field =
        SignedFieldOf(meshes::Moved(solids::UnionOf(boxes), pose));
    for (const Vec3& p : LatticePoints(random, 40)) {
      const DistanceInterval d = field.DistanceToBoundary(at + p);
      EXPECT_LE(d.lower, cells.SignedDistance((at + p) - at) + 1e-14);
      EXPECT_GE(d.upper, cells.SignedDistance((at + p) - at) - 1e-14);
      EXPECT_LE(d.upper - d.lower, 1e-6);
    }
  }
}

void ExpectSurface(const SignedDistanceField& field) {
  meshes::Random random(7);
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = random.Point(-1.2, 1.6);
    const SurfacePoint closest = *field.ClosestPoint(p);
    EXPECT_EQ(field.DistanceToBoundary(p),
              BoundsOfDistance(field.tree(), p, closest));
  }
}

// Without walls, and by parity, the boundary is the surface.
TEST(BoundaryDistanceTest, IsTheSurfaceWhereNothingIsAWall) {
  const Mesh cavity =
      Joined(Box({{-1, -1, -1}, {1, 1, 1}}),
             solids::TurnedOver(Box({{0, 0, 0}, {0.5, 0.5, 0.5}})));
  for (const Mesh& mesh : {meshes::Torus(12, 6), cavity,
                           solids::TurnedOver(cavity), meshes::Icosphere(2)}) {
    ExpectSurface(SignedFieldOf(mesh));
    ExpectSurface(SignedFieldOf(mesh).With(InsideRule::kParity));
  }
  ExpectSurface(
      SignedFieldOf(Joined(meshes::Cube(), meshes::Cube({0.5, 0.25, 0.125})))
          .With(InsideRule::kParity));
}

// A star of five points, drawn in one line and made thick: a single component
// that winds twice around its middle.
TEST(BoundaryDistanceTest, AComponentMayCrossItself) {
  std::vector<Vec3> vertices;
  for (const double z : {-1.0, 1.0}) {
    for (int i = 0; i < 5; ++i) {
      const double angle = 2 * std::numbers::pi * (2 * i) / 5;
      vertices.push_back({std::cos(angle), std::sin(angle), z});
    }
    vertices.push_back({0, 0, z});
  }
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < 5; ++i) {
    const uint32_t j = (i + 1) % 5;
    triangles.push_back({11, 6 + i, 6 + j});
    triangles.push_back({5, j, i});
    triangles.push_back({i, j, 6 + j});
    triangles.push_back({i, 6 + j, 6 + i});
  }
  const SignedDistanceField field =
      SignedFieldOf(meshes::Make(vertices, triangles));
  EXPECT_EQ(WindingNumber(field.tree(), {0.01, 0.02, 0}), 2);
  const double fifth = std::numbers::pi / 5;
  const double corner = std::cos(2 * fifth) / std::cos(fifth);
  EXPECT_NEAR(field.Distance({0, 0, 0}), -corner * std::cos(fifth), 1e-12);
  ExpectEnclosed(field.DistanceToBoundary({0, 0, 0}), -corner, 1e-12);
}

TEST(BoundaryDistanceTest, WallsOfEveryKindArePassed) {
  const Mesh outer = Box({{0, 0, 0}, {8, 8, 8}});
  const Mesh inner = Box({{3, 3, 3}, {5, 5, 5}});
  const Vec3 middle{4, 4, 4};
  const Vec3 on_wall{3, 4, 4};
  const Vec3 on_face{0, 4, 4};
  for (const Mesh& mesh :
       {Joined(outer, inner), Joined(Joined(outer, inner), inner),
        Joined(outer, outer), solids::TurnedOver(Joined(outer, inner)),
        Joined(Joined(outer, inner), solids::TurnedOver(inner))}) {
    const SignedDistanceField field = SignedFieldOf(mesh);
    ExpectEnclosed(field.DistanceToBoundary(middle), -4);
    ExpectEnclosed(field.DistanceToBoundary(on_wall), -3);
    EXPECT_LT(field.DistanceToBoundary(on_wall).upper, 0);
    ExpectEnclosed(field.DistanceToBoundary(on_face), 0);
    EXPECT_EQ(field.DistanceToBoundary({-3, 4, 4}), (DistanceInterval{3, 3}));
  }
  // A cavity is no wall.
  const SignedDistanceField hollow =
      SignedFieldOf(Joined(outer, solids::TurnedOver(inner)));
  EXPECT_EQ(hollow.DistanceToBoundary(middle), (DistanceInterval{1, 1}));
  EXPECT_EQ(hollow.DistanceToBoundary(on_wall), DistanceInterval{});
  EXPECT_EQ(hollow.DistanceToBoundary({1, 4, 4}), (DistanceInterval{-1, -1}));
  // Flush boxes, whose common face is a wall, and whose edges are not.
  const SignedDistanceField flush = SignedFieldOf(
      Joined(Box({{0, 0, 0}, {1, 1, 1}}), Box({{1, 0, 0}, {2, 1, 1}})));
  ExpectEnclosed(flush.DistanceToBoundary({1, 0.5, 0.5}), -0.5);
  ExpectEnclosed(flush.DistanceToBoundary({1, 0.5, 1}), 0);
}

TEST(BoundaryDistanceTest, QuestionsAreCheckedAndMayBeCancelled) {
  const SignedDistanceField field =
      SignedFieldOf(Joined(meshes::Cube(), meshes::Cube({0.5, 0, 0})));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::array<Vec3, 2> points{Vec3{}, Vec3{0, nan, 0}};
  EXPECT_EQ(field.DistanceToBoundary(points).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(field.DistanceToBoundary(std::vector<Vec3>{}).value().empty());
  const std::atomic<bool> cancelled(true);
  EXPECT_EQ(
      field
          .DistanceToBoundary(std::vector<Vec3>(100), {.cancelled = &cancelled})
          .status()
          .code(),
      absl::StatusCode::kCancelled);
  EXPECT_EQ(field.DistanceToBoundary(Vec3{1e9, 0.5, 0.5}).lower, 1e9 - 1.5);
}

}  // namespace
}  // namespace orbox
