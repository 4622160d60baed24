// SPDX-License-Identifier: Apache-2.0

// Differential fuzzing of the triangles that overlap a region: as
// mesh_queries_fuzz.h, which chooses the region.
#ifndef ORBOX_TESTS_FUZZ_REGION_QUERIES_FUZZ_H_
#define ORBOX_TESTS_FUZZ_REGION_QUERIES_FUZZ_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/overlap/triangles/half_spaces.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/fuzzed_tree.h"
#include "tests/fuzz/require.h"
#include "tests/support/brute_force.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/special_numbers.h"

namespace orbox {

class RegionQueriesFuzz : private FuzzedTree {
 public:
  using FuzzedTree::FuzzedTree;

  void RunBall();
  void RunBox();
  void RunObb();
  void RunHalfSpaces();

 private:
  template <typename Shape>
  void CheckRange(const Shape& shape, const std::vector<uint32_t>& expected);
};

// Implementation.

template <typename Shape>
void RegionQueriesFuzz::CheckRange(const Shape& shape,
                                   const std::vector<uint32_t>& expected) {
  // A batch refuses what ends a plain query.
  const Region region(shape);
  if (!AnyOverlap(tree_, std::span<const Region>(&region, 1)).ok()) {
    Require(expected.empty(), "what is refused is not valid");
    return;
  }
  TraversalStatistics statistics;
  Require(AllOverlaps(tree_, shape) == expected, "what is in range");
  Require(AllOverlaps(tree_, shape, {.statistics = &statistics}).value() ==
              expected,
          "what is in range, counted");
  Require(statistics.triangle_tests ==
              statistics.settled_by_float + statistics.settled_by_double +
                  statistics.settled_by_expansion + statistics.settled_by_exact,
          "each test is settled once");
  Require(CountOverlaps(tree_, shape) == expected.size(), "how much is");
  Require(AnyOverlap(tree_, shape) == !expected.empty(), "whether any is");
  std::vector<uint32_t> ids;
  AppendOverlaps(tree_, shape, &ids, IdOrder::kOfTree);
  std::sort(ids.begin(), ids.end());
  Require(ids == expected, "what is in range, in the tree's order");
}

inline void RegionQueriesFuzz::RunBall() {
  Sphere ball;
  ball.center = in_.PointNear(mesh_);
  ball.radius = in_.LengthNear(mesh_, ball.center);
  std::vector<uint32_t> expected;
  if (IsValid(ball)) {
    expected = brute_force::InRange(mesh_, ball);
    if (IsJudged()) {
      const Triangle t = AnyTriangle();
      const oracle::Rational r = ball.radius;
      Require(Overlaps(ball, t) ==
                  (oracle::SquaredDistance(ball.center, t) <= r * r),
              "a ball and a triangle, in rational arithmetic");
    }
  } else if (IsFinite(ball.center) && ball.radius == kInf) {
    ball.radius = kInf;
    for (uint32_t i = 0; i < mesh_.triangle_count(); ++i) expected.push_back(i);
  }
  CheckRange(ball, expected);
}

inline void RegionQueriesFuzz::RunBox() {
  const Vec3 p = in_.PointNear(mesh_);
  const Vec3 q = in_.Below(4) == 0 ? p : in_.PointNear(mesh_);
  const Aabb box = in_.Below(16) == 0 ? Aabb{p, q} : Aabb{Min(p, q), Max(p, q)};
  // Infinite sides are beyond all vertices, and so is the largest double,
  // except for vertices that have it.
  constexpr double kMost = std::numeric_limits<double>::max();
  Aabb finite = box;
  bool is_empty = false;
  for (size_t i = 0; i < 3; ++i) {
    is_empty = is_empty || !(box.lo[i] <= box.hi[i]) || box.lo[i] == kInf ||
               box.hi[i] == -kInf;
    finite.lo[i] = std::max(box.lo[i], -kMost);
    finite.hi[i] = std::min(box.hi[i], kMost);
  }
  std::vector<uint32_t> expected;
  if (!is_empty) {
    expected = brute_force::InRange(mesh_, finite);
    if (IsJudged()) {
      const Triangle t = AnyTriangle();
      Require(Overlaps(finite, t) == oracle::Overlaps(finite, t),
              "a box and a triangle, in rational arithmetic");
    }
  }
  CheckRange(box, expected);
}

inline void RegionQueriesFuzz::RunObb() {
  Obb box = in_.BoxNear(mesh_);
  for (size_t i = 0; i < 3; ++i) {
    if (!std::isfinite(box.half_extents[i])) box.half_extents[i] = 1;
  }
  std::vector<uint32_t> expected;
  if (IsValid(box)) {
    expected = brute_force::InRange(mesh_, box);
    if (IsJudged()) {
      const Triangle t = AnyTriangle();
      Require(Overlaps(box, t) == oracle::Overlaps(box, t),
              "an oriented box and a triangle, in rational arithmetic");
    }
  }
  CheckRange(box, expected);
}

inline void RegionQueriesFuzz::RunHalfSpaces() {
  std::vector<HalfSpace> set(in_.Below(8));
  for (HalfSpace& h : set) {
    h.normal = in_.Direction();
    const Vec3 p = in_.PointNear(mesh_);
    h.offset = in_.Nudged(Dot(h.normal, p));
    if (in_.Below(32) == 0) h.offset = in_.LengthNear(mesh_, p);
  }
  std::vector<HalfSpace> finite;
  bool is_empty = false;
  for (const HalfSpace& h : set) {
    if (IsFinite(h.normal) && h.offset == kInf) continue;
    is_empty = is_empty || !IsValid(h);
    finite.push_back(h);
  }
  CheckRange(HalfSpaces(set),
             is_empty ? std::vector<uint32_t>()
                      : brute_force::InRange(mesh_, HalfSpaces(finite)));
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_REGION_QUERIES_FUZZ_H_
