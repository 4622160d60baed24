// SPDX-License-Identifier: Apache-2.0

// Overlap tests for a sphere and a box: the paper's vector kernels, with three
// axes at once and one branch at the end.
//
//   if (OverlapsSse(ball, box)) ...              // exact up to rounding
//   if (OverlapsConservativeSse(ball, box)) ...  // may accept too much
//
// After Larsson, Akenine-Moller and Lengyel, "On Faster Sphere-Box Overlap
// Testing", journal of graphics tools 12:1, 2007, section 3. In float. They
// require valid shapes and count touching as overlap. Each is equal, bit for
// bit, to a scalar function with the same order of operations: OverlapsSse to
// OverlapsBranchEliminated without its early exits (AABB) and to OverlapsFolded
// (OBB), the conservative kernels to OverlapsConservative. They need SSE2. On
// other architectures the same operations run one axis after the other. Pure
// and thread-safe.
//
// Loads: Spheref is x, y, z, r and fills one register. A box is read in whole
// registers inside the object; the fourth lane is not used.
#ifndef ORBOX_OVERLAP_BOXES_SPHERE_SSE_H_
#define ORBOX_OVERLAP_BOXES_SPHERE_SSE_H_

#include <limits>

#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/boxes/sphere_aabb.h"
#include "orbox/overlap/boxes/sphere_obb.h"
#include "orbox/overlap/shapes/shapes.h"

#if defined(__SSE2__) || defined(_M_X64)
#define ORBOX_HAS_SSE2 1
#include <emmintrin.h>
#else
#define ORBOX_HAS_SSE2 0
#endif

namespace orbox {

bool OverlapsSse(const Spheref& s, const Aabbf& b);
bool OverlapsConservativeSse(const Spheref& s, const Aabbf& b);
bool OverlapsSse(const Spheref& s, const Obbf& b);
bool OverlapsConservativeSse(const Spheref& s, const Obbf& b);

// Implementation details from here on.

// The kernels load across the boundary between two members.
static_assert(sizeof(Spheref) == 16 && sizeof(Aabbf) == 24 &&
              sizeof(Obbf) == 60);

#if ORBOX_HAS_SSE2

namespace internal {

// Returns lane i of `v` in every lane.
template <int i>
__m128 Broadcast(__m128 v) {
  return _mm_shuffle_ps(v, v, _MM_SHUFFLE(i, i, i, i));
}

// Loads four floats of `object`, from the given offset on. `object` is read as
// plain bytes, because the load extends beyond one member.
template <typename Object>
__m128 LoadAt(const Object& object, size_t offset_in_floats) {
  return _mm_castsi128_ps(_mm_loadu_si128(
      reinterpret_cast<const __m128i*>(reinterpret_cast<const char*>(&object) +
                                       offset_in_floats * sizeof(float))));
}

// Returns lanes 1, 2, 3 in lanes 0, 1, 2.
inline __m128 DropLowest(__m128 v) {
  return _mm_castsi128_ps(_mm_srli_si128(_mm_castps_si128(v), 4));
}

// Returns (x + y) + z, in the lowest lane.
inline __m128 SumOfAxes(__m128 v) {
  return _mm_add_ss(_mm_add_ss(v, Broadcast<1>(v)), Broadcast<2>(v));
}

// Returns max(x, y, z), in each of the three lanes.
inline __m128 MaxOfAxes(__m128 v) {
  const __m128 yzx = _mm_shuffle_ps(v, v, _MM_SHUFFLE(3, 0, 2, 1));
  const __m128 zxy = _mm_shuffle_ps(v, v, _MM_SHUFFLE(3, 1, 0, 2));
  return _mm_max_ps(_mm_max_ps(v, yzx), zxy);
}

inline __m128 AbsOf(__m128 v) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), v); }

// Tests e.x^2 + e.y^2 + e.z^2 <= r^2, with r in the last lane of `sphere`.
inline bool LengthIsWithinRadius(__m128 e, __m128 sphere) {
  const __m128 d = SumOfAxes(_mm_mul_ps(e, e));
  const __m128 r = Broadcast<3>(sphere);
  return _mm_comile_ss(d, _mm_mul_ss(r, r)) != 0;
}

