// SPDX-License-Identifier: Apache-2.0

// One arithmetic for any width. Lanes<T, N> is N numbers in registers of any
// instruction set.
//
//   using D4 = Lanes<double, 4>;
//   D4 root = Sqrt(Max(x * x - y, D4(0)));
//   D4 z = Select(root > x, root, x);
//   uint32_t larger = Bits(root > x);                  // lane i is bit i
//
// A function template over a number type V uses Min, Max, Abs, Sqrt, Select, &,
// |, AndNot and V(constant). It then also works for plain floats and doubles.
// In expressions of lanes, constants are converted to lanes implicitly.
//
// Private; compiled once per instruction set. Include it between hwy/highway.h
// and HWY_BEFORE_NAMESPACE of a file that dispatches. A .cc file that does not
// dispatch may include it for plain numbers. Each operation rounds once,
// according to IEEE 754, so all instruction sets give the same bits. There is
// no approximate reciprocal. Fused multiply-add is used only where its result
// is exact (ErrorOfProduct).
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_ARITHMETIC_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_ARITHMETIC_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_ARITHMETIC_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_ARITHMETIC_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/shapes/vec3.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Bytes per register, at most. A row has 32 bytes, so only long arrays use
// wider registers.
#if HWY_TARGET == HWY_SCALAR
inline constexpr size_t kRegisterBytes = 1;
#elif HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
inline constexpr size_t kRegisterBytes = 32;
#else
inline constexpr size_t kRegisterBytes = 16;
#endif

// N numbers, divided into parts of one register each. A register has at most
// kBytes bytes.
template <typename T, size_t N, size_t kBytes = kRegisterBytes>
struct LaneParts {
  static constexpr size_t kPartLanes =
      std::min(N, std::max<size_t>(1, kBytes / sizeof(T)));
  static constexpr size_t kParts = N / kPartLanes;
  using Tag = hn::FixedTag<T, kPartLanes>;
};

// Returns a Result whose part i is `value`. This is a macro because a function
// would need a lambda for the operation, which compiles more slowly.
#define ORBOX_EACH_PART(Result, value)                     \
  Result r;                                                \
  for (size_t i = 0; i < kParts; ++i) r.part[i] = (value); \
  return r

// Result of a comparison, one boolean per lane. For plain numbers, the result
// is a bool.
template <typename T, size_t N, size_t kBytes = kRegisterBytes>
struct LaneMask {
  static constexpr size_t kPartLanes = LaneParts<T, N, kBytes>::kPartLanes;
  static constexpr size_t kParts = LaneParts<T, N, kBytes>::kParts;
  using Tag = typename LaneParts<T, N, kBytes>::Tag;

  mutable hn::Mask<Tag> part[kParts];  // mutable for the reason given in Lanes

  friend HWY_INLINE LaneMask operator&(const LaneMask& a, const LaneMask& b) {
    ORBOX_EACH_PART(LaneMask, hn::And(a.part[i], b.part[i]));
  }
  friend HWY_INLINE LaneMask operator|(const LaneMask& a, const LaneMask& b) {
    ORBOX_EACH_PART(LaneMask, hn::Or(a.part[i], b.part[i]));
  }
  friend HWY_INLINE LaneMask operator^(const LaneMask& a, const LaneMask& b) {
    ORBOX_EACH_PART(LaneMask, hn::Xor(a.part[i], b.part[i]));
  }
  friend HWY_INLINE LaneMask operator!(const LaneMask& a) {
    ORBOX_EACH_PART(LaneMask, hn::Not(a.part[i]));
  }
  // !a & b
  friend HWY_INLINE LaneMask AndNot(const LaneMask& a, const LaneMask& b) {
    ORBOX_EACH_PART(LaneMask, hn::AndNot(a.part[i], b.part[i]));
  }

