// SPDX-License-Identifier: Apache-2.0

// Error handling of the examples: prints what went wrong, and exits.
//
//   const orbox::Tree tree = OrExit(orbox::Build(mesh));
#ifndef ORBOX_TESTS_EXAMPLES_OR_EXIT_H_
#define ORBOX_TESTS_EXAMPLES_OR_EXIT_H_

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

template <typename Value>
Value OrExit(absl::StatusOr<Value> value) {
  if (!value.ok()) {
    std::fprintf(stderr, "%s\n", value.status().ToString().c_str());
    std::exit(1);
  }
  return *std::move(value);
}

#endif  // ORBOX_TESTS_EXAMPLES_OR_EXIT_H_
