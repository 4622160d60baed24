// SPDX-License-Identifier: Apache-2.0

// Rows of eight floats. Nodes and leaves are read and tested in such rows.
//
//   F8 e = Max(Max(Load8(lo) - c, c - Load8(hi)), Zero8());
//   uint32_t near = Bits(e * e <= Set8(limit));        // lane i is bit i
//
// The operations are those of arithmetic-inl.h. Private; compiled once per
// instruction set.
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/shapes/matrix3.h"

// On the portable target, eight lanes are eight numbers, and the compiler
// chooses which functions it inlines. If all operations were inlined, loops
// over trees would be eight times as large on this target, and would take four
// fifths of the time to compile them for all instruction sets. Highway compiles
// the portable target last, so no other target is affected.
#if HWY_TARGET == HWY_SCALAR
#undef HWY_INLINE
#define HWY_INLINE inline
#endif

// Once, not for each instruction set.
#ifndef ORBOX_OVERLAP_INTERNAL_LANES_COMPRESSED_LANES
#define ORBOX_OVERLAP_INTERNAL_LANES_COMPRESSED_LANES
namespace orbox {

// Table of the lanes that a compressing store keeps, for instruction sets that
// have no such store: the indices of the set bits in ascending order, followed
// by zeros.
struct CompressedLanes {
  uint8_t lanes[8];
};

inline constexpr std::array<CompressedLanes, 256> kCompressedLanes = [] {
  std::array<CompressedLanes, 256> table{};
  for (uint32_t bits = 0; bits < 256; ++bits) {
    int count = 0;
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
      table[bits].lanes[count++] = static_cast<uint8_t>(std::countr_zero(rest));
    }
  }
  return table;
}();

}  // namespace orbox
#endif  // ORBOX_OVERLAP_INTERNAL_LANES_COMPRESSED_LANES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Eight floats, and eight unsigned integers for indices.
using F8 = Lanes<float, 8>;
using M8 = F8::Mask;
using U8 = Lanes<uint32_t, 8>;

inline constexpr int32_t kLanesPerRow = 8;

// Number of registers per row.
inline constexpr size_t kParts = F8::kParts;
inline constexpr size_t kPartLanes = F8::kPartLanes;
using Part = F8::Tag;
using IntPart = U8::Tag;

// Returns the row whose part i is `op(i)`.
template <typename Op>
HWY_INLINE F8 Map(Op op) {
  F8 r;
  for (size_t i = 0; i < kParts; ++i) r.part[i] = op(i);
  return r;
}

// Load8 requires alignment to 32 bytes, as rows have; LoadU8 does not.
HWY_INLINE F8 Load8(const float* HWY_RESTRICT p) { return F8::Load(p); }
HWY_INLINE F8 LoadU8(const float* HWY_RESTRICT p) { return F8::LoadU(p); }
HWY_INLINE U8 Load8(const uint32_t* HWY_RESTRICT p) { return U8::Load(p); }
HWY_INLINE U8 LoadU8(const uint32_t* HWY_RESTRICT p) { return U8::LoadU(p); }
HWY_INLINE void Store8(const F8& a, float* HWY_RESTRICT p) { a.Store(p); }
HWY_INLINE F8 Set8(float x) { return x; }
HWY_INLINE U8 Set8(uint32_t x) { return x; }
HWY_INLINE F8 Zero8() { return 0.0f; }

// Returns i in lane i.
HWY_INLINE U8 Iota8() {
  U8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::Iota(IntPart(), static_cast<uint32_t>(i * kPartLanes));
  }
  return r;
}

// Returns the first lane with the lowest value among `bits`, which is not 0. No
// value may be NaN.
uint32_t LowestLane(const F8& a, uint32_t bits);

// Variant of LowestLane that is faster, for all lanes, with values that are not
// negative. Values that differ by less than eight units in the last place count
// as equal.
uint32_t LowestLaneRoughly(const F8& a);

// Returns `row` moved up by one lane, with the last lane of `before` in lane 0.
F8 ShiftIn8(const F8& before, const F8& row);

// Returns the lowest of the lanes. No value may be NaN.
float LowestValue(const F8& a);

// Stores the lanes in `bits` one after another, and may write up to 32 bytes
// beyond the last one. No alignment is needed.
void CompressStore8(const F8& a, uint32_t bits, float* HWY_RESTRICT p);

// Implementation.

// Returns the mask of the lanes of one part.
template <typename Tag>
HWY_INLINE hn::Mask<Tag> PartMask(Tag tag, uint32_t bits, size_t part) {
  const uint8_t bytes[8] = {static_cast<uint8_t>(bits >> (part * kPartLanes) &
                                                 ((1u << kPartLanes) - 1))};
  return hn::LoadMaskBits(tag, bytes);
}

// Compresses in a register and stores the whole register, because some machines
// take a hundred cycles to compress into memory. Without AVX-512, lanes are
// looked up in kCompressedLanes. The table of Highway 1.0.3 would be copied to
// the stack at each call.
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
  M8 lowest;
  for (size_t i = 0; i < kParts; ++i) {
    lowest.part[i] = hn::Le(masked.part[i], least);
  }
  // If all values are infinite, the result must still be among `bits`.
  return static_cast<uint32_t>(std::countr_zero(Bits(lowest) & bits));
}

