// How a .cc file compiles its loops for every instruction set, and calls those
// of the current one. Private: never include this from a public header.
//
//   #include "orbox/overlap/base/internal/dynamic_dispatch.h"   // before
//   anything of Highway #undef HWY_TARGET_INCLUDE #define HWY_TARGET_INCLUDE
//   "orbox/overlap/foo.cc" #include "hwy/foreach_target.h" #include
//   "hwy/highway.h"
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
// ORBOX_DYNAMIC_DISPATCH is HWY_DYNAMIC_DISPATCH with a choice of its own, the
// one of instruction_set.h: a program that uses Highway for itself keeps its
// own choice, and the environment variable is obeyed from the first call on.
// It costs an atomic load and an indirect call; dispatch per query or batch.
//
// All sets must give the same bits: use Mul and Add, never MulAdd; Div and Sqrt
// are correctly rounded, the Approximate ones are not; sum lanes in an order
// that does not depend on how many there are.
#ifndef ORBOX_OVERLAP_BASE_INTERNAL_DYNAMIC_DISPATCH_H_
#define ORBOX_OVERLAP_BASE_INTERNAL_DYNAMIC_DISPATCH_H_

#ifdef HIGHWAY_HWY_DETECT_TARGETS_H_
#error \
    "Include orbox/overlap/base/internal/dynamic_dispatch.h before Highway's headers"
#endif

// SSSE3 alone is older than any machine still in use; vectors of a length that
// is known only at run time (SVE, RVV) fit the fixed-width blocks badly, and
// NEON serves the same machines.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#include <cstdint>

#include "hwy/targets.h"
#include "orbox/overlap/base/instruction_set.h"

namespace orbox::internal {

// The current choice as Highway's dispatch tables want it. Always initialised:
// its GetIndex() is never the table's first entry.
const hwy::ChosenTarget& ChosenTarget();

// The instruction set that a loop compiled for `target` (HWY_TARGET) runs on.
// Highway before 1.0.5 has no SSE2 target; its fallback is compiled for SSE2 on
// x86-64. Targets not named here are finer steps within AVX-512, which have the
// lower bits, or other architectures, which have one set each.
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
