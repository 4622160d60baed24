// SPDX-License-Identifier: Apache-2.0

// One box against eight, lane by lane the bits of the scalar functions, on
// every instruction set that the machine has.
#include "orbox/overlap/boxes/box_batch.h"

#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/boxes/box_box.h"
#include "tests/support/shape_generator.h"

namespace orbox {
namespace {

constexpr float kLargestFloat = std::numeric_limits<float>::max();

template <typename Block, typename Box>
Block ToBlock(const std::array<Box, 8>& boxes) {
  Block block;
  for (size_t i = 0; i < 8; ++i) {
    float values[sizeof(Box) / sizeof(float)];
    std::memcpy(values, &boxes[i], sizeof(Box));
    for (size_t row = 0; row < std::size(values); ++row) {
      block.rows[row][i] = values[row];
    }
  }
  return block;
}

class BoxBatchTest : public ::testing::Test {
 protected:
  ~BoxBatchTest() override { SetInstructionSet(std::nullopt); }

  float Within(float reach) {
    return static_cast<float>(generator_.Uniform(-1, 1)) * reach;
  }

  // A box, and eight that are moved, grown or shrunk until they touch it or
  // nearly do; some overflow.
  struct Obbs {
    Obbf one;
    std::array<Obbf, 8> many;
  };
  Obbs NextObbs() {
    const auto [a, first] = generator_.NextPair();
    Obbs obbs{a, {}};
    for (size_t i = 0; i < 8; ++i) {
      Obbf b = i < 5 ? first : generator_.NextPair().second;
      const float size = MaxCoordinate(a.half_extents + b.half_extents);
      if (i >= 5) b.center = a.center;
      if (i >= 2) {
        b.center +=
            {Within(size * 0.4f), Within(size * 0.4f), Within(size * 0.4f)};
      }
      if (i == 1) b.half_extents = {0, b.half_extents.y, 0};
      if (i == 2) b.axes = a.axes;  // parallel: every cross product vanishes
      if (i == 7 && generator_.Below(8) == 0)
        b.center = {kLargestFloat, -kLargestFloat, 0};
      obbs.many[i] = b;
    }
    return obbs;
  }

  struct Aabbs {
    Aabbf one;
    std::array<Aabbf, 8> many;
  };
  Aabbs NextAabbs() {
    Aabbs aabbs{generator_.NextBox(), {}};
    const Aabbf& a = aabbs.one;
    for (size_t i = 0; i < 8; ++i) {
      Aabbf b = a;
      const Vec3f size = a.hi - a.lo;
      const Vec3f shift{Within(1.5f) * size.x, Within(1.5f) * size.y,
                        Within(1.5f) * size.z};
      b = {a.lo + shift, a.hi + shift};
      const size_t axis = generator_.Below(3);
      if (i == 1) b.lo[axis] = b.hi[axis] = a.hi[axis];  // touches
      if (i == 2) {
        b.lo[axis] = b.hi[axis] = std::nextafter(a.hi[axis], kLargestFloat);
      }
      if (i == 3) b = {a.lo, a.lo};
      if (i == 4)
        b = {{-kLargestFloat, -kLargestFloat, -kLargestFloat},
             {kLargestFloat, kLargestFloat, kLargestFloat}};
      aabbs.many[i] = b;
    }
    return aabbs;
  }

  ShapeGenerator<float> generator_{7};
};

constexpr size_t kBlocks = 10'000;

// Counts the results, so that a test can check that both occurred.
struct Tally {
  size_t yes = 0;
  size_t no = 0;
};

template <typename Test>
uint32_t ScalarBits(Test test, Tally& tally) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 8; ++i) {
    const bool yes = test(i);
    bits |= static_cast<uint32_t>(yes) << i;
    ++(yes ? tally.yes : tally.no);
  }
  return bits;
}

void ExpectBoth(const Tally& tally) {
  EXPECT_GT(tally.yes, kBlocks);
  EXPECT_GT(tally.no, kBlocks);
}

TEST_F(BoxBatchTest, AabbAgainstAabbs) {
  for (InstructionSet set : SupportedInstructionSets()) {
    SCOPED_TRACE(std::string(Name(set)));
    ASSERT_TRUE(SetInstructionSet(set));
    Tally tally;
    for (size_t n = 0; n < kBlocks; ++n) {
      const Aabbs next = NextAabbs();
      const Aabbf& a = next.one;
      const auto& many = next.many;
      ASSERT_EQ(
          TestBlock(a, ToBlock<AabbBlock<8>>(many)),
          ScalarBits([&](size_t i) { return Overlaps(a, many[i]); }, tally));
    }
    ExpectBoth(tally);
  }
}

TEST_F(BoxBatchTest, ObbAgainstObbs) {
  for (InstructionSet set : SupportedInstructionSets()) {
    SCOPED_TRACE(std::string(Name(set)));
    ASSERT_TRUE(SetInstructionSet(set));
    Tally full, lite;
    for (size_t n = 0; n < kBlocks; ++n) {
      const Obbs next = NextObbs();
      const Obbf& a = next.one;
      const auto& many = next.many;
      const auto block = ToBlock<ObbBlock<8>>(many);
      ASSERT_EQ(
          TestBlock(Sat::kFull, a, block),
          ScalarBits([&](size_t i) { return OverlapsSat(a, many[i]); }, full));
      ASSERT_EQ(
          TestBlock(Sat::kLite, a, block),
          ScalarBits([&](size_t i) { return OverlapsSatLite(a, many[i]); },
                     lite));
    }
    ExpectBoth(full);
    ExpectBoth(lite);
    EXPECT_GT(full.no, lite.no);
  }
}

TEST_F(BoxBatchTest, AabbAgainstObbsAndObbAgainstAabbs) {
  for (InstructionSet set : SupportedInstructionSets()) {
    SCOPED_TRACE(std::string(Name(set)));
    ASSERT_TRUE(SetInstructionSet(set));
    Tally full, lite;
    for (size_t n = 0; n < kBlocks; ++n) {
      const Obbs next = NextObbs();
      const Obbf& turned = next.one;
      const auto& obbs = next.many;
      // The first box, not turned.
      const Aabbf a{turned.center - turned.half_extents,
                    turned.center + turned.half_extents};
      std::array<Aabbf, 8> aabbs = NextAabbs().many;
      for (size_t i = 0; i < 4; ++i) {
        aabbs[i] = {obbs[i].center - obbs[i].half_extents,
                    obbs[i].center + obbs[i].half_extents};
      }
      const auto obb_block = ToBlock<ObbBlock<8>>(obbs);
      const auto aabb_block = ToBlock<AabbBlock<8>>(aabbs);
      ASSERT_EQ(
          TestBlock(Sat::kFull, a, obb_block),
          ScalarBits([&](size_t i) { return OverlapsSat(a, obbs[i]); }, full));
      ASSERT_EQ(
          TestBlock(Sat::kLite, a, obb_block),
          ScalarBits([&](size_t i) { return OverlapsSatLite(a, obbs[i]); },
                     lite));
      ASSERT_EQ(
          TestBlock(Sat::kFull, turned, aabb_block),
          ScalarBits([&](size_t i) { return OverlapsSat(aabbs[i], turned); },
                     full));
      ASSERT_EQ(TestBlock(Sat::kLite, turned, aabb_block),
                ScalarBits(
                    [&](size_t i) { return OverlapsSatLite(aabbs[i], turned); },
                    lite));
    }
    ExpectBoth(full);
    ExpectBoth(lite);
    EXPECT_GT(full.no, lite.no);
  }
}

}  // namespace
}  // namespace orbox
