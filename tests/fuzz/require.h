// SPDX-License-Identifier: Apache-2.0

// Reports by the fuzzers that a law does not hold: ends the process.
#ifndef ORBOX_TESTS_FUZZ_REQUIRE_H_
#define ORBOX_TESTS_FUZZ_REQUIRE_H_

#include <cstdio>
#include <cstdlib>

#include "absl/status/status.h"

namespace orbox {

inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

inline void RequireOk(const absl::Status& status, const char* what) {
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  Require(status.ok(), what);
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_REQUIRE_H_
