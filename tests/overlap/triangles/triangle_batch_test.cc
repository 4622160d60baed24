// SPDX-License-Identifier: Apache-2.0

// One shape against eight triangles: the results are those of the exact scalar
// functions, triangle by triangle, on every instruction set that the machine
// has.
#include "orbox/overlap/triangles/triangle_batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/special_numbers.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

class TriangleBatchTest : public ::testing::Test {
 protected:
  ~TriangleBatchTest() override { SetInstructionSet(std::nullopt); }

  // Runs `check` on each instruction set, for blocks of triangles of each kind
  // at each place.
  template <typename Check>
  void OnBlocks(Check check) {
    constexpr int kBlocks = 4;
    for (InstructionSet set : SupportedInstructionSets()) {
      ASSERT_TRUE(SetInstructionSet(set));
      ASSERT_EQ(RunProbeLoop().set, set);
      for (TriangleKind kind : kTriangleKinds) {
        for (const Placing& placing : kPlacings) {
          SCOPED_TRACE(std::string(Name(set)) + ", " + NameOf(kind) + ", " +
                       std::to_string(placing.scale) + ", " +
                       std::to_string(placing.shift.x));
          TriangleCases cases(kind, /*seed=*/3);
          // Every other block: of each kind, half the places see the others.
          const auto first = static_cast<int>(&placing - kPlacings) % 2;
          for (int n = first; n < kBlocks; n += 2) {
            NextBlock(cases, placing, n);
            check();
            if (HasFailure()) return;
          }
        }
      }
    }
  }

  // One triangle is tiny, next to the others: where float has few bits left of
  // it, or underflows. In one block of four, fewer than eight.
  void NextBlock(TriangleCases& cases, const Placing& placing, int n) {
    triangles_.clear();
    const auto put = [&](const Triangle& t) {
      return Transformed(t, placing.scale, placing.shift);
    };
    for (size_t i = 0; i < 8; ++i) {
      const auto [first, second] = cases.Next();
      if (i == 0) shape_ = put(first);
      triangles_.push_back(
          put(i == 5 ? Transformed(second, 0x1p-60, {}) : second));
    }
    if (n == 1) shape_ = put(Transformed(cases.Next().first, 1, {5, 0, 0}));
    if (n == 2) shape_ = put(Transformed(cases.Next().first, 0.01, {0, 1, 0}));
    if (n == 3) triangles_.resize(3);
    block_.emplace(triangles_);
    // Distances that are hit exactly, or nearly.
    const double d = Distance(shape_, triangles_.back()).distance;
    const double e = Distance(shape_.a, triangles_.front()).distance;
    distances_ = {0,
                  d,
                  std::nextafter(d, 0.0),
                  0.99 * d,
                  e,
                  std::nextafter(e, kInf),
                  3 * placing.scale};
  }

  template <typename Test>
  uint32_t ScalarBits(Test test) {
    uint32_t bits = 0;
    for (size_t i = 0; i < triangles_.size(); ++i) {
      const bool yes = test(triangles_[i]);
      bits |= static_cast<uint32_t>(yes) << i;
      ++(yes ? yes_ : no_);
    }
    return bits;
  }

  Triangle shape_;
  std::vector<Triangle> triangles_;
  std::optional<TriangleBlock> block_;
  std::vector<double> distances_;
  size_t yes_ = 0;
  size_t no_ = 0;
};

TEST_F(TriangleBatchTest, Overlap) {
  OnBlocks([this] {
    ASSERT_EQ(TestBlock(shape_, *block_), ScalarBits([&](const Triangle& t) {
                return Overlaps(shape_, t);
              }));
    for (const Aabb& box :
         {BoundsOf(shape_), Aabb{shape_.a, shape_.a},
          Aabb{Min(shape_.a, shape_.b), Max(shape_.a, shape_.b)},
          Aabb{BoundsOf(triangles_[0]).hi,
               Max(BoundsOf(triangles_[0]).hi, shape_.b)},
          Aabb{{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}}}) {
      ASSERT_EQ(TestBlock(box, *block_), ScalarBits([&](const Triangle& t) {
                  return Overlaps(box, t);
                }));
    }
  });
  EXPECT_GT(yes_, no_ / 10);
  EXPECT_GT(no_, yes_ / 10);
}

