// SPDX-License-Identifier: Apache-2.0

// Turns exhausted memory into an error, for queries that return a status.
// Private.
//
//   return GuardMemory("for all pairs; ask for fewer", [&] { return Ask(); });
#ifndef ORBOX_BVH_BASE_INTERNAL_GUARD_MEMORY_H_
#define ORBOX_BVH_BASE_INTERNAL_GUARD_MEMORY_H_

#include <new>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace orbox {

// Returns the result of `function`, a status or one with a value. If it throws
// std::bad_alloc, returns kResourceExhausted: "not enough memory " and
// `what`.
template <typename Function>
std::invoke_result_t<Function> GuardMemory(const char* what,
                                           Function function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        absl::StrCat("not enough memory ", what));
  }
}

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_GUARD_MEMORY_H_
