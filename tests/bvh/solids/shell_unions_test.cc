// SPDX-License-Identifier: Apache-2.0

// Solids that are unions of overlapping shells: boxes on a lattice, compared
// with the exact depth of a point; boxes, cylinders and balls in general
// position, compared with balls that certainly are inside both.
// ORBOX_SOLID_PAIRS sets the number of pairs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/interior_overlap.h"
#include "orbox/bvh/solids/shared_region.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

size_t PairCount(size_t usual) {
  const char* const requested = std::getenv("ORBOX_SOLID_PAIRS");
  return requested == nullptr ? usual : std::strtoul(requested, nullptr, 10);
}

// The unit cells of a lattice that two unions of boxes share.
class SharedCells {
 public:
  static constexpr int kSize = 6;

  SharedCells(const std::vector<Aabb>& a, const std::vector<Aabb>& b,
              InsideRule rule = InsideRule::kWinding)
      : rule_(rule) {
    for (int x = -1; x <= kSize; ++x) {
      for (int y = -1; y <= kSize; ++y) {
        for (int z = -1; z <= kSize; ++z) {
          const Vec3 middle{x + 0.5, y + 0.5, z + 0.5};
          (Holds(a, middle) && Holds(b, middle) ? shared_ : others_)
              .push_back(middle);
        }
      }
    }
  }

  const std::vector<Vec3>& shared() const { return shared_; }

  // The distance from all that is not shared.
  double DepthOf(const Vec3& p) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& middle : others_) {
      const Vec3 d = Max(Abs(p - middle) - Vec3{0.5, 0.5, 0.5}, Vec3{});
      least = std::min(least, SquaredNorm(d));
    }
    return std::sqrt(least);
  }

 private:
  bool Holds(const std::vector<Aabb>& boxes, const Vec3& p) const {
    const auto count = std::count_if(
        boxes.begin(), boxes.end(),
        [&](const Aabb& box) { return Max(box.lo, Min(p, box.hi)) == p; });
    return rule_ == InsideRule::kParity ? count % 2 != 0 : count != 0;
  }

  const InsideRule rule_;
  std::vector<Vec3> shared_;
  std::vector<Vec3> others_;
};

// The greatest depth that steps from a point find.
template <typename Depth>
double DeepestFrom(Vec3 p, double step, Depth depth) {
  double deepest = depth(p);
  while (step > 1e-3) {
    bool is_better = false;
    for (int i = 0; i < 27; ++i) {
      const Vec3 d{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
      const Vec3 q = p + d * step;
      if (const double at = depth(q); at > deepest + 1e-9) {
        deepest = at;
        p = q;
        is_better = true;
      }
    }
    if (!is_better) step /= 2;
  }
  return deepest;
}

std::vector<Aabb> RandomBoxes(meshes::Random& random) {
  std::vector<Aabb> boxes(1 + random.Below(3));
  for (Aabb& box : boxes) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto from = static_cast<double>(random.Below(SharedCells::kSize));
      const auto size = static_cast<double>(random.Below(3) + 1);
      box.lo[axis] = from;
      box.hi[axis] = std::min<double>(from + size, SharedCells::kSize);
    }
  }
  return boxes;
}

TEST(ShellUnionsTest, BoxesOfALatticeShareTheBallThatTheCellsHold) {
  meshes::Random random(11);
  // Rarely, a search gives up at a small bound if boxes touch along edges or in
  // corners.
  size_t given_up = 0;
  for (size_t i = 0; i < PairCount(400); ++i) {
    SCOPED_TRACE(i);
    const std::vector<Aabb> a = RandomBoxes(random);
    const std::vector<Aabb> b = RandomBoxes(random);
    const Pose pose = i % 2 == 0 ? Pose() : meshes::RandomRigidPose(random, 9);
    const PosedTree x =
        PosedTree::Create(trees::Make(solids::UnionOf(a)), pose).value();
    const PosedTree y =
        PosedTree::Create(trees::Make(solids::UnionOf(b)), pose).value();
    const SharedCells cells(a, b);
    const auto depth = [&](const Vec3& p) { return cells.DepthOf(p); };
    const SharedThickness s = ThicknessOfShared(x, y);
    double deepest = 0;
    for (const Vec3& p : cells.shared()) {
      deepest = std::max(deepest, depth(p));
    }
    if (!cells.shared().empty()) {
      const Vec3 start = cells.shared()[random.Below(cells.shared().size())];
      deepest = std::max(deepest, DeepestFrom(start, 0.5, depth));
    }
    EXPECT_GE(s.thickness.upper, 2 * deepest - 1e-9);
    const double excess = s.thickness.upper - 1.0101 * s.thickness.lower;
    EXPECT_LE(excess, 0.01);
    given_up += excess > 1e-3 ? 1 : 0;
    if (s.thickness.lower > 0) {
      const Vec3 center = pose.Inverse()->Apply(s.center);
      EXPECT_GE(2 * depth(center), s.thickness.lower - 1e-9);
    }
    const ClashKind kind = ClashOf(x, y, {.tolerance = 0.5}).kind;
    EXPECT_EQ(IsClash(kind), !cells.shared().empty()) << NameOf(kind);
  }
  EXPECT_LE(given_up, PairCount(400) / 100 + 1);
}

