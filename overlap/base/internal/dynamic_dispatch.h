// SPDX-License-Identifier: Apache-2.0

// Compiles the loops of a .cc file for every instruction set, and calls those
// of the current set. Private. Include this before Highway's headers, and never
// from a public header.
//
//   #include "orbox/overlap/base/internal/dynamic_dispatch.h"
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "orbox/overlap/foo.cc"
//   #include "hwy/foreach_target.h"
//   #include "hwy/highway.h"
//
//   HWY_BEFORE_NAMESPACE();
//   namespace orbox::HWY_NAMESPACE { void FooLoop(...) { ... } }
//   HWY_AFTER_NAMESPACE();
//
//   #if HWY_ONCE
//   namespace orbox {
//   HWY_EXPORT(FooLoop);
//   void Foo(...) { ORBOX_DYNAMIC_DISPATCH(FooLoop)(...); }
//   }
//   #endif
//
// ORBOX_DYNAMIC_DISPATCH is HWY_DYNAMIC_DISPATCH with the choice of
// instruction_set.h. A program that also uses Highway keeps its separate
// choice, and the environment variable is in effect from the first call.
// Dispatch costs an atomic load and an indirect call, so dispatch once per
// query or batch.
//
// All sets must give the same bits. Use Mul and Add, never MulAdd. Div and Sqrt
// are correctly rounded; the Approximate functions are not. Sum lanes in an
// order that does not depend on the number of lanes.
#ifndef ORBOX_OVERLAP_BASE_INTERNAL_DYNAMIC_DISPATCH_H_
#define ORBOX_OVERLAP_BASE_INTERNAL_DYNAMIC_DISPATCH_H_

#ifdef HIGHWAY_HWY_DETECT_TARGETS_H_
#error \
    "Include orbox/overlap/base/internal/dynamic_dispatch.h before Highway's headers"
#endif

// Disabled targets. SSSE3: every machine in use that has SSSE3 also has a later
// set. SVE: the length of its vectors is known only at run time, so they do not
// fit the blocks of fixed width. NEON runs on the same machines.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#include <cstdint>

#include "hwy/targets.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/instruction_set.h"

namespace orbox::internal {

// Returns the current choice in the form of Highway's dispatch tables. Always
// initialised: GetIndex() never selects the table's first entry.
ORBOX_EXPORT const hwy::ChosenTarget& ChosenTarget();

// Returns the instruction set of a loop compiled for `target` (HWY_TARGET).
// Highway before 1.0.5 has no SSE2 target; on x86-64 its fallback is compiled
// for SSE2. The other targets are either refinements of AVX-512, whose bits are
// lower, or belong to other architectures, which have one set each.
constexpr InstructionSet InstructionSetOfTarget(int64_t target) {
#if HWY_ARCH_X86
  if (target <= HWY_AVX3) return InstructionSet::kAvx512;
  if (target == HWY_AVX2) return InstructionSet::kAvx2;
  if (target == HWY_SSE4) return InstructionSet::kSse4;
  return InstructionSet::kSse2;
#elif HWY_ARCH_ARM_A64
  return target == HWY_SCALAR || target == HWY_EMU128
             ? InstructionSet::kPortable
             : InstructionSet::kNeon;
#else
  static_cast<void>(target);
  return InstructionSet::kPortable;
#endif
}

}  // namespace orbox::internal

#if HWY_IDE || (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define ORBOX_DYNAMIC_DISPATCH(function) HWY_STATIC_DISPATCH(function)
#else
#define ORBOX_DYNAMIC_DISPATCH(function) \
  (*(HWY_DISPATCH_TABLE(function)[orbox::internal::ChosenTarget().GetIndex()]))
#endif

#endif  // ORBOX_OVERLAP_BASE_INTERNAL_DYNAMIC_DISPATCH_H_
