// SPDX-License-Identifier: Apache-2.0

// Kinds of solids whose faces are flush, and divided into other triangles.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/shared_region.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

constexpr int kSize = 6;  // of the lattice

std::vector<Aabb> FlushBoxes(meshes::Random& random) {
  std::vector<Aabb> boxes(1 + random.Below(3));
  for (Aabb& box : boxes) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto from = static_cast<double>(random.Below(kSize));
      box.lo[axis] = from;
      box.hi[axis] = std::min<double>(
          from + static_cast<double>(random.Below(3) + 1), kSize);
    }
  }
  return boxes;
}

// The cells of the lattice inside a union of boxes. Decides kinds by integers:
// what is not empty holds a whole cell.
class Cells {
 public:
  Cells(const std::vector<Aabb>& boxes, InsideRule rule) {
    for (int i = 0; i < kSize * kSize * kSize; ++i) {
      const Vec3 middle{i % kSize + 0.5, i / kSize % kSize + 0.5,
                        i / (kSize * kSize) + 0.5};
      const auto count =
          std::count_if(boxes.begin(), boxes.end(), [&](const Aabb& box) {
            return Max(box.lo, Min(middle, box.hi)) == middle;
          });
      is_inside_.push_back(rule == InsideRule::kParity ? count % 2 != 0
                                                       : count != 0);
    }
  }

  // Expected kind of solids that have common cells; "" if they have none.
  static std::string KindOf(const Cells& a, const Cells& b) {
    bool shared = false;
    bool more_a = false;
    bool more_b = false;
    for (size_t i = 0; i < a.is_inside_.size(); ++i) {
      shared = shared || (a.is_inside_[i] && b.is_inside_[i]);
      more_a = more_a || (a.is_inside_[i] && !b.is_inside_[i]);
      more_b = more_b || (!a.is_inside_[i] && b.is_inside_[i]);
    }
    if (!shared) return "";
    return more_a ? (more_b ? "clash" : "second inside")
                  : (more_b ? "first inside" : "duplicate");
  }

 private:
  std::vector<bool> is_inside_;
};

// Divisions of the faces of a box into triangles.
enum class Division { kOneWay, kOtherWay, kMixed, kFromMiddle };

Mesh Divided(const std::vector<Aabb>& boxes, Division division) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (const Aabb& box : boxes) {
    const auto first = static_cast<uint32_t>(vertices.size());
    for (int i = 0; i < 8; ++i) {
      vertices.push_back({(i & 1) != 0 ? box.hi.x : box.lo.x,
                          (i & 2) != 0 ? box.hi.y : box.lo.y,
                          (i & 4) != 0 ? box.hi.z : box.lo.z});
    }
    static constexpr std::array<std::array<uint32_t, 4>, 6> kFaces{
        {{0, 2, 3, 1},
         {4, 5, 7, 6},
         {0, 1, 5, 4},
         {2, 6, 7, 3},
         {0, 4, 6, 2},
         {1, 3, 7, 5}}};
    for (size_t f = 0; f < kFaces.size(); ++f) {
      std::array<uint32_t, 4> q = kFaces[f];
      for (uint32_t& v : q) v += first;
      if (division == Division::kFromMiddle) {
        const auto middle = static_cast<uint32_t>(vertices.size());
        vertices.push_back((vertices[q[0]] + vertices[q[2]]) * 0.5);
        for (size_t k = 0; k < 4; ++k) {
          triangles.push_back({q[k], q[(k + 1) % 4], middle});
        }
        continue;
      }
      if (division == Division::kOtherWay ||
          (division == Division::kMixed && f % 2 == 0)) {
        std::rotate(q.begin(), q.begin() + 1, q.end());
      }
      triangles.push_back({q[0], q[1], q[2]});
      triangles.push_back({q[0], q[2], q[3]});
    }
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

Mesh Moved(const Mesh& mesh, const Pose& pose) {
  std::vector<Vec3> vertices;
  for (const Vec3& v : mesh.vertices()) vertices.push_back(pose.Apply(v));
  return meshes::Make(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()});
}

