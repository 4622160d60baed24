// SPDX-License-Identifier: Apache-2.0

// Whether a sanitizer watches this build: GCC tells by macros, Clang by
// features. For what sanitizers rule out (limits of the address space) and for
// sizes that they would make a test last minutes of.
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
