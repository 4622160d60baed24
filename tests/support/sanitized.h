// SPDX-License-Identifier: Apache-2.0

// True in builds with a sanitizer: GCC defines macros, Clang has features. For
// limits that sanitizers rule out (of the address space), and for sizes with
// which a test would take minutes.
#ifndef ORBOX_TESTS_SUPPORT_SANITIZED_H_
#define ORBOX_TESTS_SUPPORT_SANITIZED_H_

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ORBOX_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ORBOX_SANITIZED 1
#endif
#endif
#ifndef ORBOX_SANITIZED
#define ORBOX_SANITIZED 0
#endif

namespace orbox {

inline constexpr bool kSanitized = ORBOX_SANITIZED != 0;

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_SANITIZED_H_
