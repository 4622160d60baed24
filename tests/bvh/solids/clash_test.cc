// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/clash.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/solids/penetration.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using solids::Box;
using solids::Prism;

const ClashOptions kOptions{.tolerance = 0.001, .clearance = 0.05};

struct Case {
  const char* name;
  Mesh a;
  Mesh b;
  ClashKind kind;
};

std::vector<Case> Cases() {
  const Mesh wall = Box({{0, 0, 0}, {4, 0.3, 3}});
  const Mesh window = Box({{1, 0, 1}, {2, 0.3, 2}});
  const Mesh opening = meshes::Joined(wall, solids::TurnedOver(window));
  const Mesh shell =
      meshes::Joined(Box({{0, 0, 0}, {4, 4, 4}}),
                     solids::TurnedOver(Box({{1, 1, 1}, {3, 3, 3}})));
  const Mesh sheet =
      meshes::Make({{1, -1, 1}, {1, 1, 1}, {1.2, 1, 2}}, {{0, 1, 2}});
  using K = ClashKind;
  return {
      {"far", wall, Box({{0, 1, 0}, {4, 2, 3}}), K::kApart},
      {"near", wall, Box({{0, 0.33, 0}, {4, 2, 3}}), K::kClearance},
      {"within t", wall, Box({{0, 0.3005, 0}, {4, 2, 3}}), K::kTouch},
      {"flush", wall, Box({{0, 0.3, 0}, {4, 2, 3}}), K::kTouch},
      {"flush edges", wall, Box({{4, 0.3, 0}, {5, 2, 3}}), K::kTouch},
      {"less than t deep", wall, Box({{0, 0.2995, 0}, {4, 2, 3}}), K::kTouch},
      {"5 mm deep", wall, Box({{0, 0.295, 0}, {4, 2, 3}}), K::kClash},
      {"flush inside", wall, window, K::kSecondInside},
      {"inside", wall, Box({{1, 0.1, 1}, {2, 0.2, 2}}), K::kSecondInside},
      {"less than t outside", wall, Box({{1, -0.0005, 1}, {2, 0.2, 2}}),
       K::kSecondInside},
      {"a pipe through", wall, Prism(16, 0.05, {1, -1, 1}, {0, 2, 0}),
       K::kClash},
      {"a pipe inside", Prism(16, 0.05, {1, 0.1, 1}, {2, 0, 0.5}), wall,
       K::kFirstInside},
      {"half in the wall", Box({{1, 0.2, 1}, {1.1, 0.4, 1.1}}), wall,
       K::kClash},
      {"the same", wall, wall, K::kDuplicate},
      {"the same, moved by t / 2", wall, Box({{0, 0.0005, 0}, {4, 0.3, 3}}),
       K::kDuplicate},
      {"flush in an opening", opening, window, K::kTouch},
      {"in a cavity, flush", shell, Box({{1, 1, 1}, {3, 3, 3}}), K::kTouch},
      {"in a cavity", shell, Box({{1.5, 1.5, 1.5}, {2.5, 2.5, 2.5}}),
       K::kApart},
      {"in the shell", shell, Box({{3.2, 1, 1}, {3.8, 3, 3}}),
       K::kSecondInside},
      {"facing inward", solids::TurnedOver(wall), window, K::kSecondInside},
      {"a sheet through", wall, sheet, K::kCrossing},
      {"an open box around", solids::Opened(Box({{-1, -1, -1}, {5, 1, 4}})),
       wall, K::kApart},
      {"an open box inside", wall,
       solids::Opened(Box({{1, 0.1, 1}, {2, 0.2, 2}})), K::kSecondInside},
      {"an open box flush", wall, solids::Opened(Box({{0, 0.3, 0}, {4, 2, 3}})),
       K::kTouch},
      {"an open box flush in an opening", opening, solids::Opened(window),
       K::kTouch},
      {"an open plate flush, across triangles", wall,
       solids::Opened(Box({{-1, 0.3, -1}, {3, 0.4, 2}})), K::kTouch},
      {"open boxes", solids::Opened(wall), solids::Opened(window),
       K::kCrossing},
  };
}

ClashKind Swapped(ClashKind kind) {
  if (kind == ClashKind::kFirstInside) return ClashKind::kSecondInside;
  if (kind == ClashKind::kSecondInside) return ClashKind::kFirstInside;
  return kind;
}

