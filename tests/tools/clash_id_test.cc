// SPDX-License-Identifier: Apache-2.0

#include "tools/report/clash_id.h"

#include "gtest/gtest.h"

namespace orbox::report {
namespace {

// Expected ids are those of Python's uuid.uuid5.
TEST(ClashIdTest, IsTheUuidOfBothNames) {
  EXPECT_EQ(ClashId("a", "b"), "998b791b-9156-5c91-9d9c-eb16d241ea73");
  EXPECT_EQ(ClashId("wall 7", "pipe 3"),
            "d1681b27-3a3a-5f9b-8136-13618f7ec171");
}

TEST(ClashIdTest, HasNoOrder) {
  EXPECT_EQ(ClashId("wall", "pipe"), ClashId("pipe", "wall"));
  EXPECT_NE(ClashId("wall", "pipe"), ClashId("wall", "pipe 2"));
}

TEST(ClashIdTest, IsKnownByItsForm) {
  EXPECT_TRUE(IsClashId(ClashId("a", "b")));
  EXPECT_TRUE(IsClashId(kClashNamespace));
  EXPECT_FALSE(IsClashId(""));
  EXPECT_FALSE(IsClashId("wall 7"));
  EXPECT_FALSE(IsClashId("6f0d2b1e-6d0f-4c53-9a35-7c1c0f1f0b9"));
  EXPECT_FALSE(IsClashId("6f0d2b1e-6d0f-4c53-9a35-7c1c0f1f0b9z"));
  EXPECT_FALSE(IsClashId("6f0d2b1e06d0f-4c53-9a35-7c1c0f1f0b9d"));
}

}  // namespace
}  // namespace orbox::report
