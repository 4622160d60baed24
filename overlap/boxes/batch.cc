// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/batch.h"

#include <algorithm>
#include <bit>

#include "orbox/overlap/base/require.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/overlap/boxes/batch.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "orbox/overlap/boxes/internal/sphere_box_lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {
namespace {

// Lanes of a step: a row of eight, as in the traversal, or a register of
// sixteen.
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
using Widest = Lanes<float, 16, 64>;
inline constexpr size_t kWidest = 16;
#else
using Widest = F8;
inline constexpr size_t kWidest = 8;
#endif

template <AnswerKind answer, typename S, typename B>
HWY_INLINE uint32_t TestLanes(const S& s, const B& b) {
  if constexpr (answer == AnswerKind::kExact) {
    return Bits(OverlapsExact(s, b));
  } else {
    return Bits(OverlapsConservative(s, b));
  }
}

// The source of the lanes: rows in memory, or one shape repeated in every lane.
// `Shape` is SphereLanes, AabbLanes or ObbLanes; `rows` is its number of rows.
template <template <typename> typename Shape, size_t rows>
struct FromRows {
  const float* row[rows];

  template <typename V>
  HWY_INLINE Shape<V> At(size_t i) const {
    V lanes[rows];
    for (size_t k = 0; k < rows; ++k) lanes[k] = V::LoadU(row[k] + i);
    return Shape<V>::Of(lanes);
  }

  // Returns a copy of shapes `begin` to `end` in `buffer`, from which whole
  // vectors can be read.
  HWY_INLINE FromRows Copied(size_t begin, size_t end,
                             float (&buffer)[rows][kWidest]) const {
    FromRows copy;
    for (size_t k = 0; k < rows; ++k) {
      for (size_t i = begin; i < end; ++i) buffer[k][i - begin] = row[k][i];
      copy.row[k] = buffer[k];
    }
    return copy;
  }
  static constexpr size_t kRows = rows;
};

template <template <typename> typename Shape, size_t rows>
struct FromOne {
  float value[rows];