TEST(ClashTest, KindsAreThoseOfTheShapesInEveryPose) {
  const Pose poses[] = {
      {},
      Pose::Rotation({0, 0, 1}, std::numbers::pi / 6),
      Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {100, -50, 7}),
      Pose::Translation({155000.125, 463000.5, 12.25})};
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.name);
    const Tree a = trees::Make(c.a);
    const Tree b = trees::Make(c.b);
    for (const Pose& pose : poses) {
      const PosedTree x = PosedTree::Create(a, pose).value();
      const PosedTree y = PosedTree::Create(b, pose).value();
      EXPECT_EQ(NameOf(ClashOf(x, y, kOptions).kind), NameOf(c.kind));
      EXPECT_EQ(NameOf(ClashOf(y, x, kOptions).kind), NameOf(Swapped(c.kind)));
    }
  }
}

TEST(ClashTest, KindsDoNotChangeUnderMotionsFarBelowTheTolerance) {
  meshes::Random random(3);
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.name);
    const Tree a = trees::Make(c.a);
    const Tree b = trees::Make(c.b);
    for (int i = 0; i < 4; ++i) {
      const Pose pose =
          Pose::Translation(random.Direction() * (1e-9 * kOptions.tolerance));
      const PosedTree x = PosedTree::Create(a, pose).value();
      EXPECT_EQ(NameOf(ClashOf(x, b, kOptions).kind), NameOf(c.kind));
    }
  }
}

// Two boxes that overlap, as one body, and a probe where both are: deep inside
// their union, outside by parity.
TEST(ClashTest, TheRuleOfInsideDecides) {
  const Tree body = trees::Make(meshes::Joined(Box({{0, 0, 0}, {3, 2, 2}}),
                                               Box({{1, 0.5, -1}, {5, 3, 1}})));
  const Tree probe = trees::Make(Box({{1.5, 0.75, 0.25}, {2.5, 1.75, 0.75}}));
  for (const Pose& pose :
       {Pose(), Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {100, -5, 7})}) {
    const PosedTree a = PosedTree::Create(body, pose).value();
    const PosedTree b = PosedTree::Create(probe, pose).value();
    const auto kind = [&](InsideRule rule, bool exact) {
      return NameOf(ClashOf(a, b, {.exact = exact, .inside = rule}).kind);
    };
    for (const bool exact : {false, true}) {
      EXPECT_EQ(kind(InsideRule::kWinding, exact), "second inside");
      EXPECT_EQ(kind(InsideRule::kParity, exact), "apart");
    }
    // Each box of 12 and 20 without the 3 that both have.
    const MeasureBounds volume = VolumeOfShared(a, a, {}, InsideRule::kParity);
    EXPECT_LE(volume.lower, 26);
    EXPECT_GE(volume.upper, 26);
    EXPECT_LE(volume.upper, 1.02 * volume.lower);
  }
}

TEST(ClashTest, DepthsAreThoseOfPenetrations) {
  const Tree wall = trees::Make(Box({{0, 0, 0}, {4, 0.3, 3}}));
  const Tree pipe = trees::Make(Prism(16, 0.05, {1, 0.26, -1}, {0, 0, 5}));
  const ClashOptions options{.tolerance = 0.001, .depth = true};
  const Clash found = ClashOf(pipe, wall, options);
  ASSERT_TRUE(found.depth.has_value());
  const Penetration expected = PenetrationOf(pipe, wall).value();
  EXPECT_EQ(found.depth->depth, expected.depth);
  EXPECT_EQ(found.depth->translation, expected.translation);
  EXPECT_NEAR(found.depth->depth.upper, 0.04 + 0.05, 1e-3);
  EXPECT_FALSE(ClashOf(pipe, wall, kOptions).depth.has_value());
  // Not of what touches.
  const Tree beside = trees::Make(Box({{0, 0.3, 0}, {4, 1, 3}}));
  EXPECT_FALSE(ClashOf(beside, wall, options).depth.has_value());
}

