// Eight floats side by side, on whatever registers the instruction set has: one
// of 256 bits, or two of 128.
//
//   F8 e = Max(Max(Load8(lo) - c, c - Load8(hi)), Zero8());
//   uint32_t near = Bits(e * e <= Set8(limit));        // lane i is bit i
//
// Private, and compiled once per instruction set: include it between
// hwy/highway.h and HWY_BEFORE_NAMESPACE of a file that dispatches. Each
// operation rounds once, as IEEE 754 says, so all sets give the same bits:
// there is no fused multiply-add and no approximate reciprocal here.
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/compressed_lanes.h"
#include "orbox/overlap/internal/lanes/portable_calls.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Registers a row of eight takes.
#if HWY_TARGET == HWY_SCALAR
inline constexpr size_t kParts = 8;
#elif HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
inline constexpr size_t kParts = 1;
#else
inline constexpr size_t kParts = 2;
#endif
inline constexpr size_t kPartLanes = 8 / kParts;
inline constexpr int32_t kLanesPerRow = 8;
using Part = hn::FixedTag<float, kPartLanes>;

struct F8 {
  hn::Vec<Part> part[kParts];
};
struct M8 {
  hn::Mask<Part> part[kParts];
};

template <typename Op>
HWY_INLINE F8 Map(Op op) {
  F8 r;
  for (size_t i = 0; i < kParts; ++i) r.part[i] = op(i);
  return r;
}
template <typename Op>
HWY_INLINE M8 MapMask(Op op) {
  M8 r;
  for (size_t i = 0; i < kParts; ++i) r.part[i] = op(i);
  return r;
}

// Rows are aligned to 32 bytes.
HWY_INLINE F8 Load8(const float* HWY_RESTRICT p) {
  return Map([&](size_t i)
                 HWY_ATTR { return hn::Load(Part(), p + i * kPartLanes); });
}
HWY_INLINE F8 LoadU8(const float* HWY_RESTRICT p) {
  return Map([&](size_t i)
                 HWY_ATTR { return hn::LoadU(Part(), p + i * kPartLanes); });
}
HWY_INLINE void Store8(const F8& a, float* HWY_RESTRICT p) {
  for (size_t i = 0; i < kParts; ++i) {
    hn::Store(a.part[i], Part(), p + i * kPartLanes);
  }
}
HWY_INLINE F8 Set8(float x) {
  return Map([&](size_t) HWY_ATTR { return hn::Set(Part(), x); });
}
HWY_INLINE F8 Zero8() {
  return Map([&](size_t) HWY_ATTR { return hn::Zero(Part()); });
}

HWY_INLINE F8 operator+(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR { return hn::Add(a.part[i], b.part[i]); });
}
HWY_INLINE F8 operator-(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR { return hn::Sub(a.part[i], b.part[i]); });
}
HWY_INLINE F8 operator*(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR { return hn::Mul(a.part[i], b.part[i]); });
}
HWY_INLINE F8 operator/(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR { return hn::Div(a.part[i], b.part[i]); });
}
HWY_INLINE F8 Sqrt(const F8& a) {
  return Map([&](size_t i) HWY_ATTR { return hn::Sqrt(a.part[i]); });
}
HWY_INLINE F8 Abs(const F8& a) {
  return Map([&](size_t i) HWY_ATTR { return hn::Abs(a.part[i]); });
}

// Of operands that are not NaN; which operand a NaN yields differs between
// sets.
HWY_INLINE F8 Min(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR { return hn::Min(a.part[i], b.part[i]); });
}
HWY_INLINE F8 Max(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR { return hn::Max(a.part[i], b.part[i]); });
}

// Comparisons with a NaN are false.
HWY_INLINE M8 operator<=(const F8& a, const F8& b) {
  return MapMask([&](size_t i)
                     HWY_ATTR { return hn::Le(a.part[i], b.part[i]); });
}
HWY_INLINE M8 operator<(const F8& a, const F8& b) {
  return MapMask([&](size_t i)
                     HWY_ATTR { return hn::Lt(a.part[i], b.part[i]); });
}
HWY_INLINE M8 operator>(const F8& a, const F8& b) { return b < a; }
HWY_INLINE M8 operator>=(const F8& a, const F8& b) { return b <= a; }
HWY_INLINE M8 operator&(const M8& a, const M8& b) {
  return MapMask([&](size_t i)
                     HWY_ATTR { return hn::And(a.part[i], b.part[i]); });
}
HWY_INLINE M8 operator|(const M8& a, const M8& b) {
  return MapMask([&](size_t i)
                     HWY_ATTR { return hn::Or(a.part[i], b.part[i]); });
}

HWY_INLINE F8 Select(const M8& mask, const F8& yes, const F8& no) {
  return Map([&](size_t i) HWY_ATTR {
    return hn::IfThenElse(mask.part[i], yes.part[i], no.part[i]);
  });
}