TEST_F(TriangleBatchTest, WithinDistance) {
  OnBlocks([this] {
    for (double d : distances_) {
      ASSERT_EQ(TestBlockWithin(shape_, *block_, d),
                ScalarBits([&](const Triangle& t) {
                  return WithinDistance(shape_, t, d);
                }));
      if (std::isinf(d)) continue;
      const Sphere ball{shape_.a, d};
      const uint32_t expected =
          ScalarBits([&](const Triangle& t) { return Overlaps(ball, t); });
      ASSERT_EQ(TestBlock(ball, *block_), expected);
      ASSERT_EQ(TestBlockWithin(shape_.a, *block_, d), expected);
    }
    const uint32_t all = (1u << triangles_.size()) - 1;
    ASSERT_EQ(TestBlockWithin(shape_, *block_, kInf), all);
    ASSERT_EQ(TestBlockWithin(shape_.a, *block_, kInf), all);
  });
  EXPECT_GT(yes_, no_ / 10);
  EXPECT_GT(no_, yes_ / 10);
}

TEST_F(TriangleBatchTest, Distances) {
  OnBlocks([this] {
    for (double limit : {distances_[1], distances_[2], kInf}) {
      std::array<double, 8> d;
      const uint32_t near = DistancesToBlock(shape_, *block_, limit, d);
      ASSERT_EQ(near, TestBlockWithin(shape_, *block_, limit));
      for (size_t i = 0; i < 8; ++i) {
        ASSERT_EQ(d[i], (near >> i & 1) != 0
                            ? Distance(shape_, triangles_[i]).distance
                            : kInf);
      }
      const uint32_t by_point = DistancesToBlock(shape_.b, *block_, limit, d);
      ASSERT_EQ(by_point, TestBlockWithin(shape_.b, *block_, limit));
      for (size_t i = 0; i < 8; ++i) {
        ASSERT_EQ(d[i], (by_point >> i & 1) != 0
                            ? Distance(shape_.b, triangles_[i]).distance
                            : kInf);
      }
    }
  });
}

// Slivers whose area, squared, is where float has few bits or none: a normal
// made of it is far from a unit one, and no gap along it may be believed.
TEST_F(TriangleBatchTest, SliversWhoseNormalsUnderflow) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  for (InstructionSet set : SupportedInstructionSets()) {
    SCOPED_TRACE(std::string(Name(set)));
    ASSERT_TRUE(SetInstructionSet(set));
    for (int power = -90; power < -20; ++power) {
      triangles_.clear();
      for (int i = 0; i < 8; ++i) {
        const double thin = std::ldexp(uniform(random), power);
        triangles_.push_back({{-1, 0, 0}, {1, 0, 0}, {0, thin, -thin}});
      }
      block_.emplace(triangles_);
      const double h = uniform(random);
      shape_ = {{-0.5, h, h}, {0.5, h, h}, {0, 3 * h, 2 * h}};
      const double d = Distance(shape_, triangles_[0]).distance;
      for (double limit : {0.9 * d, d, 1.1 * d, 1.4 * d}) {
        ASSERT_EQ(TestBlockWithin(shape_, *block_, limit),
                  ScalarBits([&](const Triangle& t) {
                    return WithinDistance(shape_, t, limit);
                  }));
      }
      const double r = uniform(random) * std::ldexp(1.0, power);
      const Aabb box{{-r, -r, -r}, {r, r, r}};
      ASSERT_EQ(TestBlock(box, *block_), ScalarBits([&](const Triangle& t) {
                  return Overlaps(box, t);
                }));
    }
  }
}

TEST(TriangleBlock, OfNoneAndOfOnePoint) {
  std::array<double, 8> d;
  const TriangleBlock none(std::span<const Triangle>{});
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(TestBlock(Sphere{{0, 0, 0}, 1}, none), 0u);
  EXPECT_EQ(DistancesToBlock(Vec3{0, 0, 0}, none, kInf, d), 0u);
  EXPECT_EQ(*std::min_element(d.begin(), d.end()), kInf);

  const Vec3 p{1e200, -3, 1e-200};
  const std::vector<Triangle> points(8, Triangle{p, p, p});
  const TriangleBlock block(points);
  EXPECT_EQ(TestBlock(Aabb{p, p}, block), 0xffu);
  EXPECT_EQ(DistancesToBlock(p, block, 0, d), 0xffu);
  EXPECT_EQ(TestBlockWithin(Vec3{1e200, -3, 1e-100}, block, 1e-101), 0u);
  EXPECT_EQ(TestBlockWithin(Vec3{1e200, -3, 1e-100}, block, 1e-100), 0xffu);
}

TEST(TriangleBlockDeathTest, MoreThanEightEndLoudly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::vector<Triangle> nine(9);
  EXPECT_DEATH(TriangleBlock{nine}, "TriangleBlock: there are too many");
}

}  // namespace
}  // namespace orbox
