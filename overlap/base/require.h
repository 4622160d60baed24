// SPDX-License-Identifier: Apache-2.0

// Preconditions that are checked in every build. If one is broken, the program
// ends with a message; it never continues with a wrong result.
//
//   RequireThat(is_up_to_date, "AnyOverlap(scene)",
//               "the scene has changed since its last update",
//               "call Scene::Update first");
//   RequireIndex(id, count, "Mesh::triangle", "triangles");
//
// The messages, on standard error, followed by std::abort():
//
//   orbox: AnyOverlap(scene): the scene has changed since its last update; call
//   Scene::Update first
//   orbox: Mesh::triangle: there are 12 triangles, and 99 is not below that;
//   pass a smaller number
//
// Only for programming errors. Errors in data and errors of the system are
// reported by absl::Status.
#ifndef ORBOX_OVERLAP_BASE_REQUIRE_H_
#define ORBOX_OVERLAP_BASE_REQUIRE_H_

#include <cstddef>

#include "orbox/overlap/base/export.h"

namespace orbox {

// Ends the program. `where` is a public function, `broken` describes the error,
// `remedy` the way to correct it.
[[noreturn]] ORBOX_EXPORT void EndOnBrokenPrecondition(
    const char* where, const char* broken, const char* remedy) noexcept;
[[noreturn]] ORBOX_EXPORT void EndOnBadIndex(size_t index, size_t count,
                                             const char* where,
                                             const char* things) noexcept;

inline void RequireThat(bool holds, const char* where, const char* broken,
                        const char* remedy) {
  if (!holds) [[unlikely]]
    EndOnBrokenPrecondition(where, broken, remedy);
}

// Requires index < count. `things` is what is counted, in the plural.
inline void RequireIndex(size_t index, size_t count, const char* where,
                         const char* things) {
  if (index >= count) [[unlikely]]
    EndOnBadIndex(index, count, where, things);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_REQUIRE_H_