// Unions of boxes, with copies of all or some of the boxes whose faces are
// divided otherwise.
void ExpectKinds(InsideRule rule, double tolerance, const Pose& pose,
                 int count) {
  meshes::Random random(1);
  for (int i = 0; i < count; ++i) {
    const std::vector<Aabb> boxes = FlushBoxes(random);
    const Tree a = trees::Make(Divided(boxes, Division::kOneWay));
    for (const Division division :
         {Division::kOtherWay, Division::kMixed, Division::kFromMiddle}) {
      for (size_t kept = 1; kept <= boxes.size(); ++kept) {
        SCOPED_TRACE(testing::Message() << i << ", " << kept << " kept");
        const std::vector<Aabb> others(
            boxes.begin(), boxes.begin() + static_cast<ptrdiff_t>(kept));
        const std::string expected =
            Cells::KindOf(Cells(boxes, rule), Cells(others, rule));
        if (expected.empty()) continue;
        const Tree b = trees::Make(Divided(others, division));
        const Clash clash = ClashOf(PosedTree::Create(a, pose).value(),
                                    PosedTree::Create(b, pose).value(),
                                    {.tolerance = tolerance, .inside = rule});
        EXPECT_EQ(NameOf(clash.kind), expected);
        EXPECT_FALSE(clash.is_undecided);
      }
    }
  }
}

const Pose kTurn = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7);

TEST(DividedFacesTest, KindsAreThoseOfTheCells) {
  ExpectKinds(InsideRule::kWinding, 0, Pose(), 10);
  ExpectKinds(InsideRule::kWinding, 1e-6, Pose(), 5);
}

TEST(DividedFacesTest, OnePoseForBothChangesNoKind) {
  ExpectKinds(InsideRule::kWinding, 0, kTurn, 4);
}

TEST(DividedFacesTest, KindsByParityAreThoseOfTheCells) {
  ExpectKinds(InsideRule::kParity, 0, Pose(), 4);
  ExpectKinds(InsideRule::kParity, 1e-6, Pose(), 2);
}

// Rounded in two ways, coincident faces are apart by some roundings.
TEST(DividedFacesTest, CopiesRoundedInTwoWaysAreDuplicates) {
  const std::vector<Aabb> boxes{
      {{0, 0, 0}, {3, 3, 3}}, {{3, 3, 0}, {5, 4, 2}}, {{1, 3, 2}, {2, 5, 5}}};
  const Tree a = trees::Make(Divided(boxes, Division::kOneWay));
  const Pose moved = Pose::Rotation({0, 0, 1}, 0, {1, 0, 0});
  const Tree b = trees::Make(
      Moved(Moved(Divided(boxes, Division::kFromMiddle), moved), kTurn));
  Pose back = kTurn;
  back.translation = kTurn.Apply(Vec3{1, 0, 0});
  for (const InsideRule rule : {InsideRule::kWinding, InsideRule::kParity}) {
    const Clash clash =
        ClashOf(PosedTree::Create(a, back).value(), b, {.inside = rule});
    EXPECT_EQ(clash.kind, ClashKind::kDuplicate);
    EXPECT_FALSE(clash.is_undecided);
    EXPECT_LE(clash.thickness.lower, 3 + 1e-9);
    EXPECT_GE(clash.thickness.upper, 3 - 1e-9);
  }
}

// By parity, shells that are flush are one: their common face is no boundary.
TEST(DividedFacesTest, ThicknessByParityIsEnclosedWhereShellsAreFlush) {
  const Aabb below{{0, 0, 0}, {4, 4, 1}};
  const Aabb above{{0, 0, 1}, {4, 4, 2}};
  const Mesh both = meshes::Joined(Divided({below}, Division::kOneWay),
                                   Divided({above}, Division::kOtherWay));
  const Tree slabs = trees::Make(both);
  constexpr InsideRule parity = InsideRule::kParity;
  const MeasureBounds flush =
      ThicknessOfShared(slabs, slabs, {}, parity).thickness;
  EXPECT_GE(flush.lower, 0.98);  // of one slab
  EXPECT_LE(flush.lower, 2);
  EXPECT_GE(flush.upper, 2);
  // Shells that are not flush are measured as closely as requested.
  const Tree apart = trees::Make(
      meshes::Joined(Divided({below}, Division::kOneWay),
                     Divided({{{0, 0, 1.5}, {4, 4, 2}}}, Division::kOtherWay)));
  const MeasureBounds close =
      ThicknessOfShared(apart, apart, {}, parity).thickness;
  EXPECT_LE(close.lower, 1);
  EXPECT_GE(close.upper, 1);
  EXPECT_LE(close.upper, 1.011 * close.lower);
  const MeasureBounds winding = ThicknessOfShared(slabs, slabs, {}).thickness;
  EXPECT_LE(winding.lower, 2);
  EXPECT_GE(winding.upper, 2);
  EXPECT_LE(winding.upper, 1.011 * winding.lower);
}

}  // namespace
}  // namespace orbox
