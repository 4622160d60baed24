// SPDX-License-Identifier: Apache-2.0

// Frames for oriented boxes: the principal axes of a piece of surface, and of
// its normals. Eight pieces at a time.
//
//   SurfaceMoments moments = MomentsOf(leaves, false);
//   Frames frames[8];
//   FindFrames(&moments, 1, false, frames);
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_BUILD_INTERNAL_FRAMES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_BUILD_INTERNAL_FRAMES_INL_H_
#undef ORBOX_BVH_BUILD_INTERNAL_FRAMES_INL_H_
#else
#define ORBOX_BVH_BUILD_INTERNAL_FRAMES_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "hwy/highway.h"
#include "orbox/bvh/build/internal/frame.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the moments of the triangles in the leaves. Requires at least one
// leaf. If `only_of_normals`, sets only the area and the normals.
SurfaceMoments MomentsOf(std::span<const Leaf> leaves, bool only_of_normals);

// Sets the frames of `count` pieces, at most eight. If `only_of_normals`, sets
// only the frames of the normals. If a piece has almost no area, its frame is
// the identity.
void FindFrames(const SurfaceMoments* moments, size_t count,
                bool only_of_normals, Frames* frames);

// Implementation.

// Returns the sum of the lanes, added in a fixed order.
HWY_INLINE double SumOfLanes(const F8& a) {
  alignas(32) float lanes[kLanes];
  Store8(a, lanes);
  double sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

HWY_INLINE M8 UnusedLanes(const Leaf& leaf) {
  const U8::Mask is_unused = LoadU8(leaf.ids) == Set8(kNoTriangle);
  M8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::RebindMask(Part(), is_unused.part[i]);
  }
  return r;
}

inline SurfaceMoments MomentsOf(std::span<const Leaf> leaves,
                                bool only_of_normals) {
  // Coordinates are relative to a nearby corner, so that results do not lose
  // digits if the piece is far from the origin.
  const float corner[3] = {leaves[0].rows[0][0], leaves[0].rows[1][0],
                           leaves[0].rows[2][0]};
  const V8 origin = Set8x3(corner);
  const F8 tiny = Set8(std::numeric_limits<float>::min());
  F8 area = Zero8();
  F8 first[3] = {Zero8(), Zero8(), Zero8()};
  F8 second[6];
  F8 normals[6];
  std::fill(second, second + 6, Zero8());
  std::fill(normals, normals + 6, Zero8());
  for (const Leaf& leaf : leaves) {
    const T8 t = LoadTriangles(leaf.rows);
    const V8 a = t.a - origin;
    const V8 b = t.b - origin;
    const V8 c = t.c - origin;
    const V8 n = Cross(b - a, c - a);
    const F8 squared = Dot(n, n);
    // Lanes without a triangle have no area.
    const F8 doubled = ZeroOrSelect(UnusedLanes(leaf), Sqrt(squared));
    area = area + doubled;
    // n n^T / |n|: the product of the unit normal and its transpose, times the
    // area. 0 if n is 0.
    const F8 inverse = doubled / Max(squared, tiny);
    const F8 ns[3] = {n.x, n.y, n.z};
    for (size_t k = 0; k < 6; ++k) {
      const auto [i, j] = kSymmetricPairs[k];
      normals[k] = normals[k] + ns[i] * ns[j] * inverse;
    }
    if (only_of_normals) continue;
    const V8 sum = a + b + c;
    const F8 third = doubled * Set8(1.0f / 3);
    const F8 twelfth = doubled * Set8(1.0f / 12);
    const F8 as[3] = {a.x, a.y, a.z};
    const F8 bs[3] = {b.x, b.y, b.z};
    const F8 cs[3] = {c.x, c.y, c.z};
    const F8 sums[3] = {sum.x, sum.y, sum.z};
    for (size_t k = 0; k < 3; ++k) first[k] = first[k] + sums[k] * third;
    for (size_t k = 0; k < 6; ++k) {
      const auto [i, j] = kSymmetricPairs[k];
      // The mean of x y over a triangle is (sum of corners' x y + sum x sum y)
      // / 12.
      second[k] = second[k] + twelfth * (as[i] * as[j] + bs[i] * bs[j] +
                                         cs[i] * cs[j] + sums[i] * sums[j]);
    }
  }
  SurfaceMoments m{};
  m.area = SumOfLanes(area);
  if (!(m.area > 0)) return {};
  for (size_t k = 0; k < 6; ++k) m.normals[k] = SumOfLanes(normals[k]);
  if (only_of_normals) return m;
  const Vec3 local =
      Vec3{SumOfLanes(first[0]), SumOfLanes(first[1]), SumOfLanes(first[2])} *
      (1 / m.area);
  m.mean = local + Vec3{corner[0], corner[1], corner[2]};
  for (size_t k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetricPairs[k];
    m.spread[k] = SumOfLanes(second[k]) - m.area * local[i] * local[j];
  }
  return m;
}

