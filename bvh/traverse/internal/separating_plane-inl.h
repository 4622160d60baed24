// SPDX-License-Identifier: Apache-2.0

// A plane that separates two leaves, one of each tree. For most pairs of leaves
// that are near each other, there is such a plane. Finding it costs a fraction
// of a test of their triangles.
//
//   SeparatingPlane plane(a_in_b);
//   if (plane.AreSeparated(a_leaf, b_leaf)) ...   // no overlap
//
// For queries that end at the first pair that overlaps.
//
// A direction is guessed, then certified. The first guess is the direction that
// last separated two leaves, because it also separates most of their
// neighbours. If it does not separate, it is reflected at the line between the
// two vertices that violate it, up to kReflections times: Chung, Wang, "Quick
// collision detection of polytopes in virtual environments", 1996. A result of
// true is certain for the exact vertices; false means undecided. Private;
// compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_SEPARATING_PLANE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_SEPARATING_PLANE_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_SEPARATING_PLANE_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_SEPARATING_PLANE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class SeparatingPlane {
 public:
  // Requires a map that outlives this object.
  explicit SeparatingPlane(const RelativeSpace& a_in_b) : a_in_b_(a_in_b) {}

  // Returns true if a plane certainly separates the triangles of a's leaf from
  // those of b's. For the first two leaves, only the direction between the
  // trees' middles is tried, because many queries end there.
  HWY_INLINE bool AreSeparated(const Leaf& a, const Leaf& b);

 private:
  // Upper bound of reflections. Further reflections separate few leaves.
  static constexpr int kReflections = 2;
  // If the leaves that were not separated outnumber the others by this, the
  // surfaces cross or touch. Then only the last direction is tried.
  static constexpr int kPatience = 4;
  // Upper bound of the sum of a direction's coordinates. For a unit vector,
  // this is the root of 3. Rounding lengthens a direction a little with each
  // reflection.
  static constexpr float kLongest = 2;

  // A direction of about unit length, from a to b.
  struct Direction {
    float to_b[3];  // in b's space
    float to_a[3];  // the reverse direction, in a's space
    float least;    // separates if the sum of the lowest heights is larger
  };

  // A vertex, and its height along a direction.
  struct Vertex {
    float height = std::numeric_limits<float>::infinity();
    float at[3];
  };

  // The heights of a leaf's vertices along a direction.
  struct Heights {
    F8 of_a, of_b, of_c;
    float lowest;

    HWY_INLINE Heights(const float (&direction)[3], const Leaf& leaf);
    HWY_INLINE Vertex LowestVertex(const Leaf& leaf) const;
  };

  // Tests the length, with a tolerance for a few more reflections.
  static bool IsOfUnitLength(const Direction& d) {
    return d.to_b[0] * d.to_b[0] + d.to_b[1] * d.to_b[1] +
               d.to_b[2] * d.to_b[2] <
           1.125f;
  }

  // Sets the direction between the origins of the two spaces. These are in the
  // middle of the trees.
  void SetFirstDirection();
  HWY_INLINE void SetDirection(const float (&to_b)[3], Direction* d) const;
  HWY_INLINE void Reflect(const Vertex& of_a, const Vertex& of_b,
                          Direction* d) const;
  bool FindDirection(const Leaf& a, const Leaf& b, Vertex of_a, Vertex of_b);

  const RelativeSpace& a_in_b_;
  float margin_ = 0;  // error bound of heights
  Direction last_;
  bool has_direction_ = false;
  int patience_ = kPatience;
};

// Implementation.

HWY_INLINE SeparatingPlane::Heights::Heights(const float (&direction)[3],
                                             const Leaf& leaf) {
  const V8 d = Set8x3(direction);
  const T8 t = LoadTriangles(leaf.rows);
  of_a = Dot(d, t.a);
  of_b = Dot(d, t.b);
  of_c = Dot(d, t.c);
  lowest = LowestValue(Min(Min(of_a, of_b), of_c));
}

HWY_INLINE auto SeparatingPlane::Heights::LowestVertex(const Leaf& leaf) const
    -> Vertex {
  const F8 least = Set8(lowest);
  const uint32_t bits = Bits(of_a <= least) | Bits(of_b <= least) << kLanes |
                        Bits(of_c <= least) << (2 * kLanes);
  const auto place = static_cast<uint32_t>(std::countr_zero(bits));
  const uint32_t row = 3 * (place / kLanes);
  const uint32_t lane = place % kLanes;
  return {lowest,
          {leaf.rows[row][lane], leaf.rows[row + 1][lane],
           leaf.rows[row + 2][lane]}};
}

