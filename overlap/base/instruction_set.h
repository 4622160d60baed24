// SPDX-License-Identifier: Apache-2.0

// The instruction set that the vector loops use, and a way to force one.
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

// Instruction sets. Within an architecture, each is wider or has more
// instructions than the one before it.
enum class InstructionSet {
  kPortable,  // plain C++, for other architectures
  kSse2,      // on every x86-64
  kSse4,      // SSE4.2
  kAvx2,      // with FMA and BMI, which change no result
  kAvx512,    // F, BW, CD, DQ and VL
  kNeon,      // AArch64 Advanced SIMD
};

// Returns the name of an instruction set in ORBOX_INSTRUCTION_SET, and the set
// of a name.
ORBOX_EXPORT std::string_view Name(InstructionSet set);
ORBOX_EXPORT std::optional<InstructionSet> InstructionSetNamed(
    std::string_view name);

// Returns the sets for which this binary has code and which this machine can
// run, ascending. Never empty.
ORBOX_EXPORT std::span<const InstructionSet> SupportedInstructionSets();

ORBOX_EXPORT InstructionSet CurrentInstructionSet();

// Forces a set for the whole process. nullopt returns to the default: the set
// of the environment variable, or otherwise the best one. Returns false and
// changes nothing if `set` is not supported.
ORBOX_EXPORT bool SetInstructionSet(std::optional<InstructionSet> set);

// Properties of a vector loop: the instruction set that it was compiled for,
// and the number of floats in its vectors.
struct VectorLoop {
  InstructionSet set;
  size_t float_lanes;
};

// Runs a loop that is compiled and selected like all others, and returns its
// properties. This shows which code really runs; CurrentInstructionSet() only
// returns the choice.
ORBOX_EXPORT VectorLoop RunProbeLoop();

// Returns why ORBOX_INSTRUCTION_SET was ignored (unknown name, or not supported
// on this machine) and how to correct it. Empty if the variable is valid or not
// set.
ORBOX_EXPORT std::string InstructionSetEnvironmentError();

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_INSTRUCTION_SET_H_
