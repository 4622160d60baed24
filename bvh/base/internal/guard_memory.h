// SPDX-License-Identifier: Apache-2.0

// Turns the exceptions that end a query early into errors, for queries that
// return a status. Private.
//
//   return GuardMemory("for all pairs; request fewer", [&] { return Run(); });
#ifndef ORBOX_BVH_BASE_INTERNAL_GUARD_MEMORY_H_
#define ORBOX_BVH_BASE_INTERNAL_GUARD_MEMORY_H_

#include <new>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/query_cancelled.h"

namespace orbox {

// Returns the result of `function`, an absl::Status or absl::StatusOr. If it
// throws std::bad_alloc, returns kResourceExhausted with the message "not
// enough memory " and `what`. If it throws QueryCancelled, returns kCancelled.
template <typename Function>
std::invoke_result_t<Function> GuardMemory(const char* what,
                                           Function function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        absl::StrCat("not enough memory ", what));
  } catch (const QueryCancelled& cancelled) {
    return absl::CancelledError(cancelled.what());
  }
}

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_GUARD_MEMORY_H_