// A triangle that is there twice counts once, for points far from it, too.
TEST(ClashTest, ATriangleThatIsThereTwiceCountsOnce) {
  const Mesh two =
      meshes::Joined(Box({{0, 0, 0}, {1, 1, 1}}), Box({{5, 0, 0}, {6, 1, 1}}));
  const Tree probe = trees::Make(Box({{2, 0.25, 0.25}, {4, 0.75, 0.75}}));
  const Tree within = trees::Make(Box({{0.25, 0.25, 0.25}, {0.75, 0.5, 0.5}}));
  for (uint32_t twice = 0; twice < two.triangle_count(); ++twice) {
    SCOPED_TRACE(twice);
    std::vector<TriangleIndices> triangles(two.triangles().begin(),
                                           two.triangles().end());
    triangles.push_back(triangles[twice]);
    const Tree body = trees::Make(meshes::Make(
        {two.vertices().begin(), two.vertices().end()}, triangles));
    EXPECT_EQ(NameOf(ClashOf(body, probe).kind), "apart");
    EXPECT_EQ(NameOf(ClashOf(body, within).kind), "second inside");
  }
}

// A search over boxes alone would give up, or take as many boxes as the edges
// are longer than the tolerance.
TEST(ClashTest, WhatIsOpenAndFlushInASlantingNotchTouches) {
  const Pose turn = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7);
  const Pose slant = Pose::Rotation({0, 1, 0}, 0.6);
  const Mesh beam = Box({{-1, 0, 0}, {0.5, 0.5, 0.5}});
  std::vector<Vec3> vertices;
  for (const Vec3& v : beam.vertices()) vertices.push_back(slant.Apply(v));
  const std::vector<TriangleIndices> triangles(beam.triangles().begin(),
                                               beam.triangles().end());
  const Mesh slanting = Mesh::Create(vertices, triangles).value();
  const Mesh block = meshes::Joined(Box({{-3, -3, -3}, {3, 3, 3}}),
                                    solids::TurnedOver(slanting));  // a notch
  const PosedTree a = PosedTree::Create(trees::Make(block), turn).value();
  const PosedTree b =
      PosedTree::Create(trees::Make(solids::Opened(slanting)), turn).value();
  ClashOptions options{.tolerance = 1e-6};
  EXPECT_EQ(NameOf(ClashOf(a, b, options).kind), "touch");
  EXPECT_EQ(NameOf(ClashOf(b, a, options).kind), "touch");
}

TEST(ClashTest, MeasuresWhatIsRequested) {
  const Tree wall = trees::Make(Box({{0, 0, 0}, {4, 0.3, 3}}));
  const Tree slab = trees::Make(Box({{0, 0.295, 0}, {4, 2, 3}}));
  ClashOptions options = kOptions;
  options.thickness = options.volume = options.gap = true;
  const Clash clash = ClashOf(wall, slab, options);
  EXPECT_LE(clash.thickness.lower, 0.005 + 1e-12);
  EXPECT_GE(clash.thickness.upper, 0.005 - 1e-12);
  EXPECT_LE(clash.thickness.upper, 1.0101 * clash.thickness.lower);
  EXPECT_NEAR(clash.center.y, 0.2975, 1e-4);
  ASSERT_TRUE(clash.volume.has_value());
  EXPECT_NEAR(clash.volume->lower, 0.06, 0.001);
  ASSERT_TRUE(clash.gap.has_value());
  EXPECT_EQ(clash.gap->distance, 0);

  const Clash near =
      ClashOf(wall, trees::Make(Box({{0, 0.33, 0}, {4, 2, 3}})), kOptions);
  ASSERT_TRUE(near.gap.has_value());
  EXPECT_NEAR(near.gap->distance, 0.03, 1e-12);
  EXPECT_FALSE(near.volume.has_value());
  EXPECT_EQ(near.thickness.lower, 0);
}

// By less than the rounding that a tolerance of 0 allows.
TEST(ClashTest, ExactlyTheLeastOverlapClashes) {
  const Tree wall = trees::Make(Box({{0, 0, 0}, {4, 1, 3}}));
  const auto kind = [&](double from, bool exact) {
    const Tree slab = trees::Make(Box({{1, from, -1}, {2, 2, 2}}));
    return ClashOf(wall, slab, {.exact = exact}).kind;
  };
  const double before = std::nextafter(1.0, 0.0);
  const double behind = std::nextafter(1.0, 2.0);
  EXPECT_EQ(kind(before, true), ClashKind::kClash);
  EXPECT_EQ(kind(1, true), ClashKind::kTouch);
  EXPECT_EQ(kind(behind, true), ClashKind::kApart);
  EXPECT_EQ(kind(before, false), ClashKind::kTouch);
  // With a tolerance it has no effect.
  const Tree slab = trees::Make(Box({{1, before, -1}, {2, 2, 2}}));
  EXPECT_EQ(ClashOf(wall, slab, {.tolerance = 1e-9, .exact = true}).kind,
            ClashKind::kTouch);
  EXPECT_EQ(ClashOf(wall, wall, {.exact = true}).kind, ClashKind::kDuplicate);
}

