// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/base/require.h"

#include <cstdio>
#include <cstdlib>

namespace orbox {

void EndOnBrokenPrecondition(const char* where, const char* broken,
                             const char* remedy) noexcept {
  std::fprintf(stderr, "orbox: %s: %s; %s\n", where, broken, remedy);
  std::abort();
}

void EndOnBadIndex(size_t index, size_t count, const char* where,
                   const char* things) noexcept {
  std::fprintf(stderr,
               "orbox: %s: there are %zu %s, and %zu is not below that; pass a "
               "smaller number\n",
               where, count, things, index);
  std::abort();
}

}  // namespace orbox
