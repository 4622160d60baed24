// SPDX-License-Identifier: Apache-2.0

// Fits volumes around the corners of leaves. They are rounded outward, so that
// they contain the corners.
//
//   BoxRows rows = FitBoxes(children, frame);     // one box per child and lane
//   Spheref ball = FitSphere(leaves);
//
// A leaf's corners are floats within 2^-24 of the exact ones (tree/node.h),
// which are at most 1. The volumes contain the exact ones. Private; compiled
// once per instruction set (overlap/internal/lanes/lanes-inl.h). No set of
// leaves may be empty.
#if defined(ORBOX_BVH_BUILD_INTERNAL_FIT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_BUILD_INTERNAL_FIT_INL_H_
#undef ORBOX_BVH_BUILD_INTERNAL_FIT_INL_H_
#else
#define ORBOX_BVH_BUILD_INTERNAL_FIT_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/box_row-inl.h"
#include "orbox/bvh/build/internal/frame.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Lower bounds x, y, z, then upper bounds x, y, z, one child per lane.
struct BoxRows {
  F8 row[6];
};

// The leaves below each child, for one to eight children.
using LeavesOfChildren = std::span<const std::span<const Leaf>>;

// Returns boxes around frame * p for all corners p below each child. Lanes
// after the last child repeat the first.
BoxRows FitBoxes(LeavesOfChildren children, const Matrix3<float>& frame);

// Returns the boxes of FitBoxes, computed by all threads. Worthwhile for
// thousands of leaves.
BoxRows FitBoxesTogether(LeavesOfChildren children, const Matrix3<float>& frame,
                         const Workers& workers);

// Returns boxes around every `step`-th leaf of each child, starting with the
// first. They are inside the boxes of FitBoxes.
BoxRows FitSomeLeaves(LeavesOfChildren children, const Matrix3<float>& frame,
                      size_t step);

// FitBoxes for the identity frame, slightly tighter.
BoxRows FitBoxes(LeavesOfChildren children);

// Returns a ball around all corners, a few per cent larger than the smallest
// one. Starts with Ritter's first ball, and moves it towards the farthest
// corner (Badoiu and Clarkson, "Smaller core-sets for balls", 2003).
Spheref FitSphere(std::span<const Leaf> leaves);

// Implementation.

// The least and the greatest coordinates of all points added.
struct PointExtent {
  V8 least;
  V8 greatest;
};

HWY_INLINE void Grow(const V8& p, PointExtent& e) {
  e.least = {Min(e.least.x, p.x), Min(e.least.y, p.y), Min(e.least.z, p.z)};
  e.greatest = {Max(e.greatest.x, p.x), Max(e.greatest.y, p.y),
                Max(e.greatest.z, p.z)};
}

template <typename Turn>
HWY_INLINE BoxRows FitTurned(LeavesOfChildren children, float margin,
                             size_t step, Turn turn) {
  F8 least[3][kLanes];
  F8 greatest[3][kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    if (lane >= children.size()) {
      for (size_t k = 0; k < 3; ++k) {
        least[k][lane] = least[k][0];
        greatest[k][lane] = greatest[k][0];
      }
      continue;
    }
    const F8 infinity = Set8(std::numeric_limits<float>::infinity());
    const F8 below = Zero8() - infinity;
    PointExtent e{{infinity, infinity, infinity}, {below, below, below}};
    for (size_t i = 0; i < children[lane].size(); i += step) {
      const T8 t = LoadTriangles(children[lane][i].rows);
      Grow(turn(t.a), e);
      Grow(turn(t.b), e);
      Grow(turn(t.c), e);
    }
    least[0][lane] = e.least.x;
    least[1][lane] = e.least.y;
    least[2][lane] = e.least.z;
    greatest[0][lane] = e.greatest.x;
    greatest[1][lane] = e.greatest.y;
    greatest[2][lane] = e.greatest.z;
  }
  BoxRows rows;
  for (size_t k = 0; k < 3; ++k) {
    rows.row[k] = LeastLanes(least[k]) - Set8(margin);
    rows.row[k + 3] = LargestLanes(greatest[k]) + Set8(margin);
  }
  return rows;
}

inline BoxRows FitBoxes(LeavesOfChildren children) {
  // Error bound: 2^-24 for the corners, and 2^-24 for the subtraction.
  return FitTurned(children, 0x1p-23f, 1,
                   [](const V8& p) HWY_ATTR { return p; });
}

inline BoxRows FitSomeLeaves(LeavesOfChildren children,
                             const Matrix3<float>& frame, size_t step) {
  const V8 x = Set8x3(frame[0]);
  const V8 y = Set8x3(frame[1]);
  const V8 z = Set8x3(frame[2]);
  // Error bound, in units of 2^-24. A row of the frame, of length 1, turns an
  // error of 1 in each coordinate into up to 1.8. Three products of terms up to
  // 1 add a half each. Two sums and the last subtraction, below 2, add 1 each.
  // The sum is 6.3. The code allows for 8.
  return FitTurned(children, 0x1p-21f, step, [&](const V8& p) HWY_ATTR {
    return V8{Dot(x, p), Dot(y, p), Dot(z, p)};
  });
}

inline BoxRows FitBoxes(LeavesOfChildren children,
                        const Matrix3<float>& frame) {
  return FitSomeLeaves(children, frame, 1);
}

