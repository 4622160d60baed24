// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/base/instruction_set.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <utility>
#include <vector>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/overlap/base/instruction_set.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Measures the number of lanes in a vector. Lane i contains i, so the largest
// value is one less than the number of lanes.
VectorLoop ProbeLoop() {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  const float last = hn::GetLane(hn::MaxOfLanes(d, hn::Iota(d, 0.0f)));
  return {internal::InstructionSetOfTarget(HWY_TARGET),
          static_cast<size_t>(last) + 1};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(ProbeLoop);

namespace {

constexpr std::array<std::pair<InstructionSet, std::string_view>, 6> kNames{{
    {InstructionSet::kPortable, "portable"},
    {InstructionSet::kSse2, "sse2"},
    {InstructionSet::kSse4, "sse4"},
    {InstructionSet::kAvx2, "avx2"},
    {InstructionSet::kAvx512, "avx512"},
    {InstructionSet::kNeon, "neon"},
}};

constexpr char kVariable[] = "ORBOX_INSTRUCTION_SET";

// Returns Highway's targets that the machine can run and for which this binary
// has code. The static target is always included: the compiler assumes it
// everywhere, so no machine without it runs this binary.
int64_t RunnableTargets() {
  return (hwy::SupportedTargets() & HWY_TARGETS) | HWY_STATIC_TARGET;
}

std::vector<InstructionSet> FindSupported() {
  std::vector<InstructionSet> sets;
  for (int64_t rest = RunnableTargets(); rest != 0; rest &= rest - 1) {
    sets.push_back(internal::InstructionSetOfTarget(rest & -rest));
  }
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

bool IsSupported(InstructionSet set) {
  const auto sets = SupportedInstructionSets();
  return std::find(sets.begin(), sets.end(), set) != sets.end();
}

// Returns the targets of `set` and of all lower sets. A file that was not
// compiled for `set` then uses the best lower one.
int64_t TargetsUpTo(InstructionSet set) {
  int64_t targets = 0;
  for (int64_t rest = RunnableTargets(); rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    if (internal::InstructionSetOfTarget(target) <= set) targets |= target;
  }
  return targets;
}

// The choice for the whole process. `set` and `target` always describe the same
// choice. Each is one atomic word, and a reader needs only one of them.
class ActiveSet {
 public:
  static ActiveSet& Get() {
    static ActiveSet choice;
    return choice;
  }

  void Set(InstructionSet set) {
    set_.store(set);
    target_.Update(TargetsUpTo(set));
  }

  InstructionSet set() const { return set_.load(); }
  InstructionSet default_set() const { return default_; }
  const hwy::ChosenTarget& target() const { return target_; }
  const std::string& environment_error() const { return environment_error_; }

 private:
  ActiveSet() : default_(SupportedInstructionSets().back()) {
    ReadEnvironment();
    Set(default_);
  }

  void ReadEnvironment() {
    const char* const value = std::getenv(kVariable);
    if (value == nullptr || *value == '\0') return;
    const auto set = InstructionSetNamed(value);
    if (set.has_value() && IsSupported(*set)) {
      default_ = *set;
      return;
    }
    environment_error_.append(kVariable).append("=").append(value);
    environment_error_.append(set.has_value()
                                  ? " is not supported by this machine"
                                  : " names no instruction set");
    environment_error_.append(" and is ignored; choose one of");
    for (InstructionSet s : SupportedInstructionSets()) {
      environment_error_.append(" ").append(Name(s));
    }
  }

  InstructionSet default_;
  std::string environment_error_;
  std::atomic<InstructionSet> set_{};
  hwy::ChosenTarget target_;
};

}  // namespace

namespace internal {

const hwy::ChosenTarget& ChosenTarget() { return ActiveSet::Get().target(); }

}  // namespace internal

std::string_view Name(InstructionSet set) {
  for (const auto& [s, name] : kNames) {
    if (s == set) return name;
  }
  return "unknown";
}

std::optional<InstructionSet> InstructionSetNamed(std::string_view name) {
  for (const auto& [set, n] : kNames) {
    if (n == name) return set;
  }
  return std::nullopt;
}

std::span<const InstructionSet> SupportedInstructionSets() {
  static const std::vector<InstructionSet> kSets = FindSupported();
  return kSets;
}

InstructionSet CurrentInstructionSet() { return ActiveSet::Get().set(); }

bool SetInstructionSet(std::optional<InstructionSet> set) {
  if (set.has_value() && !IsSupported(*set)) return false;
  ActiveSet& choice = ActiveSet::Get();
  choice.Set(set.value_or(choice.default_set()));
  return true;
}

VectorLoop RunProbeLoop() { return ORBOX_DYNAMIC_DISPATCH(ProbeLoop)(); }

std::string InstructionSetEnvironmentError() {
  return ActiveSet::Get().environment_error();
}

}  // namespace orbox
#endif  // HWY_ONCE
