// SPDX-License-Identifier: Apache-2.0

// Which instruction set do the vector loops use, and how do you force one?
//
//   for (InstructionSet set : SupportedInstructionSets()) {
//     SetInstructionSet(set);
//     ...                        // every batch now runs on `set`
//   }
//   SetInstructionSet(std::nullopt);  // back to the default
//
// One binary holds the vector loops for several instruction sets and picks the
// best that the machine has. Results do not depend on the choice, bit for bit;
// forcing one is for tests and experiments. The environment variable
// ORBOX_INSTRUCTION_SET (sse2, sse4, avx2, avx512, neon, portable) sets the
// default; it is read once, on first use.
//
// The choice is one atomic word for the whole process, the only mutable state
// of the library. All functions are thread-safe; a loop that is already running
// finishes on the set it started with.
#ifndef ORBOX_OVERLAP_BASE_INSTRUCTION_SET_H_
#define ORBOX_OVERLAP_BASE_INSTRUCTION_SET_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orbox/overlap/base/export.h"

namespace orbox {

// Within an architecture, a later one is wider or richer.
enum class InstructionSet {
  kPortable,  // plain C++, on an architecture without vector loops of its own
  kSse2,      // what every x86-64 has
  kSse4,      // SSE4.2
  kAvx2,      // with FMA and BMI, none of which changes a result
  kAvx512,    // F, BW, CD, DQ and VL
  kNeon,      // AArch64 Advanced SIMD
};

// The spelling in ORBOX_INSTRUCTION_SET.
ORBOX_EXPORT std::string_view Name(InstructionSet set);
ORBOX_EXPORT std::optional<InstructionSet> InstructionSetNamed(
    std::string_view name);

// The sets for which this binary has code and which this machine can run,
// ascending; never empty.
ORBOX_EXPORT std::span<const InstructionSet> SupportedInstructionSets();

ORBOX_EXPORT InstructionSet CurrentInstructionSet();

// Forces one for the whole process. nullopt returns to the default: that of the
// environment variable, or else the best. Returns false and changes nothing if
// `set` is not supported.
ORBOX_EXPORT bool SetInstructionSet(std::optional<InstructionSet> set);

// What a vector loop reports about itself: the instruction set that it was
// compiled for, and the number of floats in its vectors.
struct VectorLoop {
  InstructionSet set;
  size_t float_lanes;
};

// Runs a loop that is compiled and chosen like all others, and returns its
// report: the proof of which code runs. CurrentInstructionSet() is only the
// choice.
ORBOX_EXPORT VectorLoop RunProbeLoop();

// Why ORBOX_INSTRUCTION_SET was ignored (unknown name, or not supported here)
// and what to do; empty if it was obeyed or is not set.
ORBOX_EXPORT std::string InstructionSetEnvironmentError();

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_INSTRUCTION_SET_H_