inline BoxRows FitBoxesTogether(LeavesOfChildren children,
                                const Matrix3<float>& frame,
                                const Workers& workers) {
  if (workers.count() == 1) return FitBoxes(children, frame);
  constexpr size_t kTaskSize = 256;  // leaves
  struct Task {
    size_t lane;
    std::span<const Leaf> leaves;
    float lo[3];
    float hi[3];
  };
  std::vector<Task> tasks;
  for (size_t lane = 0; lane < children.size(); ++lane) {
    const std::span<const Leaf> leaves = children[lane];
    for (size_t begin = 0; begin < leaves.size(); begin += kTaskSize) {
      tasks.push_back(
          {lane,
           leaves.subspan(begin, std::min(kTaskSize, leaves.size() - begin)),
           {},
           {}});
    }
  }
  // Fits eight pieces at a time, like the children of a node.
  workers.For(tasks.size(), kLanes, [&](size_t begin, size_t end) HWY_ATTR {
    std::array<std::span<const Leaf>, kLanes> leaves;
    for (size_t i = begin; i < end; ++i) leaves[i - begin] = tasks[i].leaves;
    const BoxRows rows = FitBoxes({leaves.data(), end - begin}, frame);
    alignas(32) float lanes[6][kLanes];
    for (size_t k = 0; k < 6; ++k) Store8(rows.row[k], lanes[k]);
    for (size_t i = begin; i < end; ++i) {
      for (size_t k = 0; k < 3; ++k) {
        tasks[i].lo[k] = lanes[k][i - begin];
        tasks[i].hi[k] = lanes[k + 3][i - begin];
      }
    }
  });
  // Equal, bit for bit, to the result of one loop, because rounding is
  // monotonic.
  alignas(32) float lanes[6][kLanes];
  for (size_t k = 0; k < 3; ++k) {
    std::fill_n(lanes[k], kLanes, std::numeric_limits<float>::infinity());
    std::fill_n(lanes[k + 3], kLanes, -std::numeric_limits<float>::infinity());
    for (const Task& task : tasks) {
      float& lo = lanes[k][task.lane];
      float& hi = lanes[k + 3][task.lane];
      lo = std::min(lo, task.lo[k]);
      hi = std::max(hi, task.hi[k]);
    }
    for (size_t lane = children.size(); lane < kLanes; ++lane) {
      lanes[k][lane] = lanes[k][0];
      lanes[k + 3][lane] = lanes[k + 3][0];
    }
  }
  BoxRows rows;
  for (size_t k = 0; k < 6; ++k) rows.row[k] = Load8(lanes[k]);
  return rows;
}

// The corner that is farthest from a point, and its squared distance.
struct Furthest {
  Vec3f corner;
  float squared;
};

inline Furthest FurthestFrom(const Vec3f& from, std::span<const Leaf> leaves) {
  const float origin[3] = {from.x, from.y, from.z};
  const V8 o = Set8x3(origin);
  F8 most = Set8(-1.0f);
  V8 where = o;
  const auto consider = [&](const V8& p) HWY_ATTR {
    const V8 d = p - o;
    const F8 squared = Dot(d, d);
    const M8 further = squared > most;
    where = Select(further, p, where);
    most = Max(most, squared);
  };
  for (const Leaf& leaf : leaves) {
    const T8 t = LoadTriangles(leaf.rows);
    consider(t.a);
    consider(t.b);
    consider(t.c);
  }
  alignas(32) float squares[kLanes];
  alignas(32) float corners[3][kLanes];
  Store8(most, squares);
  Store8(where.x, corners[0]);
  Store8(where.y, corners[1]);
  Store8(where.z, corners[2]);
  const auto lane = static_cast<size_t>(
      std::max_element(squares, squares + kLanes) - squares);
  return {{corners[0][lane], corners[1][lane], corners[2][lane]},
          squares[lane]};
}

inline Spheref FitSphere(std::span<const Leaf> leaves) {
  const Vec3f any{leaves[0].rows[0][0], leaves[0].rows[1][0],
                  leaves[0].rows[2][0]};
  const Vec3f one_end = FurthestFrom(any, leaves).corner;
  const Vec3f other_end = FurthestFrom(one_end, leaves).corner;
  Vec3f center = (one_end + other_end) * 0.5f;
  Vec3f best_center = center;
  float best_squared = std::numeric_limits<float>::infinity();
  // Step i moves the centre by 1 / (i + 1) of the distance. Eight steps bring
  // most balls to within 5 % of the smallest.
  constexpr int kSteps = 8;
  for (int i = 1; i <= kSteps; ++i) {
    const Furthest far = FurthestFrom(center, leaves);
    if (far.squared < best_squared) {
      best_squared = far.squared;
      best_center = center;
    }
    center += (far.corner - center) * (1.0f / static_cast<float>(i + 2));
  }
  // Error bound: differences of coordinates up to 1 have errors of 2^-24.
  // Squares, sums and the error of the corners add less than 4 times that and 4
  // parts in 2^24.
  const double radius = std::sqrt(static_cast<double>(best_squared));
  return {best_center, RoundUp(radius * (1 + 0x1p-21) + 0x1p-21)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_BUILD_INTERNAL_FIT_INL_H_