  // !a | b
  friend HWY_INLINE LaneMask Implies(const LaneMask& a, const LaneMask& b) {
    ORBOX_EACH_PART(LaneMask, hn::Or(hn::Not(a.part[i]), b.part[i]));
  }
  friend HWY_INLINE bool AllTrue(const LaneMask& a) {
    bool all = true;
    for (size_t i = 0; i < kParts; ++i) {
      all = all && hn::AllTrue(Tag(), a.part[i]);
    }
    return all;
  }

  // Returns lane i as bit i.
  friend HWY_INLINE uint32_t Bits(const LaneMask& mask) {
    uint32_t bits = 0;
    for (size_t i = 0; i < kParts; ++i) {
      uint8_t bytes[8] = {0};
      hn::StoreMaskBits(Tag(), mask.part[i], bytes);
      uint32_t of_part = bytes[0];
      if constexpr (kPartLanes > 8) of_part |= uint32_t{bytes[1]} << 8;
      bits |= of_part << (i * kPartLanes);
    }
    return bits;
  }
};

template <typename T, size_t N, size_t kBytes = kRegisterBytes>
struct Lanes {
  static constexpr size_t kPartLanes = LaneParts<T, N, kBytes>::kPartLanes;
  static constexpr size_t kParts = LaneParts<T, N, kBytes>::kParts;
  using Tag = typename LaneParts<T, N, kBytes>::Tag;
  using Mask = LaneMask<T, N, kBytes>;

  // Mutable only so that GCC 12 keeps constants in registers. GCC 12 does not
  // split read-only objects into registers.
  mutable hn::Vec<Tag> part[kParts];

  Lanes() = default;
  // One number in all lanes. Implicit, for constants in expressions.
  HWY_INLINE Lanes(T x) {  // NOLINT(google-explicit-constructor)
    for (size_t i = 0; i < kParts; ++i) part[i] = hn::Set(Tag(), x);
  }

  // Load requires alignment to a register; LoadU does not.
  static HWY_INLINE Lanes Load(const T* HWY_RESTRICT p) {
    ORBOX_EACH_PART(Lanes, hn::Load(Tag(), p + i * kPartLanes));
  }
  static HWY_INLINE Lanes LoadU(const T* HWY_RESTRICT p) {
    ORBOX_EACH_PART(Lanes, hn::LoadU(Tag(), p + i * kPartLanes));
  }
  HWY_INLINE void Store(T* HWY_RESTRICT p) const {
    for (size_t i = 0; i < kParts; ++i) {
      hn::Store(part[i], Tag(), p + i * kPartLanes);
    }
  }
  HWY_INLINE void StoreU(T* HWY_RESTRICT p) const {
    for (size_t i = 0; i < kParts; ++i) {
      hn::StoreU(part[i], Tag(), p + i * kPartLanes);
    }
  }

  friend HWY_INLINE T FirstLane(const Lanes& a) {
    return hn::GetLane(a.part[0]);
  }

  friend HWY_INLINE Lanes operator+(const Lanes& a, const Lanes& b) {
    ORBOX_EACH_PART(Lanes, hn::Add(a.part[i], b.part[i]));
  }
  friend HWY_INLINE Lanes operator-(const Lanes& a, const Lanes& b) {
    ORBOX_EACH_PART(Lanes, hn::Sub(a.part[i], b.part[i]));
  }
  friend HWY_INLINE Lanes operator*(const Lanes& a, const Lanes& b) {
    ORBOX_EACH_PART(Lanes, hn::Mul(a.part[i], b.part[i]));
  }
  friend HWY_INLINE Lanes operator/(const Lanes& a, const Lanes& b) {
    ORBOX_EACH_PART(Lanes, hn::Div(a.part[i], b.part[i]));
  }
  friend HWY_INLINE Lanes operator-(const Lanes& a) {
    ORBOX_EACH_PART(Lanes, hn::Neg(a.part[i]));
  }
  friend HWY_INLINE Lanes Sqrt(const Lanes& a) {
    ORBOX_EACH_PART(Lanes, hn::Sqrt(a.part[i]));
  }
  friend HWY_INLINE Lanes Abs(const Lanes& a) {
    ORBOX_EACH_PART(Lanes, hn::Abs(a.part[i]));
  }
  // Require operands other than NaN. Which operand is returned for a NaN
  // differs between instruction sets.
  friend HWY_INLINE Lanes Min(const Lanes& a, const Lanes& b) {
    ORBOX_EACH_PART(Lanes, hn::Min(a.part[i], b.part[i]));
  }
  friend HWY_INLINE Lanes Max(const Lanes& a, const Lanes& b) {
    ORBOX_EACH_PART(Lanes, hn::Max(a.part[i], b.part[i]));
  }