// Returns |v . axes[i]| in lane i, with v the vector between the centres. The
// products are transposed, so that the sums for all axes run in parallel, each
// in the order of Dot.
inline __m128 FoldedIntoFrame(__m128 sphere, const Obbf& b) {
  const __m128 v = _mm_sub_ps(LoadAt(b, 0), sphere);
  const __m128 p0 = _mm_mul_ps(v, LoadAt(b, 3));
  const __m128 p1 = _mm_mul_ps(v, LoadAt(b, 6));
  const __m128 p2 = _mm_mul_ps(v, LoadAt(b, 9));
  const __m128 xy = _mm_unpacklo_ps(p0, p1);  // p0x p1x p0y p1y
  const __m128 zw = _mm_unpackhi_ps(p0, p1);  // p0z p1z ...
  const __m128 x = _mm_movelh_ps(xy, p2);
  const __m128 y = _mm_shuffle_ps(xy, p2, _MM_SHUFFLE(1, 1, 3, 2));
  const __m128 z = _mm_shuffle_ps(zw, p2, _MM_SHUFFLE(2, 2, 1, 0));
  return AbsOf(_mm_add_ps(_mm_add_ps(x, y), z));
}

inline __m128 HalfExtentsOf(const Obbf& b) { return DropLowest(LoadAt(b, 11)); }

}  // namespace internal

inline bool OverlapsSse(const Spheref& s, const Aabbf& b) {
  const __m128 c = internal::LoadAt(s, 0);
  const __m128 lo = internal::LoadAt(b, 0);
  const __m128 hi = internal::DropLowest(internal::LoadAt(b, 2));
  const __m128 zero = _mm_setzero_ps();
  const __m128 e = _mm_add_ps(_mm_max_ps(_mm_sub_ps(lo, c), zero),
                              _mm_max_ps(_mm_sub_ps(c, hi), zero));
  return internal::LengthIsWithinRadius(e, c);
}

inline bool OverlapsConservativeSse(const Spheref& s, const Aabbf& b) {
  const __m128 c = internal::LoadAt(s, 0);
  const __m128 lo = internal::LoadAt(b, 0);
  const __m128 hi = internal::DropLowest(internal::LoadAt(b, 2));
  const __m128 e = _mm_max_ps(_mm_sub_ps(lo, c), _mm_sub_ps(c, hi));
  const __m128 beyond = _mm_cmpgt_ps(e, internal::Broadcast<3>(c));
  return (_mm_movemask_ps(beyond) & 7) == 0;
}

inline bool OverlapsSse(const Spheref& s, const Obbf& b) {
  const __m128 c = internal::LoadAt(s, 0);
  const __m128 e =
      _mm_sub_ps(internal::FoldedIntoFrame(c, b), internal::HalfExtentsOf(b));
  return internal::LengthIsWithinRadius(_mm_max_ps(_mm_setzero_ps(), e), c);
}

inline bool OverlapsConservativeSse(const Spheref& s, const Obbf& b) {
  const __m128 c = internal::LoadAt(s, 0);
  const __m128 folded = internal::FoldedIntoFrame(c, b);
  // The margin is derived at OverlapsConservative in sphere_obb.h.
  const __m128 margin = _mm_mul_ps(internal::MaxOfAxes(folded),
                                   _mm_set1_ps(32 * kRoundoffOf<float>));
  const __m128 reach =
      _mm_add_ps(_mm_add_ps(internal::Broadcast<3>(c),
                            _mm_set1_ps(std::numeric_limits<float>::min())),
                 margin);
  const __m128 e = _mm_sub_ps(folded, internal::HalfExtentsOf(b));
  return (_mm_movemask_ps(_mm_cmpgt_ps(e, reach)) & 7) == 0;
}

#else  // ORBOX_HAS_SSE2

inline bool OverlapsSse(const Spheref& s, const Aabbf& b) {
  const Vec3f zero;
  return SquaredNorm(Max(b.lo - s.center, zero) + Max(s.center - b.hi, zero)) <=
         s.radius * s.radius;
}

inline bool OverlapsConservativeSse(const Spheref& s, const Aabbf& b) {
  return OverlapsConservative(s, b);
}

inline bool OverlapsSse(const Spheref& s, const Obbf& b) {
  return OverlapsFolded(s, b);
}

inline bool OverlapsConservativeSse(const Spheref& s, const Obbf& b) {
  return OverlapsConservative(s, b);
}

#endif  // ORBOX_HAS_SSE2

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_SPHERE_SSE_H_
