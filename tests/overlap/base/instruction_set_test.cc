// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/base/instruction_set.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox {
namespace {

using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

constexpr InstructionSet kAll[] = {
    InstructionSet::kPortable, InstructionSet::kSse2,   InstructionSet::kSse4,
    InstructionSet::kAvx2,     InstructionSet::kAvx512, InstructionSet::kNeon};

class InstructionSetTest : public ::testing::Test {
 protected:
  ~InstructionSetTest() override { SetInstructionSet(std::nullopt); }
};

TEST_F(InstructionSetTest, NamesAreDistinctAndReadBack) {
  std::set<std::string_view> names;
  for (InstructionSet set : kAll) {
    names.insert(Name(set));
    EXPECT_EQ(InstructionSetNamed(Name(set)), set);
  }
  EXPECT_EQ(names.size(), std::size(kAll));
  EXPECT_EQ(InstructionSetNamed("AVX2"), std::nullopt);
  EXPECT_EQ(InstructionSetNamed(""), std::nullopt);
}

TEST_F(InstructionSetTest, SupportedAscendAndHoldTheBaseline) {
  const auto supported = SupportedInstructionSets();
  ASSERT_FALSE(supported.empty());
  for (size_t i = 1; i < supported.size(); ++i) {
    EXPECT_LT(supported[i - 1], supported[i]);
  }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX__)
// The compiler's own detection is independent of Highway's.
TEST_F(InstructionSetTest, SupportedAgreesWithTheCompilersDetection) {
  __builtin_cpu_init();
  std::vector<InstructionSet> expected = {InstructionSet::kSse2};
  if (__builtin_cpu_supports("sse4.2")) {
    expected.push_back(InstructionSet::kSse4);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    expected.push_back(InstructionSet::kAvx2);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq")) {
    expected.push_back(InstructionSet::kAvx512);
  }
  const auto supported = SupportedInstructionSets();
  EXPECT_EQ(std::vector(supported.begin(), supported.end()), expected);
}
#endif

TEST_F(InstructionSetTest, TheForcedOneIsTheOneThatRuns) {
  for (InstructionSet set : SupportedInstructionSets()) {
    SCOPED_TRACE(std::string(Name(set)));
    ASSERT_TRUE(SetInstructionSet(set));
    EXPECT_EQ(CurrentInstructionSet(), set);
    const VectorLoop loop = RunProbeLoop();
    EXPECT_EQ(loop.set, set);
    switch (set) {
      case InstructionSet::kAvx512:
        EXPECT_EQ(loop.float_lanes, 16u);
        break;
      case InstructionSet::kAvx2:
        EXPECT_EQ(loop.float_lanes, 8u);
        break;
      case InstructionSet::kSse4:
      case InstructionSet::kNeon:
        EXPECT_EQ(loop.float_lanes, 4u);
        break;
      // The fallback target has four lanes or, with some compilers, one.
      case InstructionSet::kSse2:
      case InstructionSet::kPortable:
        EXPECT_THAT(std::vector<size_t>({1, 4}),
                    IsSupersetOf({loop.float_lanes}));
        break;
    }
  }
}

TEST_F(InstructionSetTest, RefusesWhatTheMachineLacks) {
  ASSERT_TRUE(SetInstructionSet(SupportedInstructionSets().front()));
  const InstructionSet before = CurrentInstructionSet();
  const std::set<InstructionSet> supported(SupportedInstructionSets().begin(),
                                           SupportedInstructionSets().end());
  for (InstructionSet set : kAll) {
    if (supported.contains(set)) continue;
    EXPECT_FALSE(SetInstructionSet(set)) << Name(set);
    EXPECT_EQ(CurrentInstructionSet(), before);
    EXPECT_EQ(RunProbeLoop().set, before);
  }
}

TEST_F(InstructionSetTest, AnyThreadMaySwitch) {
  const auto supported = SupportedInstructionSets();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([supported, t] {
      for (size_t i = 0; i < 2000; ++i) {
        SetInstructionSet(supported[(i + t) % supported.size()]);
        const InstructionSet ran = RunProbeLoop().set;
        EXPECT_NE(std::find(supported.begin(), supported.end(), ran),
                  supported.end());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// The variable is read once per process, so each case is a process of its own.
using InstructionSetDeathTest = InstructionSetTest;

int DefaultUnder(const char* value) {
  setenv("ORBOX_INSTRUCTION_SET", value, /*overwrite=*/1);
  const bool quiet = InstructionSetEnvironmentError().empty();
  const bool consistent = RunProbeLoop().set == CurrentInstructionSet();
  return (consistent ? 0 : 100) + (quiet ? 0 : 50) +
         static_cast<int>(CurrentInstructionSet());
}

TEST_F(InstructionSetDeathTest, EnvironmentSetsTheDefault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (InstructionSet set : SupportedInstructionSets()) {
    EXPECT_EXIT(std::exit(DefaultUnder(std::string(Name(set)).c_str())),
                ::testing::ExitedWithCode(static_cast<int>(set)), "");
  }
}

TEST_F(InstructionSetDeathTest, NonsenseInTheEnvironmentIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const int best = static_cast<int>(SupportedInstructionSets().back());
  EXPECT_EXIT(std::exit(DefaultUnder("mmx")),
              ::testing::ExitedWithCode(50 + best), "");
  EXPECT_EXIT(
      {
        DefaultUnder("mmx");
        fputs(InstructionSetEnvironmentError().c_str(), stderr);
        std::exit(1);
      },
      ::testing::ExitedWithCode(1),
      "ORBOX_INSTRUCTION_SET=mmx names no instruction set.*choose one of");
}

TEST_F(InstructionSetTest, NoErrorWhereTheVariableIsUnsetOrGood) {
  const char* const value = std::getenv("ORBOX_INSTRUCTION_SET");
  if (value == nullptr || *value == '\0') {
    EXPECT_THAT(InstructionSetEnvironmentError(), IsEmpty());
  } else {
    const auto set = InstructionSetNamed(value);
    const auto supported = SupportedInstructionSets();
    const bool good =
        set.has_value() &&
        std::find(supported.begin(), supported.end(), *set) != supported.end();
    EXPECT_EQ(InstructionSetEnvironmentError().empty(), good);
  }
}

}  // namespace
}  // namespace orbox
