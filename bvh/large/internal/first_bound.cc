// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/first_bound.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/bvh/query/internal/box_gap.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

double FirstBound(const PosedChunkedTree& a, const PosedChunkedTree& b) {
  const ChunkLevels levels({b.boxes().begin(), b.boxes().end()});
  std::vector<Vec3> corners;
  for (const ChunkRow& row : b.tree().table()) {
    corners.push_back(b.pose().Apply(row.vertex));
  }
  double least = kInfinity;
  for (size_t i = 0; i < a.boxes().size(); ++i) {
    const Vec3 corner = a.pose().Apply(a.tree().table()[i].vertex);
    levels.Visit(
        [&](const Aabb& box) {
          return GapOf({corner, corner}, box) < least;
        },
        [&](size_t j) {
          // More than the rounding errors of d.
          const double d = SafeNorm(corner - corners[j]);
          least = std::min(least, d * (1 + 0x1p-48) + 0x1p-1000);
        });
  }
  return least;
}

}  // namespace orbox
