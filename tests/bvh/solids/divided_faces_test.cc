// SPDX-License-Identifier: Apache-2.0

// Kinds of solids whose faces are flush, and divided into other triangles.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/solids/clash.h"
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
      const auto count = std::count_if(
          boxes.begin(), boxes.end(),
          [&](const Aabb& box) { return Max(box.lo, Min(middle, box.hi)) == middle; });
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
        {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
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

void ExpectKinds(InsideRule rule, double tolerance, const Pose& pose,
                 uint64_t seed, int count) {
  meshes::Random random(seed);
  int wrong = 0, all = 0, und = 0; double worst_time = 0, total = 0;
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    const std::vector<Aabb> boxes = FlushBoxes(random);
    const Tree a = trees::Make(Divided(boxes, Division::kOneWay));
    for (const Division division :
         {Division::kOtherWay, Division::kMixed, Division::kFromMiddle}) {
      for (size_t kept = 1; kept <= boxes.size(); ++kept) {
        const std::vector<Aabb> others(boxes.begin(), boxes.begin() + kept);
        const std::string expected =
            Cells::KindOf(Cells(boxes, rule), Cells(others, rule));
        if (expected.empty()) continue;
        const Tree b = trees::Make(Divided(others, division));
        const auto t0 = std::chrono::steady_clock::now();
        const Clash clash = ClashOf(PosedTree::Create(a, pose).value(),
                                    PosedTree::Create(b, pose).value(),
                                    {.tolerance = tolerance, .inside = rule});
        ++all;
        const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
        worst_time = std::max(worst_time, took); total += took;
        und += clash.is_undecided;
        if (NameOf(clash.kind) != expected) {
          ++wrong;
          if (wrong < 6) fprintf(stderr, "  %d kept %zu div %d %s not %s boxes %zu\n", i, kept, (int)division, std::string(NameOf(clash.kind)).c_str(), expected.c_str(), boxes.size());
          if (wrong < 6) for (const Aabb& b : boxes) fprintf(stderr, "   %g %g %g .. %g %g %g\n", b.lo.x,b.lo.y,b.lo.z,b.hi.x,b.hi.y,b.hi.z);
        }
      }
    }
  }
  fprintf(stderr, "rule %d tol %g: %d of %d wrong undecided %d; worst %g total %g\n", (int)rule, tolerance, wrong, all, und, worst_time, total);
}

TEST(DividedFacesTest, Explore) {
  const Pose turn = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7);
  ExpectKinds(InsideRule::kWinding, 0, Pose(), 1, 12);
  ExpectKinds(InsideRule::kWinding, 1e-6, Pose(), 1, 12);
  ExpectKinds(InsideRule::kWinding, 0, turn, 1, 6);
  ExpectKinds(InsideRule::kParity, 0, Pose(), 1, 6);
  ExpectKinds(InsideRule::kParity, 1e-6, Pose(), 1, 6);
}

}  // namespace
}  // namespace orbox