// A tolerance of 0 stands for rounding, which the bounds have to include.
TEST(ClashTest, TheThicknessOfSolidsThatTouchIsEnclosed) {
  const Tree wall = trees::Make(Box({{0, 0, 0}, {4, 1, 3}}));
  for (const double overlap : {0x1p-40, 0x1p-36}) {
    const Tree slab = trees::Make(Box({{1, 1 - overlap, -1}, {2, 2, 2}}));
    const Clash clash = ClashOf(wall, slab);
    EXPECT_EQ(clash.kind, ClashKind::kTouch);
    EXPECT_EQ(clash.thickness.lower, 0);
    EXPECT_GE(clash.thickness.upper, overlap);
    EXPECT_LE(clash.thickness.upper, 0x1p-32);
  }
}

// A bolt with its head and nut through a plate, at the origin and where map
// coordinates put a building, in metres.
TEST(ClashTest, ShellsThatOverlapClashAtMapCoordinatesToo) {
  for (const Vec3& at : {Vec3{}, Vec3{500'000, 5'000'000, 100}}) {
    const auto box = [&](const Vec3& lo, const Vec3& hi) {
      return Box({at + lo, at + hi});
    };
    const Tree plate = trees::Make(box({0, 0, 0}, {0.3, 0.3, 0.02}));
    const Tree bolt = trees::Make(meshes::Joined(
        box({0.1, 0.1, -0.03}, {0.116, 0.116, 0.05}),
        meshes::Joined(box({0.093, 0.093, 0.019}, {0.123, 0.123, 0.03}),
                       box({0.093, 0.093, -0.012}, {0.123, 0.123, 0.001}))));
    const Clash clash =
        ClashOf(plate, bolt, {.tolerance = 0.001, .thickness = true});
    EXPECT_EQ(clash.kind, ClashKind::kClash);
    EXPECT_FALSE(clash.is_undecided);
    EXPECT_LE(clash.thickness.lower, 0.016 + 1e-8);
    EXPECT_GE(clash.thickness.lower, 0.015);
    EXPECT_GE(clash.thickness.upper, 0.016 - 1e-8);
    EXPECT_LE(clash.thickness.upper, 0.017);
  }
}

TEST(ClashTest, NegativeTolerancesCountAsZero) {
  const Tree wall = trees::Make(Box({{0, 0, 0}, {4, 0.3, 3}}));
  ClashOptions options = {.tolerance = -1};
  EXPECT_EQ(ClashOf(wall, wall, options).kind, ClashKind::kDuplicate);
  options.tolerance = std::nan("");
  EXPECT_EQ(
      ClashOf(wall, trees::Make(Box({{4, 0, 0}, {5, 1, 1}})), options).kind,
      ClashKind::kTouch);
}

TEST(ClashTest, EachKindHasAName) {
  EXPECT_EQ(NameOf(ClashKind::kSecondInside), "second inside");
  EXPECT_FALSE(IsClash(ClashKind::kTouch));
  EXPECT_TRUE(IsClash(ClashKind::kCrossing));
  EXPECT_TRUE(IsClash(ClashKind::kClash));
}

// The search for more of one outside of the other would give up.
TEST(ClashTest, CopiesAreDuplicatesByParityToo) {
  const Mesh boxes = meshes::Joined(Box({{0, 0, 0}, {2, 2, 2}}),
                                    Box({{1, 0.5, 0.25}, {3, 2.5, 2.25}}));
  const Mesh copy =
      meshes::Make({boxes.vertices().begin(), boxes.vertices().end()},
                   {boxes.triangles().begin(), boxes.triangles().end()});
  const Tree tree = trees::Make(boxes);
  const Tree other = trees::Make(copy);
  const Pose pose = Pose::Rotation({0, 0.6, 0.8}, 0.7, {5, 6, 7});
  const ClashOptions options{.inside = InsideRule::kParity};
  for (const Tree& b : {tree, other}) {
    EXPECT_EQ(ClashOf(tree, b, options).kind, ClashKind::kDuplicate);
    EXPECT_EQ(ClashOf(PosedTree::Create(tree, pose).value(),
                      PosedTree::Create(b, pose).value(), options)
                  .kind,
              ClashKind::kDuplicate);
    EXPECT_NE(ClashOf(PosedTree::Create(tree, pose).value(), b, options).kind,
              ClashKind::kDuplicate);
  }
}

// The boxes touch along edges, where searches for more of one outside of the
// other give up.
TEST(ClashTest, CopiesOfAnyOrderAndFacingAreDuplicates) {
  const Mesh boxes = meshes::Joined(
      Box({{0, 0, 0}, {3, 3, 3}}),
      meshes::Joined(Box({{3, 3, 0}, {5, 4, 2}}), Box({{1, 3, 2}, {2, 5, 5}})));
  const std::vector<Vec3> vertices(boxes.vertices().begin(),
                                   boxes.vertices().end());
  std::vector<TriangleIndices> triangles(boxes.triangles().begin(),
                                         boxes.triangles().end());
  std::reverse(triangles.begin(), triangles.end());
  for (size_t i = 0; i < triangles.size(); i += 2) {
    std::rotate(triangles[i].begin(), triangles[i].begin() + 1,
                triangles[i].end());
  }
  const Mesh shuffled = meshes::Make(vertices, triangles);
  const Tree tree = trees::Make(boxes);
  for (const InsideRule rule : {InsideRule::kWinding, InsideRule::kParity}) {
    for (const double tolerance : {0.0, 0.1}) {
      const ClashOptions options{.tolerance = tolerance, .inside = rule};
      for (const Mesh& copy : {shuffled, meshes::TurnedOver(boxes),
                               meshes::TurnedOver(shuffled)}) {
        EXPECT_EQ(ClashOf(tree, trees::Make(copy), options).kind,
                  ClashKind::kDuplicate);
      }
    }
  }
}

// A frame of sheet `t` thick with rounded corners, such as an anchor channel.
Mesh Frame(double t) {
  constexpr size_t kSteps = 11;  // a corner
  constexpr double kOuter = 0.003;
  std::vector<Vec3> vertices;
  for (const double z : {5.563, 5.575}) {
    for (const double radius : {kOuter, kOuter - t}) {
      for (size_t q = 0; q < 4; ++q) {
        const double x =
            26.201 + (q == 0 || q == 3 ? 1 : -1) * (0.019 - kOuter);
        const double y = 17.8025 + (q < 2 ? 1 : -1) * (0.05 - kOuter);
        for (size_t k = 0; k <= kSteps; ++k) {
          const double angle =
              std::numbers::pi / 2 * (q + static_cast<double>(k) / kSteps);
          vertices.push_back(
              {x + radius * std::cos(angle), y + radius * std::sin(angle), z});
        }
      }
    }
  }
  const auto n = static_cast<uint32_t>(vertices.size() / 4);
  std::vector<TriangleIndices> triangles;
  const auto add = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  };
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t j = (i + 1) % n;
    add(i, j, 2 * n + j, 2 * n + i);                  // outside
    add(n + i, 3 * n + i, 3 * n + j, n + j);          // inside
    add(i, n + i, n + j, j);                          // below
    add(2 * n + i, 2 * n + j, 3 * n + j, 3 * n + i);  // above
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

// Patches of the sheet's boundary are cut again and again by planes that are
// equal except for rounding. The search has to end all the same.
TEST(ClashTest, SheetAsThickAsTheToleranceIsDecidedSoon) {
  const Tree wall = trees::Make(
      Box({{26.01, 11.8675, 2.41}, {26.26, 17.8525, 5.609999999999999}}));
  const Tree frame = trees::Make(Frame(0.001 - 1e-9));
  EXPECT_EQ(NameOf(ClashOf(frame, wall, {.tolerance = 0.001}).kind),
            NameOf(ClashKind::kTouch));
  EXPECT_EQ(NameOf(ClashOf(frame, wall, {.tolerance = 0.0009}).kind),
            NameOf(ClashKind::kFirstInside));
}

}  // namespace
}  // namespace orbox
