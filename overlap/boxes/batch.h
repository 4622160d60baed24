// SPDX-License-Identifier: Apache-2.0

// Overlap of many spheres and boxes, several tests in one vector instruction.
//
//   AabbTable boxes(aabbs);                       // rows of floats, once
//   std::vector<uint64_t> bits(WordsFor(boxes.size()));
//   TestOneToMany(AnswerKind::kExact, ball, boxes.view(), bits);
//   if (bits[i / 64] >> (i % 64) & 1) ...         // box i
//   uint32_t near = TestBlock(AnswerKind::kConservative, ball, eight_boxes);
//
// Tests one sphere against n boxes, n spheres against one box, n pairs, and n
// spheres against m boxes, for AABBs and OBBs. Results are bit masks or lists
// of ascending indices. Batches are named as future work in Larsson,
// Akenine-Moller and Lengyel, "On Faster Sphere-Box Overlap Testing", journal
// of graphics tools 12:1, 2007.
//
// Requires valid shapes in float. The program ends with a message if a mask is
// too short for its answers, or if the two sides of pairs differ in number.
// Each answer is equal, bit for bit, to that of a scalar function in
// sphere_aabb.h or sphere_obb.h, and has its error bound and certificate:
// kExact is OverlapsArvo for an AABB and OverlapsFolded for an OBB,
// kConservative is OverlapsConservative. Touching counts as overlap. Results do
// not depend on the instruction set (instruction_set.h). Only the functions
// that return lists allocate; all are thread-safe.
//
// Cost: 0.1 to 0.3 ns per test of one against many in cache; tests of pairs are
// limited by the speed of memory. The dispatch of a call costs 2 to 5 ns, so
// the inline kernels of sphere_sse.h are equally fast for blocks of four.
#ifndef ORBOX_OVERLAP_BOXES_BATCH_H_
#define ORBOX_OVERLAP_BOXES_BATCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/boxes/sphere_aabb.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Views of shapes that are stored coordinate by coordinate. Each row has `size`
// floats, at any address and alignment.
struct SphereSpan {
  std::array<const float*, 4> rows;  // center x, y, z, radius
  size_t size = 0;
};
struct AabbSpan {
  std::array<const float*, 6> rows;  // lo x, y, z, hi x, y, z
  size_t size = 0;
};
struct ObbSpan {
  // Rows: center x, y, z, axes[0] x, y, z, axes[1], axes[2], half extents x, y,
  // z.
  std::array<const float*, 15> rows;
  size_t size = 0;
};

// Tables of shapes that own their memory: one allocation, rows aligned to 64
// bytes. The rows of a copy may be unaligned, which costs a little speed.
template <typename Shape, typename View>
class ShapeTable {
 public:
  ShapeTable() = default;
  explicit ShapeTable(std::span<const Shape> shapes);

  size_t size() const { return size_; }
  View view() const;

 private:
  static constexpr size_t kRows = sizeof(Shape) / sizeof(float);

  size_t size_ = 0;
  size_t stride_ = 0;  // floats from one row to the next
  size_t first_ = 0;   // index of the first float of row 0
  std::vector<float> floats_;
};
using SphereTable = ShapeTable<Spheref, SphereSpan>;
using AabbTable = ShapeTable<Aabbf, AabbSpan>;
using ObbTable = ShapeTable<Obbf, ObbSpan>;

// Returns the number of words of a bit mask for n results. Result i is bit i %
// 64 of word i / 64. Bits from n on are zero.
constexpr size_t WordsFor(size_t n) { return (n + 63) / 64; }

// Requires bits.size() >= WordsFor(boxes.size).
ORBOX_EXPORT void TestOneToMany(AnswerKind answer, const Spheref& sphere,
                                const AabbSpan& boxes,
                                std::span<uint64_t> bits);
ORBOX_EXPORT void TestOneToMany(AnswerKind answer, const Spheref& sphere,
                                const ObbSpan& boxes, std::span<uint64_t> bits);

// Requires bits.size() >= WordsFor(spheres.size).
ORBOX_EXPORT void TestManyToOne(AnswerKind answer, const SphereSpan& spheres,
                                const Aabbf& box, std::span<uint64_t> bits);
ORBOX_EXPORT void TestManyToOne(AnswerKind answer, const SphereSpan& spheres,
                                const Obbf& box, std::span<uint64_t> bits);

// Tests sphere i against box i. Requires spheres.size == boxes.size and
// bits.size() >= WordsFor(boxes.size).
ORBOX_EXPORT void TestPairs(AnswerKind answer, const SphereSpan& spheres,
                            const AabbSpan& boxes, std::span<uint64_t> bits);
ORBOX_EXPORT void TestPairs(AnswerKind answer, const SphereSpan& spheres,
                            const ObbSpan& boxes, std::span<uint64_t> bits);

// Tests every sphere against every box. The mask of sphere i begins at word i *
// WordsFor(boxes.size). Requires bits.size() >= spheres.size *
// WordsFor(boxes.size). Boxes are tested in tiles that stay in L1.
ORBOX_EXPORT void TestAll(AnswerKind answer, const SphereSpan& spheres,
                          const AabbSpan& boxes, std::span<uint64_t> bits);
ORBOX_EXPORT void TestAll(AnswerKind answer, const SphereSpan& spheres,
                          const ObbSpan& boxes, std::span<uint64_t> bits);

