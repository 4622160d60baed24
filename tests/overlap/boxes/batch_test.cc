// SPDX-License-Identifier: Apache-2.0

// Batches against the scalar functions, bit for bit, on every instruction set
// that the machine has.
#include "orbox/overlap/boxes/batch.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/boxes/sphere_aabb.h"
#include "orbox/overlap/boxes/sphere_obb.h"
#include "tests/support/shape_generator.h"

namespace orbox {
namespace {

bool Scalar(AnswerKind answer, const Spheref& s, const Aabbf& b) {
  return answer == AnswerKind::kExact ? OverlapsArvo(s, b)
                                      : OverlapsConservative(s, b);
}
bool Scalar(AnswerKind answer, const Spheref& s, const Obbf& b) {
  return answer == AnswerKind::kExact ? OverlapsFolded(s, b)
                                      : OverlapsConservative(s, b);
}

template <typename Box>
struct Shapes {
  std::vector<Spheref> spheres;
  std::vector<Box> boxes;
};

// With a few pairs at the end of the range, where differences overflow.
template <typename Box>
Shapes<Box> MakeShapes(size_t n, uint64_t seed) {
  constexpr float kMax = std::numeric_limits<float>::max();
  ShapeGenerator<float> generator(seed);
  Shapes<Box> shapes;
  for (size_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<Box, Aabbf>) {
      auto [s, b] = generator.NextAabb();
      if (generator.Below(32) == 0) {
        s.center = {kMax, -kMax, kMax / 2};
        b = {{-kMax, -kMax, -1}, {-kMax / 2, 0, kMax}};
      }
      shapes.spheres.push_back(s);
      shapes.boxes.push_back(b);
    } else {
      auto [s, b] = generator.NextObb();
      if (generator.Below(32) == 0) s.center = {kMax, -kMax, kMax / 2};
      if (generator.Below(32) == 0) b.center = {-kMax, kMax, 0};
      shapes.spheres.push_back(s);
      shapes.boxes.push_back(b);
    }
  }
  return shapes;
}

template <typename Box>
using TableOf =
    std::conditional_t<std::is_same_v<Box, Aabbf>, AabbTable, ObbTable>;

bool BitAt(const std::vector<uint64_t>& bits, size_t i) {
  return (bits[i / 64] >> (i % 64) & 1) != 0;
}

template <typename Box>
class BatchTest : public ::testing::Test {
 protected:
  ~BatchTest() override { SetInstructionSet(std::nullopt); }