// Lane i as bit i.
HWY_INLINE uint32_t Bits(const M8& mask) {
  uint32_t bits = 0;
  for (size_t i = 0; i < kParts; ++i) {
    uint8_t bytes[8] = {0};
    hn::StoreMaskBits(Part(), mask.part[i], bytes);
    bits |= static_cast<uint32_t>(bytes[0]) << (i * kPartLanes);
  }
  return bits;
}

// Of the lanes among `bits`, which is not 0, the first with the lowest value;
// no value is NaN.
uint32_t LowestLane(const F8& a, uint32_t bits);

// The same for values that are not negative, sooner: values that differ by less
// than eight units in the last place count as equal.
uint32_t LowestLaneRoughly(const F8& a, uint32_t bits);

// `row` moved up by one lane, with the last lane of `before` in front.
F8 ShiftIn8(const F8& before, const F8& row);

// The lowest of the lanes; no value is NaN.
float LowestValue(const F8& a);

// Stores the lanes among `bits` one after another, and may write up to 32 bytes
// beyond the last. No alignment is needed.
void CompressStore8(const F8& a, uint32_t bits, float* HWY_RESTRICT p);

// Eight unsigned integers, for indices.
using IntPart = hn::FixedTag<uint32_t, kPartLanes>;
struct U8 {
  hn::Vec<IntPart> part[kParts];
};
struct IntMask8 {
  hn::Mask<IntPart> part[kParts];
};

HWY_INLINE U8 Set8(uint32_t x) {
  U8 r;
  for (size_t i = 0; i < kParts; ++i) r.part[i] = hn::Set(IntPart(), x);
  return r;
}
HWY_INLINE U8 Load8(const uint32_t* HWY_RESTRICT p) {
  U8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::Load(IntPart(), p + i * kPartLanes);
  }
  return r;
}
HWY_INLINE U8 LoadU8(const uint32_t* HWY_RESTRICT p) {
  U8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::LoadU(IntPart(), p + i * kPartLanes);
  }
  return r;
}
// Lane i holds i.
HWY_INLINE U8 Iota8() {
  U8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::Iota(IntPart(), static_cast<uint32_t>(i * kPartLanes));
  }
  return r;
}
HWY_INLINE U8 operator+(const U8& a, const U8& b) {
  U8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::Add(a.part[i], b.part[i]);
  }
  return r;
}
// As signed numbers: requires values below 2^31.
HWY_INLINE IntMask8 operator<(const U8& a, const U8& b) {
  const hn::RebindToSigned<IntPart> d;
  IntMask8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::RebindMask(IntPart(), hn::Lt(hn::BitCast(d, a.part[i]),
                                                 hn::BitCast(d, b.part[i])));
  }
  return r;
}
HWY_INLINE IntMask8 operator==(const U8& a, const U8& b) {
  IntMask8 r;
  for (size_t i = 0; i < kParts; ++i) r.part[i] = hn::Eq(a.part[i], b.part[i]);
  return r;
}
HWY_INLINE U8 Select(const IntMask8& mask, const U8& yes, const U8& no) {
  U8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::IfThenElse(mask.part[i], yes.part[i], no.part[i]);
  }
  return r;
}
HWY_INLINE uint32_t Bits(const IntMask8& mask) {
  uint32_t bits = 0;
  for (size_t i = 0; i < kParts; ++i) {
    uint8_t bytes[8] = {0};
    hn::StoreMaskBits(IntPart(), mask.part[i], bytes);
    bits |= static_cast<uint32_t>(bytes[0]) << (i * kPartLanes);
  }
  return bits;
}
// The mask of the lanes of one part.
template <typename Tag>
HWY_INLINE hn::Mask<Tag> PartMask(Tag tag, uint32_t bits, size_t part) {
  const uint8_t bytes[8] = {static_cast<uint8_t>(bits >> (part * kPartLanes) &
                                                 ((1u << kPartLanes) - 1))};
  return hn::LoadMaskBits(tag, bytes);
}

// Compressing in a register and storing it whole: some machines take a hundred
// cycles to compress into memory. Without AVX-512, lanes are looked up in a
// table of ours: Highway 1.0.3's lies on the stack, and is copied there for
// each call.
template <typename Tag, typename Vector>
HWY_INLINE void CompressStorePart(Tag tag, const Vector& v, uint32_t bits,
                                  hn::TFromD<Tag>* HWY_RESTRICT p) {
#if HWY_TARGET == HWY_SCALAR || HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const uint8_t bytes[8] = {static_cast<uint8_t>(bits)};
  hn::StoreU(hn::Compress(v, hn::LoadMaskBits(tag, bytes)), tag, p);
#else
  const hn::Rebind<uint8_t, IntPart> bytes;
  const auto lanes =
      hn::PromoteTo(IntPart(), hn::LoadU(bytes, kCompressedLanes[bits].lanes));
  hn::StoreU(hn::TableLookupLanes(v, hn::IndicesFromVec(tag, lanes)), tag, p);
#endif
}