// Appends the indices of the boxes that overlap the sphere, ascending.
ORBOX_EXPORT void ListOneToMany(AnswerKind answer, const Spheref& sphere,
                                const AabbSpan& boxes,
                                std::vector<uint32_t>& indices);
ORBOX_EXPORT void ListOneToMany(AnswerKind answer, const Spheref& sphere,
                                const ObbSpan& boxes,
                                std::vector<uint32_t>& indices);

// Lists of indices: list i is indices[offsets[i]] to indices[offsets[i + 1]],
// ascending.
struct IndexLists {
  std::vector<size_t> offsets;
  std::vector<uint32_t> indices;

  friend bool operator==(const IndexLists&, const IndexLists&) = default;
};

// Returns one list per sphere: the boxes that overlap it.
ORBOX_EXPORT IndexLists ListAll(AnswerKind answer, const SphereSpan& spheres,
                                const AabbSpan& boxes);
ORBOX_EXPORT IndexLists ListAll(AnswerKind answer, const SphereSpan& spheres,
                                const ObbSpan& boxes);

// Blocks of 4, 8 or 16 shapes, as in a node of a tree, with the rows of the
// spans. Bit i of a result is shape i.
template <size_t n>
struct SphereBlock {
  alignas(4 * n) float rows[4][n];
};
template <size_t n>
struct AabbBlock {
  alignas(4 * n) float rows[6][n];
};
template <size_t n>
struct ObbBlock {
  alignas(4 * n) float rows[15][n];
};

template <size_t n>
ORBOX_EXPORT uint32_t TestBlock(AnswerKind answer, const Spheref& sphere,
                                const AabbBlock<n>& boxes);
template <size_t n>
ORBOX_EXPORT uint32_t TestBlock(AnswerKind answer, const Spheref& sphere,
                                const ObbBlock<n>& boxes);
template <size_t n>
ORBOX_EXPORT uint32_t TestBlock(AnswerKind answer,
                                const SphereBlock<n>& spheres,
                                const Aabbf& box);
template <size_t n>
ORBOX_EXPORT uint32_t TestBlock(AnswerKind answer,
                                const SphereBlock<n>& spheres, const Obbf& box);

// Properties of these loops: the instruction set that they were compiled for,
// and the number of floats in their widest vectors.
ORBOX_EXPORT VectorLoop RunBatchProbe();

// Implementation details from here on.

namespace internal {

// Requires n = 4, 8 or 16. `rows` are stored one after the other, n floats
// each.
uint32_t TestAabbBlock(AnswerKind answer, const Spheref& sphere,
                       const float* rows, size_t n);
uint32_t TestObbBlock(AnswerKind answer, const Spheref& sphere,
                      const float* rows, size_t n);
uint32_t TestSphereBlock(AnswerKind answer, const float* rows, const Aabbf& box,
                         size_t n);
uint32_t TestSphereBlock(AnswerKind answer, const float* rows, const Obbf& box,
                         size_t n);

template <size_t n>
inline constexpr bool kIsBlockSize = n == 4 || n == 8 || n == 16;

}  // namespace internal

template <typename Shape, typename View>
ShapeTable<Shape, View>::ShapeTable(std::span<const Shape> shapes)
    : size_(shapes.size()) {
  // 16 floats are 64 bytes, a cache line. Each row is one line longer than
  // needed. Otherwise rows whose length is a power of two would compete for the
  // same sets of the cache.
  constexpr size_t kLine = 16;
  stride_ = (size_ + kLine - 1) / kLine * kLine + kLine;
  floats_.resize(kRows * stride_ + kLine);
  const auto address = reinterpret_cast<uintptr_t>(floats_.data());
  first_ = (64 - address % 64) % 64 / sizeof(float);
  for (size_t i = 0; i < size_; ++i) {
    const auto* const shape = reinterpret_cast<const std::byte*>(&shapes[i]);
    for (size_t row = 0; row < kRows; ++row) {
      std::memcpy(&floats_[first_ + row * stride_ + i],
                  shape + row * sizeof(float), sizeof(float));
    }
  }
}

template <typename Shape, typename View>
View ShapeTable<Shape, View>::view() const {
  View view{.rows = {}, .size = size_};
  for (size_t row = 0; row < kRows; ++row) {
    view.rows[row] = floats_.data() + first_ + row * stride_;
  }
  return view;
}

template <size_t n>
uint32_t TestBlock(AnswerKind answer, const Spheref& sphere,
                   const AabbBlock<n>& boxes) {
  static_assert(internal::kIsBlockSize<n>);
  return internal::TestAabbBlock(answer, sphere, boxes.rows[0], n);
}

template <size_t n>
uint32_t TestBlock(AnswerKind answer, const Spheref& sphere,
                   const ObbBlock<n>& boxes) {
  static_assert(internal::kIsBlockSize<n>);
  return internal::TestObbBlock(answer, sphere, boxes.rows[0], n);
}

template <size_t n>
uint32_t TestBlock(AnswerKind answer, const SphereBlock<n>& spheres,
                   const Aabbf& box) {
  static_assert(internal::kIsBlockSize<n>);
  return internal::TestSphereBlock(answer, spheres.rows[0], box, n);
}

template <size_t n>
uint32_t TestBlock(AnswerKind answer, const SphereBlock<n>& spheres,
                   const Obbf& box) {
  static_assert(internal::kIsBlockSize<n>);
  return internal::TestSphereBlock(answer, spheres.rows[0], box, n);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_BATCH_H_
