// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/pair_schema.h"

#include <algorithm>

#include "tools/orbox/text.h"

namespace orbox::cli {

std::string FirstPairs(const std::vector<TrianglePair>& pairs) {
  const size_t shown = std::min(pairs.size(), kPairsShown);
  std::string out = Cat(": ", Counted(pairs.size(), "pair"), " of triangles");
  for (size_t i = 0; i < shown; ++i) {
    out += Cat(i == 0 ? ": " : ", ", pairs[i].a, "-", pairs[i].b);
  }
  return out + (shown < pairs.size() ? ", ..." : "");
}

}  // namespace orbox::cli