  template <typename V>
  HWY_INLINE Shape<V> At(size_t) const {
    V lanes[rows];
    for (size_t k = 0; k < rows; ++k) lanes[k] = V(value[k]);
    return Shape<V>::Of(lanes);
  }
  HWY_INLINE FromOne Copied(size_t, size_t, float (&)[rows][kWidest]) const {
    return *this;
  }
  static constexpr size_t kRows = rows;
};

template <template <typename> typename Shape, size_t rows, typename T>
FromOne<Shape, rows> One(const T& shape) {
  static_assert(sizeof(T) == rows * sizeof(float));
  FromOne<Shape, rows> one;
  std::memcpy(one.value, &shape, sizeof(T));
  return one;
}

template <template <typename> typename Shape, typename Span>
auto Rows(const Span& span) {
  constexpr size_t kRows = std::tuple_size_v<decltype(span.rows)>;
  FromRows<Shape, kRows> from;
  std::copy(span.rows.begin(), span.rows.end(), from.row);
  return from;
}

// Parameters are passed by value, and `bytes` is restricted. A store to bytes
// may alias any object, so the compiler would otherwise reload rows and shape
// after each store.
template <AnswerKind answer, typename S, typename B>
void TestRange(S s, B b, size_t n, uint8_t* HWY_RESTRICT bytes) {
  size_t i = 0;
  for (; i + kWidest <= n; i += kWidest) {
    const uint32_t bits =
        TestLanes<answer>(s.template At<Widest>(i), b.template At<Widest>(i));
    for (size_t k = 0; k < kWidest / 8; ++k) {
      bytes[i / 8 + k] = static_cast<uint8_t>(bits >> (8 * k));
    }
  }
  if (i == n) return;
  float s_buffer[S::kRows][kWidest] = {};
  float b_buffer[B::kRows][kWidest] = {};
  const uint32_t bits =
      TestLanes<answer>(s.Copied(i, n, s_buffer).template At<Widest>(0),
                        b.Copied(i, n, b_buffer).template At<Widest>(0)) &
      ((1u << (n - i)) - 1);
  for (size_t k = 0; k < n - i; k += 8) {
    bytes[(i + k) / 8] = static_cast<uint8_t>(bits >> k);
  }
}

template <typename S, typename B>
void TestEither(AnswerKind answer, const S& s, const B& b, size_t n,
                uint8_t* bytes) {
  if (answer == AnswerKind::kExact) {
    TestRange<AnswerKind::kExact>(s, b, n, bytes);
  } else {
    TestRange<AnswerKind::kConservative>(s, b, n, bytes);
  }
}

void OneToManyAabb(AnswerKind answer, const Spheref& sphere,
                   const AabbSpan& boxes, uint8_t* bytes) {
  TestEither(answer, One<SphereLanes, 4>(sphere), Rows<AabbLanes>(boxes),
             boxes.size, bytes);
}
void OneToManyObb(AnswerKind answer, const Spheref& sphere,
                  const ObbSpan& boxes, uint8_t* bytes) {
  TestEither(answer, One<SphereLanes, 4>(sphere), Rows<ObbLanes>(boxes),
             boxes.size, bytes);
}
void ManyToOneAabb(AnswerKind answer, const SphereSpan& spheres,
                   const Aabbf& box, uint8_t* bytes) {
  TestEither(answer, Rows<SphereLanes>(spheres), One<AabbLanes, 6>(box),
             spheres.size, bytes);
}
void ManyToOneObb(AnswerKind answer, const SphereSpan& spheres, const Obbf& box,
                  uint8_t* bytes) {
  TestEither(answer, Rows<SphereLanes>(spheres), One<ObbLanes, 15>(box),
             spheres.size, bytes);
}
void PairsAabb(AnswerKind answer, const SphereSpan& spheres,
               const AabbSpan& boxes, uint8_t* bytes) {
  TestEither(answer, Rows<SphereLanes>(spheres), Rows<AabbLanes>(boxes),
             boxes.size, bytes);
}
void PairsObb(AnswerKind answer, const SphereSpan& spheres,
              const ObbSpan& boxes, uint8_t* bytes) {
  TestEither(answer, Rows<SphereLanes>(spheres), Rows<ObbLanes>(boxes),
             boxes.size, bytes);
}

// Tests a block of `n` shapes. Requires a multiple of the number of lanes of V.
template <typename V, typename S, typename B>
HWY_INLINE uint32_t TestBlockOf(AnswerKind answer, const S& s, const B& b,
                                size_t n) {
  constexpr size_t kLanes = V::kParts * V::kPartLanes;
  uint32_t bits = 0;
  for (size_t i = 0; i < n; i += kLanes) {
    const auto si = s.template At<V>(i);
    const auto bi = b.template At<V>(i);
    bits |= (answer == AnswerKind::kExact
                 ? TestLanes<AnswerKind::kExact>(si, bi)
                 : TestLanes<AnswerKind::kConservative>(si, bi))
            << i;
  }
  return bits;
}

template <typename S, typename B>
HWY_INLINE uint32_t TestBlockOfAny(AnswerKind answer, const S& s, const B& b,
                                   size_t n) {
  switch (n) {
    case 4:
      return TestBlockOf<Lanes<float, 4>>(answer, s, b, 4);
    case 8:
      return TestBlockOf<F8>(answer, s, b, 8);
    default:
      return TestBlockOf<Widest>(answer, s, b, 16);
  }
}

template <template <typename> typename Shape, size_t rows>
HWY_INLINE FromRows<Shape, rows> BlockRows(const float* first, size_t n) {
  FromRows<Shape, rows> from;
  for (size_t k = 0; k < rows; ++k) from.row[k] = first + k * n;
  return from;
}

uint32_t AabbBlockOf(AnswerKind answer, const Spheref& sphere,
                     const float* rows, size_t n) {
  return TestBlockOfAny(answer, One<SphereLanes, 4>(sphere),
                        BlockRows<AabbLanes, 6>(rows, n), n);
}
uint32_t ObbBlockOf(AnswerKind answer, const Spheref& sphere, const float* rows,
                    size_t n) {
  return TestBlockOfAny(answer, One<SphereLanes, 4>(sphere),
                        BlockRows<ObbLanes, 15>(rows, n), n);
}
uint32_t SphereBlockOfAabb(AnswerKind answer, const float* rows,
                           const Aabbf& box, size_t n) {
  return TestBlockOfAny(answer, BlockRows<SphereLanes, 4>(rows, n),
                        One<AabbLanes, 6>(box), n);
}
uint32_t SphereBlockOfObb(AnswerKind answer, const float* rows, const Obbf& box,
                          size_t n) {
  return TestBlockOfAny(answer, BlockRows<SphereLanes, 4>(rows, n),
                        One<ObbLanes, 15>(box), n);
}

VectorLoop BatchProbe() {
  return {internal::InstructionSetOfTarget(HWY_TARGET), Widest::kPartLanes};
}

}  // namespace
}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {
namespace {

HWY_EXPORT(OneToManyAabb);
HWY_EXPORT(OneToManyObb);
HWY_EXPORT(ManyToOneAabb);
HWY_EXPORT(ManyToOneObb);
HWY_EXPORT(PairsAabb);
HWY_EXPORT(PairsObb);
HWY_EXPORT(AabbBlockOf);
HWY_EXPORT(ObbBlockOf);
HWY_EXPORT(SphereBlockOfAabb);
HWY_EXPORT(SphereBlockOfObb);
HWY_EXPORT(BatchProbe);

void RequireWords(const char* where, std::span<uint64_t> bits, size_t words) {
  RequireThat(bits.size() >= words, where, "`bits` is too short",
              "pass WordsFor(boxes) words for each row of answers");
}

void RequireSameSize(size_t spheres, size_t boxes) {
  RequireThat(spheres == boxes, "TestPairs",
              "the numbers of spheres and of boxes differ",
              "pass one box for each sphere");
}

// Writes the bit mask byte by byte. First sets the unused bytes of the last
// word to zero. On big-endian machines, reverses the bytes of each word at the
// end.
class MaskWriter {
 public:
  // Ends the program if `bits` is too short for n answers. `where` is the
  // public function.
  MaskWriter(const char* where, std::span<uint64_t> bits, size_t n) {
    RequireWords(where, bits, WordsFor(n));
    words_ = bits.first(WordsFor(n));
    if (!words_.empty()) words_.back() = 0;
  }
  ~MaskWriter() {
    if constexpr (std::endian::native == std::endian::big) {
      for (uint64_t& word : words_) {
        auto* const bytes = reinterpret_cast<uint8_t*>(&word);
        std::reverse(bytes, bytes + sizeof(word));
      }
    }
  }
  MaskWriter(const MaskWriter&) = delete;
  MaskWriter& operator=(const MaskWriter&) = delete;

  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(words_.data()); }

 private:
  std::span<uint64_t> words_;
};

// Returns at most `count` boxes, from `begin` on.
template <typename Span>
Span Part(const Span& boxes, size_t begin, size_t count) {
  Span part = boxes;
  for (const float*& row : part.rows) row += begin;
  part.size = std::min(count, boxes.size - begin);
  return part;
}

// 512 AABBs are 12 KB, 512 OBBs 30 KB: both fit in an L1 cache of 32 KB or
// more. A multiple of 64, so that each tile begins at a word of the mask.
constexpr size_t kTile = 512;

template <typename Boxes>
void TestAllTiled(AnswerKind answer, const SphereSpan& spheres,
                  const Boxes& boxes, std::span<uint64_t> bits) {
  const size_t words = WordsFor(boxes.size);
  RequireWords("TestAll", bits, spheres.size * words);
  for (size_t begin = 0; begin < boxes.size; begin += kTile) {
    const Boxes tile = Part(boxes, begin, kTile);
    for (size_t i = 0; i < spheres.size; ++i) {
      const Spheref sphere{
          {spheres.rows[0][i], spheres.rows[1][i], spheres.rows[2][i]},
          spheres.rows[3][i]};
      TestOneToMany(answer, sphere, tile,
                    bits.subspan(i * words + begin / 64, WordsFor(tile.size)));
    }
  }
}

template <typename Boxes>
void ListTiled(AnswerKind answer, const Spheref& sphere, const Boxes& boxes,
               std::vector<uint32_t>& indices) {
  std::array<uint64_t, WordsFor(kTile)> bits;
  for (size_t begin = 0; begin < boxes.size; begin += kTile) {
    const Boxes tile = Part(boxes, begin, kTile);
    TestOneToMany(answer, sphere, tile, bits);
    for (size_t word = 0; word < WordsFor(tile.size); ++word) {
      for (uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<size_t>(std::countr_zero(rest));
        indices.push_back(static_cast<uint32_t>(begin + word * 64 + bit));
      }
    }
  }
}

template <typename Boxes>
IndexLists ListAllRows(AnswerKind answer, const SphereSpan& spheres,
                       const Boxes& boxes) {
  IndexLists lists;
  lists.offsets.reserve(spheres.size + 1);
  lists.offsets.push_back(0);
  for (size_t i = 0; i < spheres.size; ++i) {
    const Spheref sphere{
        {spheres.rows[0][i], spheres.rows[1][i], spheres.rows[2][i]},
        spheres.rows[3][i]};
    ListTiled(answer, sphere, boxes, lists.indices);
    lists.offsets.push_back(lists.indices.size());
  }
  return lists;
}

}  // namespace