  // Runs `check` on each instruction set and for both kinds of answer.
  template <typename Check>
  void OnEverySet(Check check) {
    for (InstructionSet set : SupportedInstructionSets()) {
      SCOPED_TRACE(std::string(Name(set)));
      ASSERT_TRUE(SetInstructionSet(set));
      ASSERT_EQ(RunBatchProbe().set, set);
      for (AnswerKind answer :
           {AnswerKind::kExact, AnswerKind::kConservative}) {
        check(answer);
        if (this->HasFatalFailure()) return;
      }
    }
  }
};
using Boxes = ::testing::Types<Aabbf, Obbf>;
TYPED_TEST_SUITE(BatchTest, Boxes);

TYPED_TEST(BatchTest, PairsOfEveryLength) {
  using Box = TypeParam;
  for (size_t n : {0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 63, 64, 65, 100, 20'000}) {
    const auto shapes = MakeShapes<Box>(n, /*seed=*/n + 1);
    const SphereTable spheres(shapes.spheres);
    const TableOf<Box> boxes(shapes.boxes);
    this->OnEverySet([&](AnswerKind answer) {
      // A word too many, which must not change.
      std::vector<uint64_t> bits(WordsFor(n) + 1, ~uint64_t{0});
      TestPairs(answer, spheres.view(), boxes.view(), bits);
      size_t meeting = 0;
      for (size_t i = 0; i < n; ++i) {
        ASSERT_EQ(BitAt(bits, i),
                  Scalar(answer, shapes.spheres[i], shapes.boxes[i]))
            << i << " of " << n;
        meeting += BitAt(bits, i);
      }
      for (size_t i = n; i < WordsFor(n) * 64; ++i)
        ASSERT_FALSE(BitAt(bits, i));
      ASSERT_EQ(bits.back(), ~uint64_t{0});
      if (n == 20'000) {
        ASSERT_GT(meeting, n / 10);
        ASSERT_LT(meeting, n * 9 / 10);
      }
    });
  }
}

TYPED_TEST(BatchTest, OneToManyAndManyToOne) {
  using Box = TypeParam;
  for (size_t n : {1, 5, 8, 16, 50, 700}) {
    const auto shapes = MakeShapes<Box>(n, /*seed=*/100 + n);
    const SphereTable spheres(shapes.spheres);
    const TableOf<Box> boxes(shapes.boxes);
    this->OnEverySet([&](AnswerKind answer) {
      std::vector<uint64_t> bits(WordsFor(n));
      for (size_t k = 0; k < n; k += 7) {
        TestOneToMany(answer, shapes.spheres[k], boxes.view(), bits);
        for (size_t i = 0; i < n; ++i) {
          ASSERT_EQ(BitAt(bits, i),
                    Scalar(answer, shapes.spheres[k], shapes.boxes[i]));
        }
        TestManyToOne(answer, spheres.view(), shapes.boxes[k], bits);
        for (size_t i = 0; i < n; ++i) {
          ASSERT_EQ(BitAt(bits, i),
                    Scalar(answer, shapes.spheres[i], shapes.boxes[k]));
        }
      }
    });
  }
}

// More boxes than fit one tile, and a length that is no multiple of anything.
TYPED_TEST(BatchTest, AllAgainstAllAsMasksAndAsLists) {
  using Box = TypeParam;
  constexpr size_t kSpheres = 13;
  constexpr size_t kBoxes = 1131;
  const auto some = MakeShapes<Box>(kSpheres, /*seed=*/200);
  const auto many = MakeShapes<Box>(kBoxes, /*seed=*/201);
  const SphereTable spheres(some.spheres);
  const TableOf<Box> boxes(many.boxes);
  this->OnEverySet([&](AnswerKind answer) {
    const size_t words = WordsFor(kBoxes);
    std::vector<uint64_t> bits(kSpheres * words);
    TestAll(answer, spheres.view(), boxes.view(), bits);
    const IndexLists lists = ListAll(answer, spheres.view(), boxes.view());
    ASSERT_EQ(lists.offsets.size(), kSpheres + 1);
    ASSERT_EQ(lists.offsets.front(), 0u);
    ASSERT_EQ(lists.offsets.back(), lists.indices.size());
    for (size_t i = 0; i < kSpheres; ++i) {
      std::vector<uint32_t> expected;
      for (size_t j = 0; j < kBoxes; ++j) {
        const bool meet = Scalar(answer, some.spheres[i], many.boxes[j]);
        ASSERT_EQ((bits[i * words + j / 64] >> (j % 64) & 1) != 0, meet);
        if (meet) expected.push_back(static_cast<uint32_t>(j));
      }
      const std::vector<uint32_t> row(
          lists.indices.begin() + static_cast<ptrdiff_t>(lists.offsets[i]),
          lists.indices.begin() + static_cast<ptrdiff_t>(lists.offsets[i + 1]));
      ASSERT_EQ(row, expected);
      std::vector<uint32_t> appended = {77};
      ListOneToMany(answer, some.spheres[i], boxes.view(), appended);
      expected.insert(expected.begin(), 77);
      ASSERT_EQ(appended, expected);
    }
  });
}

template <size_t n, typename Box>
void CheckBlocks(AnswerKind answer) {
  using BoxBlock =
      std::conditional_t<std::is_same_v<Box, Aabbf>, AabbBlock<n>, ObbBlock<n>>;
  const auto shapes = MakeShapes<Box>(40 * n, /*seed=*/300 + n);
  const SphereTable spheres(shapes.spheres);
  const TableOf<Box> boxes(shapes.boxes);
  for (size_t begin = 0; begin < 40 * n; begin += n) {
    SphereBlock<n> sphere_block;
    BoxBlock box_block;
    for (size_t row = 0; row < std::size(sphere_block.rows); ++row) {
      std::copy_n(spheres.view().rows[row] + begin, n, sphere_block.rows[row]);
    }
    for (size_t row = 0; row < std::size(box_block.rows); ++row) {
      std::copy_n(boxes.view().rows[row] + begin, n, box_block.rows[row]);
    }
    const Spheref& sphere = shapes.spheres[begin];
    const Box& box = shapes.boxes[begin];
    const uint32_t against_boxes = TestBlock(answer, sphere, box_block);
    const uint32_t against_spheres = TestBlock(answer, sphere_block, box);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ((against_boxes >> i & 1) != 0,
                Scalar(answer, sphere, shapes.boxes[begin + i]));
      ASSERT_EQ((against_spheres >> i & 1) != 0,
                Scalar(answer, shapes.spheres[begin + i], box));
    }
    ASSERT_EQ(against_boxes >> (n - 1) >> 1, 0u);
    ASSERT_EQ(against_spheres >> (n - 1) >> 1, 0u);
  }
}

TYPED_TEST(BatchTest, BlocksOf4And8And16) {
  this->OnEverySet([&](AnswerKind answer) {
    CheckBlocks<4, TypeParam>(answer);
    CheckBlocks<8, TypeParam>(answer);
    CheckBlocks<16, TypeParam>(answer);
  });
}

// Wider sets do run wider loops.
TEST(BatchProbeTest, LanesOfEachSet) {
  for (InstructionSet set : SupportedInstructionSets()) {
    ASSERT_TRUE(SetInstructionSet(set));
    const VectorLoop loop = RunBatchProbe();
    EXPECT_EQ(loop.set, set);
    // The fallback target has four lanes or, with some compilers, one.
    if (set <= InstructionSet::kSse2) continue;
    EXPECT_EQ(loop.float_lanes, set == InstructionSet::kAvx512 ? 16u
                                : set == InstructionSet::kAvx2 ? 8u
                                                               : 4u)
        << Name(set);
  }
  SetInstructionSet(std::nullopt);
}

// Rows that start anywhere, and end where the memory ends (a sanitizer would
// report a read beyond it).
TEST(BatchUnalignedTest, RowsMayBeAnywhere) {
  const auto shapes = MakeShapes<Aabbf>(37, /*seed=*/400);
  std::vector<std::vector<float>> rows(10);
  SphereSpan spheres{.rows = {}, .size = 37};
  AabbSpan boxes{.rows = {}, .size = 37};
  for (size_t row = 0; row < 10; ++row) {
    rows[row].resize(37 + row % 4);
    float* const first = rows[row].data() + row % 4;
    for (size_t i = 0; i < 37; ++i) {
      const Spheref& s = shapes.spheres[i];
      const Aabbf& b = shapes.boxes[i];
      first[i] = row < 3    ? s.center[row]
                 : row == 3 ? s.radius
                 : row < 7  ? b.lo[row - 4]
                            : b.hi[row - 7];
    }
    (row < 4 ? spheres.rows[row] : boxes.rows[row - 4]) = first;
  }
  for (InstructionSet set : SupportedInstructionSets()) {
    ASSERT_TRUE(SetInstructionSet(set));
    std::vector<uint64_t> bits(1);
    TestPairs(AnswerKind::kExact, spheres, boxes, bits);
    for (size_t i = 0; i < 37; ++i) {
      EXPECT_EQ(BitAt(bits, i),
                OverlapsArvo(shapes.spheres[i], shapes.boxes[i]));
    }
  }
  SetInstructionSet(std::nullopt);
}

TEST(ShapeTableTest, RowsAreAlignedAndCopiesHoldTheSame) {
  const auto shapes = MakeShapes<Obbf>(33, /*seed=*/500);
  const ObbTable table(shapes.boxes);
  const ObbTable copy = table;
  EXPECT_EQ(ObbTable().size(), 0u);
  ASSERT_EQ(copy.size(), 33u);
  for (size_t row = 0; row < 15; ++row) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(table.view().rows[row]) % 64, 0u);
    EXPECT_NE(copy.view().rows[row], table.view().rows[row]);
    EXPECT_TRUE(std::equal(copy.view().rows[row], copy.view().rows[row] + 33,
                           table.view().rows[row]));
  }
  EXPECT_EQ(table.view().rows[14][32], shapes.boxes[32].half_extents.z);
  EXPECT_EQ(table.view().rows[4][7], shapes.boxes[7].axes[0].y);
}

