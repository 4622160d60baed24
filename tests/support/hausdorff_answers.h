// SPDX-License-Identifier: Apache-2.0

// Hausdorff distances of meshes in chunks, or on ranks, compared with those of
// one mesh.
#ifndef ORBOX_TESTS_SUPPORT_HAUSDORFF_ANSWERS_H_
#define ORBOX_TESTS_SUPPORT_HAUSDORFF_ANSWERS_H_

#include <cstddef>
#include <optional>

#include "gtest/gtest.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "tests/support/chunks.h"

namespace orbox::hausdorff {

inline void ExpectSame(const GlobalHausdorffResult& found,
                       const HausdorffResult& one) {
  EXPECT_EQ(found.lower, one.lower);
  EXPECT_EQ(found.upper, one.upper);
  EXPECT_EQ(found.triangle_a, one.triangle_a);
  EXPECT_EQ(found.triangle_b, one.triangle_b);
  EXPECT_TRUE(chunks::SameBits(found.on_a, one.on_a));
  EXPECT_TRUE(chunks::SameBits(found.on_b, one.on_b));
}

inline HausdorffLimits Within(std::optional<double> tolerance,
                              size_t max_parts) {
  return {.tolerance = tolerance, .max_parts = max_parts};
}

}  // namespace orbox::hausdorff

#endif  // ORBOX_TESTS_SUPPORT_HAUSDORFF_ANSWERS_H_