inline void SeparatingPlane::SetFirstDirection() {
  float to_b[3];
  float squared = 0x1p-100f;
  float shift = 0;
  for (int k = 0; k < 3; ++k) {
    to_b[k] = -a_in_b_.shift[k];
    squared += to_b[k] * to_b[k];
    shift = std::max(shift, std::abs(to_b[k]));
  }
  // Error bound. A vertex has an error of vertex_error in each coordinate, and
  // the coordinates of a direction add up to at most kLongest. With u = 2^-24,
  // half of kUnit: each coordinate of a direction that is mapped back to a's
  // space has an error of 7 u of kLongest and the stretch, and is multiplied by
  // three coordinates of at most 1. Heights of vertices have errors of 3 u of
  // the direction's length, and heights of the shift 5 u. Volumes contain their
  // triangles in frames with errors of kFrameError. That adds 12 u of lengths,
  // and 21 u more are rounded there. The code uses twice the sum, which covers
  // the rounding here and that of comparing heights.
  margin_ = kLongest * (a_in_b_.vertex_error +
                        kUnit * ((21 + 33) * a_in_b_.stretch + 33 + 5 * shift));
  // If floats do not resolve the points, nothing is separated.
  if (a_in_b_.is_too_coarse()) patience_ = 0;
  const float unit = 1 / std::sqrt(squared);
  for (float& x : to_b) x *= unit;
  SetDirection(to_b, &last_);
}

HWY_INLINE void SeparatingPlane::SetDirection(const float (&to_b)[3],
                                              Direction* d) const {
  const Matrix3<float>& turn = a_in_b_.turn;
  float offset = 0;
  for (int k = 0; k < 3; ++k) {
    const float along =
        turn[0][k] * to_b[0] + turn[1][k] * to_b[1] + turn[2][k] * to_b[2];
    d->to_b[k] = to_b[k];
    d->to_a[k] = -a_in_b_.scale * along;
    offset += a_in_b_.shift[k] * to_b[k];
  }
  d->least = offset + margin_;
}

HWY_INLINE void SeparatingPlane::Reflect(const Vertex& of_a, const Vertex& of_b,
                                         Direction* d) const {
  float way[3];
  float squared = 0x1p-100f;
  float along = 0;
  for (int k = 0; k < 3; ++k) {
    const float* const row = a_in_b_.turn[k];
    const float moved =
        a_in_b_.scale *
            (row[0] * of_a.at[0] + row[1] * of_a.at[1] + row[2] * of_a.at[2]) +
        a_in_b_.shift[k];
    way[k] = of_b.at[k] - moved;
    squared += way[k] * way[k];
    along += way[k] * d->to_b[k];
  }
  const float factor = 2 * along / squared;
  float reflected[3];
  for (int k = 0; k < 3; ++k) reflected[k] = d->to_b[k] - factor * way[k];
  SetDirection(reflected, d);
}

HWY_INLINE bool SeparatingPlane::AreSeparated(const Leaf& a, const Leaf& b) {
  const bool is_first = !has_direction_;
  if (is_first) {
    has_direction_ = true;
    SetFirstDirection();
  }
  const Heights of_a(last_.to_a, a);
  const Heights of_b(last_.to_b, b);
  if (of_a.lowest + of_b.lowest > last_.least) {
    patience_ = std::min(patience_ + 1, 2 * kPatience);
    return true;
  }
  return !is_first && patience_ > 0 &&
         FindDirection(a, b, of_a.LowestVertex(a), of_b.LowestVertex(b));
}

HWY_NOINLINE inline bool SeparatingPlane::FindDirection(const Leaf& a,
                                                        const Leaf& b,
                                                        Vertex of_a,
                                                        Vertex of_b) {
  Direction next = last_;
  for (int i = 0; i < kReflections; ++i) {
    Reflect(of_a, of_b, &next);
    const Heights a_heights(next.to_a, a);
    const Heights b_heights(next.to_b, b);
    if (a_heights.lowest + b_heights.lowest > next.least) {
      last_ = next;
      if (HWY_UNLIKELY(!IsOfUnitLength(next))) SetFirstDirection();
      return true;
    }
    of_a = a_heights.LowestVertex(a);
    of_b = b_heights.LowestVertex(b);
  }
  patience_ -= 2;
  return false;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SEPARATING_PLANE_INL_H_