TEST(ShellUnionsTest, BothRulesHoldForKindsThicknessAndVolume) {
  meshes::Random random(14);
  size_t differ = 0;  // in volume
  for (size_t i = 0; i < PairCount(100); ++i) {
    SCOPED_TRACE(i);
    const std::vector<Aabb> a =
        solids::BoxesWithoutFlushSides(random, SharedCells::kSize);
    const std::vector<Aabb> b =
        solids::BoxesWithoutFlushSides(random, SharedCells::kSize);
    const Pose pose = i % 2 == 0 ? Pose() : meshes::RandomRigidPose(random, 9);
    const PosedTree x =
        PosedTree::Create(trees::Make(solids::UnionOf(a)), pose).value();
    const PosedTree y =
        PosedTree::Create(trees::Make(solids::UnionOf(b)), pose).value();
    std::array<size_t, 2> counts{};
    for (const InsideRule rule : {InsideRule::kWinding, InsideRule::kParity}) {
      const SharedCells cells(a, b, rule);
      const size_t count = cells.shared().size();
      counts[rule == InsideRule::kParity ? 1 : 0] = count;
      const auto depth = [&](const Vec3& p) { return cells.DepthOf(p); };
      const SharedThickness s =
          ThicknessOfShared(x, y, {.relative = 0.1}, rule);
      double deepest = 0;
      for (const Vec3& p : cells.shared()) {
        deepest = std::max(deepest, depth(p));
      }
      EXPECT_GE(s.thickness.upper, 2 * deepest - 1e-9);
      if (s.thickness.lower > 0) {
        const Vec3 center = pose.Inverse()->Apply(s.center);
        EXPECT_GE(2 * depth(center), s.thickness.lower - 1e-9);
      }
      const MeasureBounds volume =
          VolumeOfShared(x, y, {.relative = 0.1}, rule);
      EXPECT_LE(volume.lower, static_cast<double>(count) + 1e-9);
      EXPECT_GE(volume.upper, static_cast<double>(count) - 1e-9);
      EXPECT_EQ(IsSharedThicker(x, y, 0.5, rule), count != 0);
      EXPECT_EQ(IsClash(ClashOf(x, y, {.tolerance = 0.5, .inside = rule}).kind),
                count != 0);
      if (i % 2 == 0) {
        EXPECT_EQ(AnyInteriorOverlap(x, y, rule), count != 0);
        EXPECT_EQ(IsClash(ClashOf(x, y, {.exact = true, .inside = rule}).kind),
                  count != 0);
      }
    }
    differ += counts[0] != counts[1] ? 1 : 0;
  }
  EXPECT_GT(differ, 10u);
}

// A convex shell by its planes: the points with Dot(n, p) <= offset.
struct Shell {
  Mesh mesh;
  std::vector<std::pair<Vec3, double>> planes;

  double DepthOf(const Vec3& p) const {
    double depth = std::numeric_limits<double>::infinity();
    for (const auto& [n, offset] : planes) {
      depth = std::min(depth, offset - Dot(n, p));
    }
    return depth;
  }
};

Shell RandomShell(meshes::Random& random) {
  const double r = random.Uniform(0.2, 0.6);
  const std::array<Mesh, 3> kinds = {
      solids::Box({{-r, -r / 2, -0.1}, {r, r, 0.2}}),
      solids::Prism(3 + static_cast<uint32_t>(random.Below(20)), r / 2,
                    {0, 0, -r}, {0, 0, 2 * r}),
      meshes::Icosphere(1, {}, r)};
  Shell shell{meshes::Moved(kinds[random.Below(3)],
                            meshes::RandomRigidPose(random, 0.4)),
              {}};
  for (size_t t = 0; t < shell.mesh.triangle_count(); ++t) {
    const Triangle f = shell.mesh.triangle(t);
    const Vec3 n = Normalized(Cross(f.b - f.a, f.c - f.a));
    shell.planes.emplace_back(n, Dot(n, f.a));
  }
  return shell;
}

