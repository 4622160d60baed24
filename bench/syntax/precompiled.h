// SPDX-License-Identifier: Apache-2.0

// Headers that benches include, precompiled for the check of their sources.
#ifndef ORBOX_BENCH_SYNTAX_PRECOMPILED_H_
#define ORBOX_BENCH_SYNTAX_PRECOMPILED_H_

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "orbox/orbox.h"
#if __has_include("benchmark/benchmark.h")
#include "benchmark/benchmark.h"
#endif

#endif  // ORBOX_BENCH_SYNTAX_PRECOMPILED_H_
