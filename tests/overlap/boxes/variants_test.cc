// SPDX-License-Identifier: Apache-2.0

// Every row of variants.h against the oracles, without naming any row.
#include "orbox/overlap/boxes/variants.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/base/roundoff.h"
#include "tests/support/exact_shapes.h"
#include "tests/support/shape_generator.h"

namespace orbox {
namespace {

// Reference for the errors of the rows.
struct Truth {
  long double distance;  // in the box's frame
  long double size;      // the M of variants.h
  long double slop;      // of `distance`
};

Truth TruthOf(const Spheref& s, const Aabbf& b) {
  const float size =
      std::max(MaxCoordinate(Abs(s.center)),
               std::max(MaxCoordinate(Abs(b.lo)), MaxCoordinate(Abs(b.hi))));
  const long double d = exact::Distance(s.center, b);
  return {d, size, d * exact::kSlop};
}

Truth TruthOf(const Spheref& s, const Obbf& b) {
  const long double size = exact::DistanceBetweenCentres1(s, b);
  return {exact::DistanceInFrame(s.center, b), size, size * exact::kSlop};
}

// Distance of the sphere's centre to the farthest of the box's three slabs.
long double LargestExcess(const Spheref& s, const Aabbf& b) {
  long double e = 0;
  for (size_t i = 0; i < 3; ++i) {
    const long double c = s.center[i];
    e = std::max({e, b.lo[i] - c, c - b.hi[i]});
  }
  return e;
}
long double LargestExcess(const Spheref& s, const Obbf& b) {
  const auto folded = exact::FoldedIntoFrame(s.center, b);
  long double e = 0;
  for (size_t i = 0; i < 3; ++i) e = std::max(e, folded[i] - b.half_extents[i]);
  return e;
}

// Returns true if squares of x keep their precision in float.
bool SquaresWell(long double x) {
  return x == 0 || (x > 0x1p-50L && x < 0x1p62L);
}

template <typename Box>
std::string Describe(const Spheref& s, const Box& b) {
  std::string text = ::testing::PrintToString(s.radius) + " at";
  for (size_t i = 0; i < 3; ++i) {
    text += " " + ::testing::PrintToString(s.center[i]);
  }
  return text + ", distance " +
         ::testing::PrintToString(static_cast<double>(TruthOf(s, b).distance));
}

// Counts of effective checks, so that a test cannot pass by generating nothing
// of a kind.
struct Checked {
  uint64_t yes = 0;
  uint64_t no = 0;
};

template <typename Row, typename Box>
void CheckAnswer(const Row& row, bool answer, const Spheref& s, const Box& b,
                 Checked& checked) {
  const Truth truth = TruthOf(s, b);
  const long double error = kFloatRoundoff * (row.error_per_radius * s.radius +
                                              row.error_per_size * truth.size) +
                            truth.slop;
  if (row.answer == AnswerKind::kConservative) {
    if (!answer) {
      ++checked.no;
      ASSERT_FALSE(exact::Overlaps(s, b))
          << row.name << ": a false negative, radius " << Describe(s, b);
      return;
    }
    ++checked.yes;
    // The smallest normal number is the floor of the margin.
    ASSERT_LE(LargestExcess(s, b),
              s.radius + error + std::numeric_limits<float>::min())
        << row.name << ": accepts what quick rejection should have, radius "
        << Describe(s, b);
    return;
  }
  if (!SquaresWell(truth.distance) || !SquaresWell(s.radius)) return;
  if (truth.distance > s.radius + error) {
    ++checked.no;
    ASSERT_FALSE(answer) << row.name << ", radius " << Describe(s, b);
  } else if (truth.distance < s.radius - error || truth.distance == 0) {
    ++checked.yes;
    if (truth.distance == 0 && error > s.radius) return;
    ASSERT_TRUE(answer) << row.name << ", radius " << Describe(s, b);
  }
}

template <typename Box>
void CheckRow(const SphereBoxVariant<Box>& row, const Spheref& s, const Box& b,
              Checked& checked) {
  CheckAnswer(row, row.overlaps(s, b), s, b, checked);
}

template <typename Block, typename Box>
Block BlockOf(const Box (&boxes)[8]) {
  Block block;
  for (size_t lane = 0; lane < 8; ++lane) {
    float floats[std::size(Block{}.rows)];
    static_assert(sizeof(floats) == sizeof(Box));
    std::memcpy(floats, &boxes[lane], sizeof(Box));
    for (size_t k = 0; k < std::size(floats); ++k) {
      block.rows[k][lane] = floats[k];
    }
  }
  return block;
}

// Checks rows of one sphere and eight boxes on every instruction set. Lane 0
// has the sphere's own box, often tangent to it; the others have the boxes of
// the seven pairs before.
template <typename Box, typename Block, typename Rows, typename Next>
void CheckRowsOfEight(const Rows& rows, Next next) {
  for (InstructionSet set : SupportedInstructionSets()) {
    SCOPED_TRACE(std::string(Name(set)));
    ASSERT_TRUE(SetInstructionSet(set));
    std::vector<Checked> checked(std::size(rows));
    Box boxes[8] = {};
    for (int n = 0; n < 20'000; ++n) {
      const auto [s, b] = next();
      std::copy_backward(boxes, boxes + 7, boxes + 8);
      boxes[0] = b;
      if (n < 8) continue;
      const Block block = BlockOf<Block>(boxes);
      for (size_t i = 0; i < checked.size(); ++i) {
        const uint32_t answers = rows[i].overlaps(s, block);
        ASSERT_EQ(answers >> 8, 0u);
        for (size_t lane = 0; lane < 8; ++lane) {
          CheckAnswer(rows[i], (answers >> lane & 1) != 0, s, boxes[lane],
                      checked[i]);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
    for (const Checked& c : checked) {
      EXPECT_GT(c.yes, 10'000u);
      EXPECT_GT(c.no, 10'000u);
    }
  }
  SetInstructionSet(std::nullopt);
}

TEST(VariantsTest, RowsOfEightAreRightWithinTheirError) {
  ShapeGenerator<float> generator(/*seed=*/6);
  CheckRowsOfEight<Aabbf, AabbBlock<8>>(kSphereEightAabbsVariants,
                                        [&] { return generator.NextAabb(); });
  CheckRowsOfEight<Obbf, ObbBlock<8>>(kSphereEightObbsVariants,
                                      [&] { return generator.NextObb(); });
}

TEST(VariantsTest, NamesAreUnique) {
  std::set<std::string_view> aabb, obb;
  for (const auto& row : kSphereAabbVariants) aabb.insert(row.name);
  for (const auto& row : kSphereObbVariants) obb.insert(row.name);
  EXPECT_EQ(aabb.size(), std::size(kSphereAabbVariants));
  EXPECT_EQ(obb.size(), std::size(kSphereObbVariants));
}

TEST(VariantsTest, AabbRowsAreRightWithinTheirError) {
  ShapeGenerator<float> generator(/*seed=*/1);
  std::vector<Checked> checked(std::size(kSphereAabbVariants));
  for (int n = 0; n < 200'000; ++n) {
    const auto [s, b] = generator.NextAabb();
    ASSERT_TRUE(IsValid(s) && IsValid(b));
    for (size_t i = 0; i < checked.size(); ++i) {
      CheckRow(kSphereAabbVariants[i], s, b, checked[i]);
      if (HasFatalFailure()) return;
    }
  }
  for (const Checked& c : checked) {
    EXPECT_GT(c.yes, 10'000u);
    EXPECT_GT(c.no, 10'000u);
  }
}

TEST(VariantsTest, ObbRowsAreRightWithinTheirError) {
  ShapeGenerator<float> generator(/*seed=*/2);
  std::vector<Checked> checked(std::size(kSphereObbVariants));
  for (int n = 0; n < 200'000; ++n) {
    const auto [s, b] = generator.NextObb();
    ASSERT_TRUE(IsValid(s) && IsValid(b));
    for (size_t i = 0; i < checked.size(); ++i) {
      CheckRow(kSphereObbVariants[i], s, b, checked[i]);
      if (HasFatalFailure()) return;
    }
  }
  for (const Checked& c : checked) {
    EXPECT_GT(c.yes, 10'000u);
    EXPECT_GT(c.no, 10'000u);
  }
}

// Only the certified side, so that many more pairs fit into the time.
TEST(VariantsTest, ConservativeRowsHaveNoFalseNegativeInAMillion) {
  ShapeGenerator<float> generator(/*seed=*/3);
  uint64_t rejected = 0;
  for (int n = 0; n < 600'000; ++n) {
    const auto [s, aabb] = generator.NextAabb();
    for (const auto& row : kSphereAabbVariants) {
      if (row.answer != AnswerKind::kConservative || row.overlaps(s, aabb))
        continue;
      ++rejected;
      ASSERT_FALSE(exact::Overlaps(s, aabb)) << row.name << Describe(s, aabb);
    }
    const auto [t, obb] = generator.NextObb();
    for (const auto& row : kSphereObbVariants) {
      if (row.answer != AnswerKind::kConservative || row.overlaps(t, obb))
        continue;
      ++rejected;
      ASSERT_FALSE(exact::Overlaps(t, obb)) << row.name << Describe(t, obb);
    }
  }
  EXPECT_GT(rejected, 300'000u);
}

Spheref Scaled(const Spheref& s, float f) {
  return {s.center * f, s.radius * f};
}
Aabbf Scaled(const Aabbf& b, float f) { return {b.lo * f, b.hi * f}; }
Obbf Scaled(const Obbf& b, float f) {
  return {b.center * f, b.axes, b.half_extents * f};
}

template <typename Rows, typename Next>
void ExpectScalingKeepsAnswers(const Rows& rows, Next next) {
  for (int n = 0; n < 20'000; ++n) {
    const auto [s, b] = next();
    // Far from both ends of the range, where powers of two are exact.
    const long double d = TruthOf(s, b).distance;
    const bool plain = SquaresWell(d) && SquaresWell(s.radius) && d < 0x1p30L &&
                       s.radius < 0x1p30f && d > 0x1p-24L &&
                       s.radius > 0x1p-24f;
    if (!plain) continue;
    for (const auto& row : rows) {
      for (float f : {0x1p-9f, 0.5f, 0x1p12f}) {
        ASSERT_EQ(row.overlaps(s, b), row.overlaps(Scaled(s, f), Scaled(b, f)))
            << row.name << " scaled by " << f << ", radius " << Describe(s, b);
      }
    }
  }
}

TEST(VariantsTest, ScalingByPowersOfTwoKeepsAnswers) {
  ShapeGenerator<float> generator(/*seed=*/4);
  // Offsets and tiny extents are left out: scaled down, they would lose bits to
  // underflow.
  auto tame = [](const auto& box) {
    return Scaled(Scaled(box, 0x1p-20f), 0x1p20f);
  };
  ExpectScalingKeepsAnswers(kSphereAabbVariants, [&] {
    auto [s, b] = generator.NextAabb();
    const Aabbf same = tame(b);
    return std::pair(s, same.lo == b.lo && same.hi == b.hi ? b : Aabbf{});
  });
  ExpectScalingKeepsAnswers(kSphereObbVariants, [&] {
    auto [s, b] = generator.NextObb();
    const Obbf same = tame(b);
    return std::pair(s, same.half_extents == b.half_extents ? b : Obbf{});
  });
}

// Negating an axis swaps lo and hi, and changes no bit of any sum.
TEST(VariantsTest, MirroringKeepsAnswers) {
  ShapeGenerator<float> generator(/*seed=*/5);
  for (int n = 0; n < 50'000; ++n) {
    const auto [s, b] = generator.NextAabb();
    const auto [t, o] = generator.NextObb();
    for (size_t axis = 0; axis < 3; ++axis) {
      Spheref s2 = s;
      Aabbf b2 = b;
      s2.center[axis] = -s.center[axis];
      b2.lo[axis] = -b.hi[axis];
      b2.hi[axis] = -b.lo[axis];
      for (const auto& row : kSphereAabbVariants) {
        ASSERT_EQ(row.overlaps(s, b), row.overlaps(s2, b2)) << row.name;
      }
      Spheref t2 = t;
      Obbf o2 = o;
      t2.center[axis] = -t.center[axis];
      o2.center[axis] = -o.center[axis];
      for (auto& a : o2.axes) a[axis] = -a[axis];
      for (const auto& row : kSphereObbVariants) {
        ASSERT_EQ(row.overlaps(t, o), row.overlaps(t2, o2)) << row.name;
      }
    }
  }
}

// Exchanging x and y exchanges the first two terms of every sum, whose order is
// (x + y) + z; the other permutations are held to the stated error above.
TEST(VariantsTest, ExchangingXAndYKeepsAnswers) {
  ShapeGenerator<float> generator(/*seed=*/6);
  auto swap = [](const Vec3f& v) { return Vec3f{v.y, v.x, v.z}; };
  for (int n = 0; n < 50'000; ++n) {
    const auto [s, b] = generator.NextAabb();
    const Spheref s2{swap(s.center), s.radius};
    const Aabbf b2{swap(b.lo), swap(b.hi)};
    for (const auto& row : kSphereAabbVariants) {
      ASSERT_EQ(row.overlaps(s, b), row.overlaps(s2, b2)) << row.name;
    }
    const auto [t, o] = generator.NextObb();
    const Spheref t2{swap(t.center), t.radius};
    const Obbf o2{swap(o.center),
                  {swap(o.axes[0]), swap(o.axes[1]), swap(o.axes[2])},
                  o.half_extents};
    for (const auto& row : kSphereObbVariants) {
      ASSERT_EQ(row.overlaps(t, o), row.overlaps(t2, o2)) << row.name;
    }
  }
}

// Hand-made contacts that are exact in float: a face, an edge (3-4-5), a corner
// (2-3-6, 7), a point sphere on the surface, a box that is a point.
TEST(VariantsTest, TouchingIsOverlapping) {
  const Aabbf box{{-1, -1, -1}, {1, 1, 1}};
  const Obbf oriented{
      {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 1, 1}};
  const auto boxes =
      BlockOf<AabbBlock<8>, Aabbf>({box, box, box, box, box, box, box, box});
  const auto turned =
      BlockOf<ObbBlock<8>, Obbf>({oriented, oriented, oriented, oriented,
                                  oriented, oriented, oriented, oriented});
  struct Case {
    Spheref sphere;
    float farther;  // a radius just too small
  };
  const Case cases[] = {
      {{{3, 0, 0}, 2}, std::nextafter(2.0f, 0.0f)},
      {{{4, 5, 0.5f}, 5}, std::nextafter(5.0f, 0.0f)},
      {{{-3, 4, -7}, 7}, std::nextafter(7.0f, 0.0f)},
      {{{0, 0, -1.5f}, 0.5f}, std::nextafter(0.5f, 0.0f)},
  };
  for (const Case& c : cases) {
    const Spheref apart{c.sphere.center, c.farther};
    for (const auto& row : kSphereAabbVariants) {
      EXPECT_TRUE(row.overlaps(c.sphere, box)) << row.name;
      if (row.answer == AnswerKind::kExact) {
        EXPECT_FALSE(row.overlaps(apart, box)) << row.name;
      }
    }
    for (const auto& row : kSphereObbVariants) {
      EXPECT_TRUE(row.overlaps(c.sphere, oriented)) << row.name;
      if (row.answer == AnswerKind::kExact) {
        EXPECT_FALSE(row.overlaps(apart, oriented)) << row.name;
      }
    }
    for (const auto& row : kSphereEightAabbsVariants) {
      EXPECT_EQ(row.overlaps(c.sphere, boxes), 0xffu) << row.name;
      if (row.answer == AnswerKind::kExact) {
        EXPECT_EQ(row.overlaps(apart, boxes), 0u) << row.name;
      }
    }
    for (const auto& row : kSphereEightObbsVariants) {
      EXPECT_EQ(row.overlaps(c.sphere, turned), 0xffu) << row.name;
      if (row.answer == AnswerKind::kExact) {
        EXPECT_EQ(row.overlaps(apart, turned), 0u) << row.name;
      }
    }
  }
  const Spheref point{{1, -1, 0.25f}, 0};
  const Aabbf itself{{1, -1, 0.25f}, {1, -1, 0.25f}};
  const Obbf also{{1, -1, 0.25f}, oriented.axes, {0, 0, 0}};
  for (const auto& row : kSphereAabbVariants) {
    EXPECT_TRUE(row.overlaps(point, box)) << row.name;
    EXPECT_TRUE(row.overlaps(point, itself)) << row.name;
  }
  for (const auto& row : kSphereObbVariants) {
    EXPECT_TRUE(row.overlaps(point, oriented)) << row.name;
    EXPECT_TRUE(row.overlaps(point, also)) << row.name;
  }
}

// The three pairs that the squared-distance article prints as its test:
// overlap, overlap, separate.
TEST(VariantsTest, TheThreePublishedCases) {
  const Aabbf box{{-1, -1, -1}, {1, 1, 1}};
  const Obbf oriented{
      {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 1, 1}};
  const std::pair<Spheref, bool> cases[] = {
      {{{0, 0, 0}, 1}, true}, {{{1, 0, 0}, 1}, true}, {{{3, 0, 0}, 1}, false}};
  for (const auto& [s, expected] : cases) {
    for (const auto& row : kSphereAabbVariants) {
      EXPECT_EQ(row.overlaps(s, box), expected) << row.name;
    }
    for (const auto& row : kSphereObbVariants) {
      EXPECT_EQ(row.overlaps(s, oriented), expected) << row.name;
    }
  }
}

// A corner is where the conservative tests differ: they answer for the box
// enlarged on each axis.
TEST(VariantsTest, ConservativeRowsAcceptBesideACorner) {
  const Aabbf box{{-1, -1, -1}, {1, 1, 1}};
  const Spheref beside{{1.9f, 1.9f, 1.9f}, 1};
  for (const auto& row : kSphereAabbVariants) {
    EXPECT_EQ(row.overlaps(beside, box),
              row.answer == AnswerKind::kConservative)
        << row.name;
  }
}

}  // namespace
}  // namespace orbox