void TestOneToMany(AnswerKind answer, const Spheref& sphere,
                   const AabbSpan& boxes, std::span<uint64_t> bits) {
  MaskWriter mask("TestOneToMany", bits, boxes.size);
  ORBOX_DYNAMIC_DISPATCH(OneToManyAabb)(answer, sphere, boxes, mask.bytes());
}

void TestOneToMany(AnswerKind answer, const Spheref& sphere,
                   const ObbSpan& boxes, std::span<uint64_t> bits) {
  MaskWriter mask("TestOneToMany", bits, boxes.size);
  ORBOX_DYNAMIC_DISPATCH(OneToManyObb)(answer, sphere, boxes, mask.bytes());
}

void TestManyToOne(AnswerKind answer, const SphereSpan& spheres,
                   const Aabbf& box, std::span<uint64_t> bits) {
  MaskWriter mask("TestManyToOne", bits, spheres.size);
  ORBOX_DYNAMIC_DISPATCH(ManyToOneAabb)(answer, spheres, box, mask.bytes());
}

void TestManyToOne(AnswerKind answer, const SphereSpan& spheres,
                   const Obbf& box, std::span<uint64_t> bits) {
  MaskWriter mask("TestManyToOne", bits, spheres.size);
  ORBOX_DYNAMIC_DISPATCH(ManyToOneObb)(answer, spheres, box, mask.bytes());
}

