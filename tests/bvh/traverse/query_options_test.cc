// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/query_options.h"

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/motion/time_of_contact.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/solids/clash.h"

// A user's compiler warns of members of an aggregate that a designated
// initializer leaves out, unless the struct has initializers for them.
#pragma GCC diagnostic error "-Wmissing-field-initializers"

namespace orbox {
namespace {

// The file compiles only if one member may be named alone.
TEST(QueryOptionsTest, OneMemberMayBeNamedAlone) {
  EXPECT_EQ(RunOptions{.threads = 4}.threads, 4);
  EXPECT_EQ(QueryOptions{.threads = 4}.threads, 4);
  EXPECT_EQ(BodyLimits{.max_distance = 4}.max_distance, 4);
  EXPECT_EQ(ClosestPairQuery{.max_distance = 4}.max_distance, 4);
  EXPECT_EQ(HausdorffLimits{.max_parts = 4}.max_parts, 4);
  EXPECT_EQ(ClashOptions{.tolerance = 4}.tolerance, 4);
  EXPECT_EQ(BuildOptions{.threads = 4}.threads, 4);
  EXPECT_EQ(BuildChunkedOptions{.threads = 4}.threads, 4);
  EXPECT_EQ(ReadOptions{.weld = 4}.weld, 4);
  EXPECT_EQ(TimeOfContactOptions{.tolerance = 4}.tolerance, 4);
}

}  // namespace
}  // namespace orbox