struct Union {
  explicit Union(meshes::Random& random) {
    const size_t count = 1 + random.Below(3);
    while (shells.size() < count) shells.push_back(RandomShell(random));
  }

  Mesh Joined() const {
    Mesh mesh = shells[0].mesh;
    for (size_t i = 1; i < shells.size(); ++i) {
      mesh = meshes::Joined(mesh, shells[i].mesh);
    }
    return mesh;
  }
  // No more than the depth; above 0 inside, and only there.
  double DepthOf(const Vec3& p) const {
    double depth = -std::numeric_limits<double>::infinity();
    for (const Shell& shell : shells) {
      depth = std::max(depth, shell.DepthOf(p));
    }
    return depth;
  }

  std::vector<Shell> shells;
};

Mesh Permuted(const Mesh& mesh, meshes::Random& random) {
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  for (size_t i = triangles.size() - 1; i > 0; --i) {
    std::swap(triangles[i], triangles[random.Below(i + 1)]);
  }
  return Mesh::Create({mesh.vertices().begin(), mesh.vertices().end()},
                      triangles)
      .value();
}

// A region that is thicker than the tolerance by less than this may count as
// either: clash.h.
constexpr double kBand = 0x1p-11;

// Tests whether the solids share a region that may count as thicker than t or
// not. The enclosure of the thickness is as narrow as the band.
bool MayBeEither(const Tree& a, const Tree& b, double t) {
  const MeasureBounds thickness =
      ThicknessOfShared(a, b, {.relative = kBand}).thickness;
  EXPECT_LE(thickness.upper, thickness.lower * (1 + 1.01 * kBand));
  return thickness.upper > t && thickness.lower <= t * (1 + kBand);
}

ClashKind OfSwapped(ClashKind kind) {
  if (kind == ClashKind::kFirstInside) return ClashKind::kSecondInside;
  if (kind == ClashKind::kSecondInside) return ClashKind::kFirstInside;
  return kind;
}

TEST(ShellUnionsTest, ShellsInGeneralPositionShareNoMoreAndNoLess) {
  meshes::Random random(12);
  const size_t count = PairCount(kSanitized ? 60 : 300);
  size_t differ = 0;  // if swapped
  for (size_t i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    const Union a(random);
    const Union b(random);
    const Mesh a_mesh = a.Joined();
    const Tree x = trees::Make(a_mesh);
    const Tree y = trees::Make(b.Joined());
    const SharedThickness s = ThicknessOfShared(x, y, {.relative = 0.02});
    EXPECT_LE(s.thickness.upper, 1.0201 * s.thickness.lower + 1e-4);
    const auto depth = [&](const Vec3& p) {
      return std::min(a.DepthOf(p), b.DepthOf(p));
    };
    double deepest = 0;
    for (int k = 0; k < 40; ++k) {
      const Vec3 p = random.Point(-0.8, 0.8);
      if (depth(p) > deepest) deepest = DeepestFrom(p, 0.1, depth);
    }
    EXPECT_GE(s.thickness.upper, 2 * deepest - 1e-9);
    if (s.thickness.lower > 0) {
      for (int k = 0; k < 200; ++k) {
        const Vec3 p = s.center + random.Direction() * (s.thickness.lower / 2);
        EXPECT_GE(depth(p), -1e-9);
      }
    }
    // Kinds: those of the thickness, and of nothing else.
    const ClashOptions options{.tolerance = random.Uniform(0.001, 0.2)};
    const double t = options.tolerance;
    const ClashKind kind = ClashOf(x, y, options).kind;
    if (s.thickness.lower > t * 1.001) {
      EXPECT_TRUE(IsClash(kind)) << NameOf(kind);
    }
    if (s.thickness.upper < t) {
      EXPECT_FALSE(IsClash(kind)) << NameOf(kind);
    }
    const ClashKind swapped = ClashOf(y, x, options).kind;
    if (swapped != OfSwapped(kind) && MayBeEither(x, y, t)) {
      ++differ;
      EXPECT_NE(IsClash(swapped), IsClash(kind));
    } else {
      EXPECT_EQ(NameOf(swapped), NameOf(OfSwapped(kind)));
    }
    const Tree permuted = trees::Make(Permuted(a_mesh, random));
    EXPECT_EQ(NameOf(ClashOf(permuted, y, options).kind), NameOf(kind));
    const PosedTree moved =
        PosedTree::Create(x, Pose::Translation(random.Direction() * (1e-9 * t)))
            .value();
    EXPECT_EQ(NameOf(ClashOf(moved, y, options).kind), NameOf(kind));
  }
  EXPECT_LE(differ, count / 1000);
}

