// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/triangle_pair.h"

namespace orbox {

ShapeText TextOf(const TrianglePair& pair) {
  return ShapeText()
      .Add("TrianglePair{")
      .Add(uint64_t{pair.a})
      .Add(", ")
      .Add(uint64_t{pair.b})
      .Add("}");
}

}  // namespace orbox