TEST(BatchDeathTest, AMaskThatIsTooShortEndsLoudly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto shapes = MakeShapes<Aabbf>(70, /*seed=*/7);
  const auto turned = MakeShapes<Obbf>(70, /*seed=*/7);
  const SphereTable spheres(shapes.spheres);
  const AabbTable boxes(shapes.boxes);
  const ObbTable obbs(turned.boxes);
  // Room for fewer answers than there are, in front of what must not change.
  std::vector<uint64_t> room(2 * 70);
  const std::span<uint64_t> one = std::span(room).first(1);
  const Spheref& ball = shapes.spheres[0];
  constexpr AnswerKind kAnswer = AnswerKind::kExact;
  constexpr char kMessage[] = "`bits` is too short; pass WordsFor";
  EXPECT_DEATH(TestOneToMany(kAnswer, ball, boxes.view(), one), kMessage);
  EXPECT_DEATH(TestOneToMany(kAnswer, ball, obbs.view(), one), kMessage);
  EXPECT_DEATH(TestManyToOne(kAnswer, spheres.view(), shapes.boxes[0], one),
               kMessage);
  EXPECT_DEATH(TestManyToOne(kAnswer, spheres.view(), turned.boxes[0], one),
               kMessage);
  EXPECT_DEATH(TestPairs(kAnswer, spheres.view(), boxes.view(), one), kMessage);
  EXPECT_DEATH(TestPairs(kAnswer, spheres.view(), obbs.view(), one), kMessage);
  EXPECT_DEATH(TestAll(kAnswer, spheres.view(), boxes.view(),
                       std::span(room).first(2 * 70 - 1)),
               "TestAll: `bits` is too short");
  SphereSpan fewer = spheres.view();
  fewer.size = 69;
  EXPECT_DEATH(TestPairs(kAnswer, fewer, boxes.view(), room),
               "TestPairs: the numbers of spheres and of boxes differ");
  TestAll(kAnswer, spheres.view(), boxes.view(), room);  // exactly enough
}

}  // namespace
}  // namespace orbox