// A search over boxes of space takes seconds for these, and then guesses.
TEST(ShellUnionsTest, WhatIsFlushAllAroundTouches) {
  meshes::Random random(13);
  const Pose poses[] = {
      {}, Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {100, -50, 7})};
  for (const uint32_t sides : {32u, 64u}) {
    const Tree channel = trees::Make(solids::Tube(sides, 0.2, 0.05, 2));
    const Tree pipe = trees::Make(solids::Tube(sides, 0.05, 0.045, 2.5));
    const Tree bar = trees::Make(solids::Prism(sides, 0.05, {}, {0, 0, 1.5}));
    for (const Pose& pose : poses) {
      const PosedTree x = PosedTree::Create(channel, pose).value();
      for (const Tree& inner : {pipe, bar}) {
        for (const double t : {1e-3, 1e-4, 1e-6}) {
          SCOPED_TRACE(testing::Message()
                       << sides << " sides, " << inner.mesh().triangle_count()
                       << " triangles, " << t << ", " << pose.translation.x);
          const ClashOptions options{.tolerance = t};
          const PosedTree y = PosedTree::Create(inner, pose).value();
          EXPECT_EQ(NameOf(ClashOf(x, y, options).kind), "touch");
          const PosedTree moved =
              PosedTree::Create(
                  inner,
                  Pose::Translation(random.Direction() * (1e-9 * t)) * pose)
                  .value();
          EXPECT_EQ(NameOf(ClashOf(moved, x, options).kind), "touch");
        }
      }
    }
  }
}

TEST(ShellUnionsTest, APipeTooLargeForItsChannelIsAsThickAsTheDifference) {
  constexpr uint32_t kSides = 40;
  constexpr double kRadius = 0.05;
  constexpr double kMore = 0.002;
  const Tree channel = trees::Make(solids::Tube(kSides, 0.2, kRadius, 2));
  const Tree pipe =
      trees::Make(solids::Tube(kSides, kRadius + kMore, kRadius - 0.01, 2.5));
  // Between two faces of the pipe and an edge of the channel.
  const double cosine = std::cos(std::numbers::pi / kSides);
  const double exact = 2 * kMore * cosine / (1 + cosine);
  const SharedThickness s = ThicknessOfShared(channel, pipe);
  EXPECT_LE(s.thickness.lower, exact * (1 + 1e-9));
  EXPECT_GE(s.thickness.upper, exact * (1 - 1e-9));
  EXPECT_LE(s.thickness.upper, 1.0101 * s.thickness.lower);
  EXPECT_EQ(ClashOf(channel, pipe, {.tolerance = 0.99 * exact}).kind,
            ClashKind::kClash);
  EXPECT_EQ(ClashOf(channel, pipe, {.tolerance = 1.01 * exact}).kind,
            ClashKind::kTouch);
}

// A bolt through two plates. One plate is two boxes that overlap in a wall.
TEST(ShellUnionsTest, WallsInsideASolidStopNoBall) {
  const Mesh one = solids::Box({{0, 0, 0}, {1, 1, 0.02}});
  for (const double overlap : {0.0, 1e-6, 0.004, 0.3}) {
    SCOPED_TRACE(overlap);
    const Mesh other = solids::Box({{1 - overlap, 0, 0}, {2, 1, 0.02}});
    const Tree plate = trees::Make(meshes::Joined(one, other));
    const Tree bolt =
        trees::Make(solids::Prism(24, 0.01, {1, 0.5, -0.1}, {0, 0, 0.3}));
    const double exact = 0.02 * std::cos(std::numbers::pi / 24);
    const SharedThickness s = ThicknessOfShared(plate, bolt);
    EXPECT_LE(s.thickness.lower, exact * (1 + 1e-9));
    EXPECT_GE(s.thickness.upper, exact * (1 - 1e-9));
    EXPECT_LE(s.thickness.upper, 1.0101 * s.thickness.lower);
    EXPECT_EQ(ClashOf(plate, bolt, {.tolerance = 0.0195}).kind,
              ClashKind::kClash);
  }
}

}  // namespace
}  // namespace orbox
