// SPDX-License-Identifier: Apache-2.0

// Compares lanes with the plain numbers in them, bit by bit, on every
// instruction set that the machine has.
#include <cstddef>
#include <cstdint>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/lanes/arithmetic_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/numbers/error_free-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// One function for any width: every operation, a result each.
template <typename V>
HWY_INLINE void Calculate(const V& a, const V& b, V (&r)[16]) {
  const Vec3Of<V> p = {a, b, a - b};
  const Vec3Of<V> q = {b, a * b, V(0.5)};
  const Vec3Of<V> n = Cross(p, q);
  const auto less = a < b;
  const auto near = Abs(a - b) <= V(1);
  r[0] = a + b;
  r[1] = a - b;
  r[2] = a * b;
  r[3] = a / b;
  r[4] = Sqrt(Abs(a));
  r[5] = Min(a, -b) + Max(a, -b);
  r[6] = Select(less & near, a, V(3));
  r[7] = SelectOrZero(less | near, a);
  r[8] = ZeroOrSelect(AndNot(near, less), b);
  r[9] = Select(less ^ (a >= V(0)), a, b);
  r[10] = Select(Implies(near, a == b), V(1), a);
  r[11] = Dot(n, Select(less, p + q, q * a));
  r[12] = Dot(n, Turned(TriangleOf<V>{p, q, n}, less, near).b);
  r[13] = Clamp01(a) + Least(a, b, r[2]) - Largest(a, b, r[2]);
  r[14] = TwoSum(a, TwoDifference(b, a).lo).lo;
  r[15] = r[14];
}

// Products without error are for doubles only.
template <typename V>
HWY_INLINE void CalculateInDouble(const V& a, const V& b, V (&r)[16]) {
  Calculate(a, b, r);
  const LongOf<V> product = TwoProduct(a, b);
  r[14] = product.lo;
  r[15] = Sum(product, TwoSum(a, TwoDifference(b, a).lo)).lo;
}

HWY_INLINE void CalculateAll(const float& a, const float& b, float (&r)[16]) {
  Calculate(a, b, r);
}
template <size_t N>
HWY_INLINE void CalculateAll(const Lanes<float, N>& a, const Lanes<float, N>& b,
                             Lanes<float, N> (&r)[16]) {
  Calculate(a, b, r);
}
template <typename V>
HWY_INLINE void CalculateAll(const V& a, const V& b, V (&r)[16]) {
  CalculateInDouble(a, b, r);
}

template <typename T, size_t N>
uint32_t InLanes(const T (&a)[N], const T (&b)[N], T (&results)[16][N]) {
  using V = Lanes<T, N>;
  V r[16];
  CalculateAll(V::LoadU(a), V::LoadU(b), r);
  for (size_t i = 0; i < 16; ++i) r[i].StoreU(results[i]);
  return Bits(V::LoadU(a) < V::LoadU(b));
}

template <typename T, size_t N>
uint32_t OneByOne(const T (&a)[N], const T (&b)[N], T (&results)[16][N]) {
  uint32_t less = 0;
  for (size_t k = 0; k < N; ++k) {
    T r[16];
    CalculateAll(a[k], b[k], r);
    for (size_t i = 0; i < 16; ++i) results[i][k] = r[i];
    if (a[k] < b[k]) less |= 1u << k;
  }
  return less;
}

// The number of results that differ.
template <typename T, size_t N>
size_t Differences(const T (&a)[N], const T (&b)[N]) {
  T lanes[16][N];
  T plain[16][N];
  size_t count = InLanes(a, b, lanes) != OneByOne(a, b, plain);
  for (size_t i = 0; i < 16; ++i) {
    for (size_t k = 0; k < N; ++k) count += lanes[i][k] != plain[i][k];
  }
  return count;
}

size_t FloatsInEights(const float (&a)[8], const float (&b)[8]) {
  return Differences(a, b);
}
size_t DoublesInFours(const double (&a)[4], const double (&b)[4]) {
  return Differences(a, b);
}

uint32_t IndicesBelow(const uint32_t (&a)[8], uint32_t limit) {
  using V = Lanes<uint32_t, 8>;
  return Bits(V::LoadU(a) + V(1) < V(limit));
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <random>

#include "gtest/gtest.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

HWY_EXPORT(FloatsInEights);
HWY_EXPORT(DoublesInFours);
HWY_EXPORT(IndicesBelow);

template <typename T, size_t N>
void Draw(std::mt19937_64& random, T (&a)[N], T (&b)[N]) {
  std::normal_distribution<T> normal;
  for (size_t k = 0; k < N; ++k) {
    a[k] = normal(random);
    b[k] = random() % 4 == 0 ? a[k] : normal(random);
  }
}

TEST(ArithmeticTest, LanesHoldWhatPlainNumbersDo) {
  trees::OnEachInstructionSet([] {
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) {
      float a[8], b[8];
      Draw(random, a, b);
      EXPECT_EQ(ORBOX_DYNAMIC_DISPATCH(FloatsInEights)(a, b), 0U);
      double c[4], d[4];
      Draw(random, c, d);
      EXPECT_EQ(ORBOX_DYNAMIC_DISPATCH(DoublesInFours)(c, d), 0U);
    }
  });
}

TEST(ArithmeticTest, IndicesAreCompared) {
  trees::OnEachInstructionSet([] {
    const uint32_t a[8] = {0, 1, 5, 9, 4, 2, 3, 1u << 30};
    EXPECT_EQ(ORBOX_DYNAMIC_DISPATCH(IndicesBelow)(a, 5), 0b01100011U);
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