template <typename Tag, typename Row>
HWY_INLINE void CompressStoreRow(Tag tag, const Row& row, uint32_t bits,
                                 hn::TFromD<Tag>* HWY_RESTRICT p) {
  constexpr uint32_t kPartBits = (1u << kPartLanes) - 1;
  for (size_t i = 0; i < kParts; ++i) {
    const uint32_t part = bits >> (i * kPartLanes) & kPartBits;
    CompressStorePart(tag, row.part[i], part, p);
    p += std::popcount(part);
  }
}

HWY_INLINE void CompressStore8(const U8& a, uint32_t bits,
                               uint32_t* HWY_RESTRICT p) {
  CompressStoreRow(IntPart(), a, bits, p);
}
HWY_INLINE void CompressStore8(const F8& a, uint32_t bits,
                               float* HWY_RESTRICT p) {
  CompressStoreRow(Part(), a, bits, p);
}

HWY_INLINE uint32_t LowestLane(const F8& a, uint32_t bits) {
  F8 masked;
  const auto none = hn::Set(Part(), std::numeric_limits<float>::infinity());
  auto least = none;
  for (size_t i = 0; i < kParts; ++i) {
    masked.part[i] = hn::IfThenElse(PartMask(Part(), bits, i), a.part[i], none);
    least = hn::Min(least, masked.part[i]);
  }
  least = hn::MinOfLanes(Part(), least);
  const M8 lowest =
      MapMask([&](size_t i) HWY_ATTR { return hn::Le(masked.part[i], least); });
  // Where all are infinite, one of `bits` has to win all the same.
  return static_cast<uint32_t>(std::countr_zero(Bits(lowest) & bits));
}

HWY_INLINE uint32_t LowestLaneRoughly(const F8& a, uint32_t bits) {
  // As integers, ordered as the floats are, with the lane in the last three
  // bits. Signed, so that -0 is a lane like others.
  const hn::RebindToSigned<IntPart> d;
  const auto none = hn::Set(d, std::numeric_limits<int32_t>::max());
  auto least = none;
  for (size_t i = 0; i < kParts; ++i) {
    const auto lane = hn::Iota(d, static_cast<int32_t>(i * kPartLanes));
    const auto keyed = hn::Or(
        hn::AndNot(hn::Set(d, kLanesPerRow - 1), hn::BitCast(d, a.part[i])),
        lane);
    least = hn::Min(least, hn::IfThenElse(PartMask(d, bits, i), keyed, none));
  }
  return static_cast<uint32_t>(hn::GetLane(hn::MinOfLanes(d, least)) &
                               (kLanesPerRow - 1));
}

HWY_INLINE F8 ShiftIn8(const F8& before, const F8& row) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  alignas(32) static constexpr int32_t kUp[8] = {7, 0, 1, 2, 3, 4, 5, 6};
  const auto up = hn::SetTableIndices(Part(), kUp);
  const auto first = hn::FirstN(Part(), 1);
  return {{hn::IfThenElse(first, hn::TableLookupLanes(before.part[0], up),
                          hn::TableLookupLanes(row.part[0], up))}};
#else
  alignas(32) float both[16];
  Store8(before, both);
  Store8(row, both + 8);
  return LoadU8(both + 7);
#endif
}

HWY_INLINE float LowestValue(const F8& a) {
  auto least = a.part[0];
  for (size_t i = 1; i < kParts; ++i) least = hn::Min(least, a.part[i]);
  return hn::GetLane(hn::MinOfLanes(Part(), least));
}

// Three rows: eight points or vectors.
struct V8 {
  F8 x, y, z;
};

HWY_INLINE V8 operator-(const V8& a, const V8& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HWY_INLINE V8 operator+(const V8& a, const V8& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HWY_INLINE V8 operator*(const V8& a, const F8& s) {
  return {a.x * s, a.y * s, a.z * s};
}
HWY_INLINE F8 Dot(const V8& a, const V8& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HWY_INLINE V8 Cross(const V8& a, const V8& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HWY_INLINE V8 Select(const M8& mask, const V8& yes, const V8& no) {
  return {Select(mask, yes.x, no.x), Select(mask, yes.y, no.y),
          Select(mask, yes.z, no.z)};
}

// Rows x, y, z follow each other in memory.
HWY_INLINE V8 Load8x3(const float (*HWY_RESTRICT rows)[8]) {
  return {Load8(rows[0]), Load8(rows[1]), Load8(rows[2])};
}
HWY_INLINE V8 Set8x3(const float* HWY_RESTRICT v) {
  return {Set8(v[0]), Set8(v[1]), Set8(v[2])};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_
