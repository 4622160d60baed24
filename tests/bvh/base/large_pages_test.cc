// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/large_pages.h"

#include <gtest/gtest.h>
#include "orbox/bvh/base/internal/os.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orbox {
namespace {

TEST(LargePagesTest, VectorsHaveRoomForAsMany) {
  for (const size_t count :
       {size_t{0}, size_t{1}, size_t{1000}, os::kLargePage / 8 - 1,
        os::kLargePage / 8 * 3 + 5}) {
    std::vector<uint64_t> reserved;
    ReserveInLargePages(&reserved, count);
    EXPECT_TRUE(reserved.empty());
    EXPECT_GE(reserved.capacity(), count);
  }
}

TEST(LargePagesTest, AdviceChangesNothingInOrBesideTheMemory) {
  std::vector<unsigned char> bytes(4 * os::kLargePage);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(i * 7);
  }
  for (const size_t begin :
       {size_t{0}, size_t{1}, size_t{4096}, os::kLargePage}) {
    for (const size_t size : {size_t{0}, size_t{100}, os::kLargePage - 1,
                              os::kLargePage, 2 * os::kLargePage + 17}) {
      PreferLargePages(bytes.data() + begin, size);
    }
  }
  size_t wrong = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    wrong += bytes[i] == static_cast<unsigned char>(i * 7) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0u);
  PreferLargePages(nullptr, 0);
}

}  // namespace
}  // namespace orbox