  // Comparisons with a NaN are false. Integers have only < and ==; < compares
  // them as signed and requires values below 2^31.
  friend HWY_INLINE Mask operator<(const Lanes& a, const Lanes& b) {
    Mask r;
    for (size_t i = 0; i < kParts; ++i) {
      if constexpr (std::floating_point<T>) {
        r.part[i] = hn::Lt(a.part[i], b.part[i]);
      } else {
        const hn::RebindToSigned<Tag> d;
        r.part[i] = hn::RebindMask(Tag(), hn::Lt(hn::BitCast(d, a.part[i]),
                                                 hn::BitCast(d, b.part[i])));
      }
    }
    return r;
  }
  friend HWY_INLINE Mask operator<=(const Lanes& a, const Lanes& b) {
    ORBOX_EACH_PART(Mask, hn::Le(a.part[i], b.part[i]));
  }
  friend HWY_INLINE Mask operator==(const Lanes& a, const Lanes& b) {
    ORBOX_EACH_PART(Mask, hn::Eq(a.part[i], b.part[i]));
  }
  friend HWY_INLINE Mask operator>(const Lanes& a, const Lanes& b) {
    return b < a;
  }
  friend HWY_INLINE Mask operator>=(const Lanes& a, const Lanes& b) {
    return b <= a;
  }

  friend HWY_INLINE Lanes Select(const Mask& mask, const Lanes& yes,
                                 const Lanes& no) {
    ORBOX_EACH_PART(Lanes,
                    hn::IfThenElse(mask.part[i], yes.part[i], no.part[i]));
  }
  // Returns Select(mask, yes, 0), in fewer instructions.
  friend HWY_INLINE Lanes SelectOrZero(const Mask& mask, const Lanes& yes) {
    ORBOX_EACH_PART(Lanes, hn::IfThenElseZero(mask.part[i], yes.part[i]));
  }
  friend HWY_INLINE Lanes ZeroOrSelect(const Mask& mask, const Lanes& no) {
    ORBOX_EACH_PART(Lanes, hn::IfThenZeroElse(mask.part[i], no.part[i]));
  }

#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM_A64
  // Returns a b - product. Exact if `product` is a b rounded. Takes fewer steps
  // than the function of error_free.inc.
  friend HWY_INLINE Lanes ErrorOfProduct(const Lanes& a, const Lanes& b,
                                         const Lanes& product) {
    ORBOX_EACH_PART(Lanes, hn::MulSub(a.part[i], b.part[i], product.part[i]));
  }
#endif
};

#undef ORBOX_EACH_PART

// Number of doubles per register, at most four.
inline constexpr size_t kDoubleLanes = LaneParts<double, 4>::kPartLanes;
using D = Lanes<double, kDoubleLanes>;
using DMask = D::Mask;

