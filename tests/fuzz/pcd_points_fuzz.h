// SPDX-License-Identifier: Apache-2.0

// Laws of the reader of PCD files, for any bytes. The fuzzer and the test of
// its corpus call it; a violation aborts.
#ifndef ORBOX_TESTS_FUZZ_PCD_POINTS_FUZZ_H_
#define ORBOX_TESTS_FUZZ_PCD_POINTS_FUZZ_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/bvh/io/internal/pcd_points.h"
#include "tests/fuzz/require.h"

namespace orbox {

// The bytes are finite points, no more than the bytes can account for, or an
// error of one line. If points that are not finite are skipped, points without
// such ones are the same, and there are no other errors.
inline void FuzzPcd(std::string_view bytes) {
  const auto points = ReadPcdPoints(bytes, "fuzz");
  const auto kept = ReadPcdPoints(bytes, "fuzz", {.skip_invalid = true});
  if (!points.ok()) {
    Require(points.status().code() == absl::StatusCode::kInvalidArgument,
            "errors are kInvalidArgument");
    const std::string message(points.status().message());
    Require(message.rfind("fuzz: ", 0) == 0, "errors begin with the name");
    Require(std::all_of(message.begin(), message.end(),
                        [](char c) { return c >= ' ' && c <= '~'; }),
            "errors are one printable line");
    return;
  }
  Require(kept.ok() && *kept == *points, "finite points are not skipped");
  Require(points->size() <= 88 * bytes.size(),
          "there are no more points than bytes, decompressed");
  Require(std::all_of(points->begin(), points->end(),
                      [](const Vec3& p) { return IsFinite(p); }),
          "points are finite");
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_PCD_POINTS_FUZZ_H_