HWY_INLINE uint32_t LowestLaneRoughly(const F8& a) {
  // Compares floats as integers, which have the same order. The last three bits
  // of each integer are replaced by the lane. The integers are signed, so that
  // -0 is handled like any other value.
  const hn::RebindToSigned<IntPart> d;
  auto least = hn::Set(d, std::numeric_limits<int32_t>::max());
  for (size_t i = 0; i < kParts; ++i) {
    const auto lane = hn::Iota(d, static_cast<int32_t>(i * kPartLanes));
    const auto keyed = hn::Or(
        hn::AndNot(hn::Set(d, kLanesPerRow - 1), hn::BitCast(d, a.part[i])),
        lane);
    least = hn::Min(least, keyed);
  }
  return static_cast<uint32_t>(hn::GetLane(hn::MinOfLanes(d, least)) &
                               (kLanesPerRow - 1));
}

HWY_INLINE F8 ShiftIn8(const F8& before, const F8& row) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  alignas(32) static constexpr int32_t kUp[8] = {7, 0, 1, 2, 3, 4, 5, 6};
  const auto up = hn::SetTableIndices(Part(), kUp);
  const auto first = hn::FirstN(Part(), 1);
  F8 r;
  r.part[0] = hn::IfThenElse(first, hn::TableLookupLanes(before.part[0], up),
                             hn::TableLookupLanes(row.part[0], up));
  return r;
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

// Three rows, for the coordinates of eight points or vectors.
using V8 = Vec3Of<F8>;

// Loads rows x, y, z, which are consecutive in memory.
HWY_INLINE V8 Load8x3(const float (*HWY_RESTRICT rows)[8]) {
  return {Load8(rows[0]), Load8(rows[1]), Load8(rows[2])};
}
HWY_INLINE V8 Set8x3(const float* HWY_RESTRICT v) {
  return {Set8(v[0]), Set8(v[1]), Set8(v[2])};
}

// Returns the matrix times each vector.
HWY_INLINE V8 Multiply(const Matrix3<float>& m, const V8& v) {
  return {Dot(Set8x3(m[0]), v), Dot(Set8x3(m[1]), v), Dot(Set8x3(m[2]), v)};
}

// Returns the lowest value of each row, in all lanes. No value may be NaN.
// Takes half the steps of three calls of LowestValue.
//
//   const V8 lo = LowestValues(Load8x3(node.rows));  // of all eight boxes
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE V8 LowestValues(const V8& rows) {
  return {Set8(LowestValue(rows.x)), Set8(LowestValue(rows.y)),
          Set8(LowestValue(rows.z))};
}
#else
HWY_INLINE V8 LowestValues(const V8& rows) {
  const Part d;
  const hn::Repartition<double, Part> pairs;
  // Returns the minima of neighbouring lanes: those of a in even lanes, those
  // of b in odd lanes, within each block of four.
  const auto in_turns = [d](const F8& a, const F8& b) HWY_ATTR {
    auto least = hn::Min(hn::InterleaveLower(d, a.part[0], b.part[0]),
                         hn::InterleaveUpper(d, a.part[0], b.part[0]));
    for (size_t i = 1; i < kParts; ++i) {
      least =
          hn::Min(least, hn::Min(hn::InterleaveLower(d, a.part[i], b.part[i]),
                                 hn::InterleaveUpper(d, a.part[i], b.part[i])));
    }
    return hn::BitCast(hn::Repartition<double, Part>(), least);
  };
  const auto xy = in_turns(rows.x, rows.y);
  const auto zz = in_turns(rows.z, rows.z);
  // The lanes are x y z z.
  auto least = hn::Min(hn::BitCast(d, hn::InterleaveLower(pairs, xy, zz)),
                       hn::BitCast(d, hn::InterleaveUpper(pairs, xy, zz)));
  if constexpr (kParts == 1) {
    least = hn::Min(least, hn::SwapAdjacentBlocks(least));
  }
  return {Map([&](size_t) HWY_ATTR { return hn::Broadcast<0>(least); }),
          Map([&](size_t) HWY_ATTR { return hn::Broadcast<1>(least); }),
          Map([&](size_t) HWY_ATTR { return hn::Broadcast<2>(least); })};
}
#endif

// Two rows of eight floats. Each operation applies to both: the operation on
// one row runs while the other row waits for an earlier result.
//
//   const F16 root = Sqrt(Joined(a, b));
//   const F8 root_of_b = RowOf<1>(root);
using F16 = Lanes<float, 16>;

HWY_INLINE F16 Joined(const F8& a, const F8& b) {
  F16 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = a.part[i];
    r.part[kParts + i] = b.part[i];
  }
  return r;
}
HWY_INLINE Vec3Of<F16> Joined(const V8& a, const V8& b) {
  return {Joined(a.x, b.x), Joined(a.y, b.y), Joined(a.z, b.z)};
}
HWY_INLINE TriangleOf<F16> Joined(const TriangleOf<F8>& a,
                                  const TriangleOf<F8>& b) {
  return {Joined(a.a, b.a), Joined(a.b, b.b), Joined(a.c, b.c)};
}

// Returns row 0 or row 1.
template <size_t kRow>
HWY_INLINE F8 RowOf(const F16& rows) {
  F8 r;
  for (size_t i = 0; i < kParts; ++i) r.part[i] = rows.part[kRow * kParts + i];
  return r;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_LANES_INL_H_