// The functions above for plain numbers.
template <std::floating_point T>
HWY_INLINE T Min(T a, T b) {
  return std::min(a, b);
}
template <std::floating_point T>
HWY_INLINE T Max(T a, T b) {
  return std::max(a, b);
}
template <std::floating_point T>
HWY_INLINE T Abs(T a) {
  return std::abs(a);
}
template <std::floating_point T>
HWY_INLINE T Sqrt(T a) {
  return std::sqrt(a);
}
template <std::floating_point T>
HWY_INLINE T Select(bool condition, T yes, T no) {
  return condition ? yes : no;
}
template <std::floating_point T>
HWY_INLINE T SelectOrZero(bool condition, T yes) {
  return condition ? yes : T{0};
}
template <std::floating_point T>
HWY_INLINE T ZeroOrSelect(bool condition, T no) {
  return condition ? T{0} : no;
}
HWY_INLINE bool AndNot(bool a, bool b) { return !a && b; }
HWY_INLINE bool Implies(bool a, bool b) { return !a || b; }

// LaneMask for lanes, bool for plain numbers.
template <typename V>
using MaskOf = decltype(V() < V());

// One point or vector per lane.
template <typename V>
struct Vec3Of {
  V x, y, z;

  // Returns p in all lanes.
  template <typename T>
  static HWY_INLINE Vec3Of Of(const BasicVec3<T>& p) {
    return {V(p.x), V(p.y), V(p.z)};
  }

  HWY_INLINE const V& operator[](size_t i) const {
    return i == 0 ? x : (i == 1 ? y : z);
  }

  friend HWY_INLINE Vec3Of operator+(const Vec3Of& a, const Vec3Of& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend HWY_INLINE Vec3Of operator-(const Vec3Of& a, const Vec3Of& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend HWY_INLINE Vec3Of operator*(const Vec3Of& a, const V& s) {
    return {a.x * s, a.y * s, a.z * s};
  }
  friend HWY_INLINE V Dot(const Vec3Of& a, const Vec3Of& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
  friend HWY_INLINE Vec3Of Cross(const Vec3Of& a, const Vec3Of& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
            a.x * b.y - a.y * b.x};
  }
  friend HWY_INLINE Vec3Of Abs(const Vec3Of& a) {
    return {Abs(a.x), Abs(a.y), Abs(a.z)};
  }
  friend HWY_INLINE Vec3Of Max(const Vec3Of& a, const Vec3Of& b) {
    return {Max(a.x, b.x), Max(a.y, b.y), Max(a.z, b.z)};
  }
  friend HWY_INLINE Vec3Of Select(const MaskOf<V>& mask, const Vec3Of& yes,
                                  const Vec3Of& no) {
    return {Select(mask, yes.x, no.x), Select(mask, yes.y, no.y),
            Select(mask, yes.z, no.z)};
  }
};
using D3 = Vec3Of<D>;

// The corners of one triangle per lane.
template <typename V>
struct TriangleOf {
  Vec3Of<V> a, b, c;

  friend HWY_INLINE TriangleOf operator-(const TriangleOf& t,
                                         const Vec3Of<V>& p) {
    return {t.a - p, t.b - p, t.c - p};
  }
  friend HWY_INLINE TriangleOf Select(const MaskOf<V>& mask,
                                      const TriangleOf& yes,
                                      const TriangleOf& no) {
    return {Select(mask, yes.a, no.a), Select(mask, yes.b, no.b),
            Select(mask, yes.c, no.c)};
  }
  // Rotates the corners so that b comes first in lanes of `second`, and c in
  // lanes of `third`.
  friend HWY_INLINE TriangleOf Turned(const TriangleOf& t,
                                      const MaskOf<V>& second,
                                      const MaskOf<V>& third) {
    return {Select(third, t.c, Select(second, t.b, t.a)),
            Select(third, t.a, Select(second, t.c, t.b)),
            Select(third, t.b, Select(second, t.a, t.c))};
  }
};

template <typename V>
HWY_INLINE V Clamp01(const V& x) {
  return Min(Max(x, V(0)), V(1));
}
template <typename V>
HWY_INLINE V Least(const V& a, const V& b, const V& c) {
  return Min(Min(a, b), c);
}
template <typename V>
HWY_INLINE V Largest(const V& a, const V& b, const V& c) {
  return Max(Max(a, b), c);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_ARITHMETIC_INL_H_