void TestPairs(AnswerKind answer, const SphereSpan& spheres,
               const AabbSpan& boxes, std::span<uint64_t> bits) {
  RequireSameSize(spheres.size, boxes.size);
  MaskWriter mask("TestPairs", bits, boxes.size);
  ORBOX_DYNAMIC_DISPATCH(PairsAabb)(answer, spheres, boxes, mask.bytes());
}

void TestPairs(AnswerKind answer, const SphereSpan& spheres,
               const ObbSpan& boxes, std::span<uint64_t> bits) {
  RequireSameSize(spheres.size, boxes.size);
  MaskWriter mask("TestPairs", bits, boxes.size);
  ORBOX_DYNAMIC_DISPATCH(PairsObb)(answer, spheres, boxes, mask.bytes());
}

void TestAll(AnswerKind answer, const SphereSpan& spheres,
             const AabbSpan& boxes, std::span<uint64_t> bits) {
  TestAllTiled(answer, spheres, boxes, bits);
}

void TestAll(AnswerKind answer, const SphereSpan& spheres, const ObbSpan& boxes,
             std::span<uint64_t> bits) {
  TestAllTiled(answer, spheres, boxes, bits);
}

void ListOneToMany(AnswerKind answer, const Spheref& sphere,
                   const AabbSpan& boxes, std::vector<uint32_t>& indices) {
  ListTiled(answer, sphere, boxes, indices);
}

void ListOneToMany(AnswerKind answer, const Spheref& sphere,
                   const ObbSpan& boxes, std::vector<uint32_t>& indices) {
  ListTiled(answer, sphere, boxes, indices);
}

IndexLists ListAll(AnswerKind answer, const SphereSpan& spheres,
                   const AabbSpan& boxes) {
  return ListAllRows(answer, spheres, boxes);
}

IndexLists ListAll(AnswerKind answer, const SphereSpan& spheres,
                   const ObbSpan& boxes) {
  return ListAllRows(answer, spheres, boxes);
}

VectorLoop RunBatchProbe() { return ORBOX_DYNAMIC_DISPATCH(BatchProbe)(); }

namespace internal {

uint32_t TestAabbBlock(AnswerKind answer, const Spheref& sphere,
                       const float* rows, size_t n) {
  return ORBOX_DYNAMIC_DISPATCH(AabbBlockOf)(answer, sphere, rows, n);
}

uint32_t TestObbBlock(AnswerKind answer, const Spheref& sphere,
                      const float* rows, size_t n) {
  return ORBOX_DYNAMIC_DISPATCH(ObbBlockOf)(answer, sphere, rows, n);
}

uint32_t TestSphereBlock(AnswerKind answer, const float* rows, const Aabbf& box,
                         size_t n) {
  return ORBOX_DYNAMIC_DISPATCH(SphereBlockOfAabb)(answer, rows, box, n);
}

uint32_t TestSphereBlock(AnswerKind answer, const float* rows, const Obbf& box,
                         size_t n) {
  return ORBOX_DYNAMIC_DISPATCH(SphereBlockOfObb)(answer, rows, box, n);
}

}  // namespace internal
}  // namespace orbox
#endif  // HWY_ONCE