// Eight symmetric matrices, and the columns of eight rotations.
struct Symmetric8 {
  F8 m[3][3];
};
struct Rotations8 {
  F8 v[3][3];
};

// One Jacobi rotation, which makes m[p][q] zero.
HWY_INLINE void Rotate(size_t p, size_t q, Symmetric8& a, Rotations8& v) {
  const F8 zero = Zero8();
  const F8 one = Set8(1.0f);
  const F8 d = a.m[q][q] - a.m[p][p];
  const F8 twice = a.m[p][q] + a.m[p][q];
  // The tangent of the smaller one of two angles. Numerator and denominator are
  // both 0 only if m[p][q] is already 0.
  const F8 denominator = Max(Abs(d) + Sqrt(d * d + twice * twice),
                             Set8(std::numeric_limits<float>::min()));
  const F8 t = Select(d < zero, zero - twice, twice) / denominator;
  const F8 c = one / Sqrt(t * t + one);
  const F8 s = t * c;
  const F8 change = t * a.m[p][q];
  a.m[p][p] = a.m[p][p] - change;
  a.m[q][q] = a.m[q][q] + change;
  a.m[p][q] = a.m[q][p] = zero;
  const size_t r = 3 - p - q;
  const F8 rp = a.m[r][p];
  const F8 rq = a.m[r][q];
  a.m[r][p] = a.m[p][r] = c * rp - s * rq;
  a.m[r][q] = a.m[q][r] = s * rp + c * rq;
  for (size_t k = 0; k < 3; ++k) {
    const F8 kp = v.v[k][p];
    const F8 kq = v.v[k][q];
    v.v[k][p] = c * kp - s * kq;
    v.v[k][q] = s * kp + c * kq;
  }
}

// Returns the eigenvectors of each eight matrices, as columns. Each rotation
// depends on the one before. So two sets of eight, interleaved, take little
// more time than one.
template <size_t kEights>
HWY_INLINE std::array<Rotations8, kEights> Eigenvectors(
    std::array<Symmetric8, kEights> a, int sweeps) {
  std::array<Rotations8, kEights> v;
  for (Rotations8& eight : v) {
    for (size_t i = 0; i < 3; ++i) {
      for (size_t j = 0; j < 3; ++j) eight.v[i][j] = i == j ? 1.0f : 0.0f;
    }
  }
  const auto rotate = [&](size_t p, size_t q) HWY_ATTR {
    for (size_t e = 0; e < kEights; ++e) Rotate(p, q, a[e], v[e]);
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    rotate(0, 1);
    rotate(1, 2);
    rotate(0, 2);
  }
  return v;
}

// Loads matrices, scaled so that the magnitude of all entries is at most 1.
HWY_INLINE Symmetric8 Load(const Symmetric* const (&matrices)[kLanes]) {
  alignas(32) float rows[6][kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const Symmetric& m = *matrices[lane];
    const double trace = m[0] + m[1] + m[2];
    const double scale = trace > 0 ? 1 / trace : 0;
    for (size_t k = 0; k < 6; ++k) {
      rows[k][lane] = scale < std::numeric_limits<double>::infinity()
                          ? static_cast<float>(m[k] * scale)
                          : 0.0f;
    }
  }
  Symmetric8 result;
  for (size_t k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetricPairs[k];
    result.m[i][j] = result.m[j][i] = Load8(rows[k]);
  }
  return result;
}

HWY_INLINE void Store(const Rotations8& v, size_t count, size_t kind,
                      Frames* frames) {
  alignas(32) float rows[3][3][kLanes];
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) Store8(v.v[j][i], rows[i][j]);
  }
  for (size_t lane = 0; lane < count; ++lane) {
    frames[lane][kind] =
        Orthonormal({rows[0][0][lane], rows[0][1][lane], rows[0][2][lane]},
                    {rows[1][0][lane], rows[1][1][lane], rows[1][2][lane]});
  }
}

inline void FindFrames(const SurfaceMoments* moments, size_t count,
                       bool only_of_normals, Frames* frames) {
  const Symmetric* spreads[kLanes];
  const Symmetric* normals[kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const SurfaceMoments& m = moments[lane < count ? lane : 0];
    spreads[lane] = &m.spread;
    normals[lane] = &m.normals;
  }
  const Symmetric8 of_normals = Load(normals);
  if (only_of_normals) {
    // With five sweeps instead of three, queries are not faster.
    constexpr int kSweeps = 3;
    const auto axes = Eigenvectors<1>({of_normals}, kSweeps);
    return Store(axes[0], count, kOfNormals, frames);
  }
  // More sweeps would not make boxes tighter.
  constexpr int kSweeps = 5;
  const auto axes = Eigenvectors<2>({Load(spreads), of_normals}, kSweeps);
  Store(axes[0], count, 0, frames);
  Store(axes[1], count, kOfNormals, frames);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_BUILD_INTERNAL_FRAMES_INL_H_
