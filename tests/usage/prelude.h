// SPDX-License-Identifier: Apache-2.0

// Functions that usage samples may call without declaring them: a reader knows
// that use(hit) or report(pair) stands for code of their own.
#ifndef ORBOX_TESTS_USAGE_PRELUDE_H_
#define ORBOX_TESTS_USAGE_PRELUDE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/orbox.h"

namespace orbox::usage {

struct Anything {
  template <typename... T>
  void operator()(const T&...) const {}
};

inline constexpr Anything use, report, draw;
inline constexpr Anything Advance, Fill, Measure, Report;
inline constexpr Anything StepTo, StopAt, Turn;

}  // namespace orbox::usage

#endif  // ORBOX_TESTS_USAGE_PRELUDE_H_
