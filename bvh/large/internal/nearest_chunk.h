// SPDX-License-Identifier: Apache-2.0

// The chunk that a query visits first. Its answer bounds those of the others.
// Private.
//
//   const uint32_t first = NearestChunk(traits, tree, point);
//   if (first != kNoChunk) ...
#ifndef ORBOX_BVH_LARGE_INTERNAL_NEAREST_CHUNK_H_
#define ORBOX_BVH_LARGE_INTERNAL_NEAREST_CHUNK_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/internal/chunk_levels.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

inline constexpr uint32_t kNoChunk = std::numeric_limits<uint32_t>::max();

// Returns the chunk with the least gap (chunk_traits.h), at most `bound`,
// among those for which `is_queried(chunk)` is false. Ties go to the least
// reach. Returns kNoChunk if no chunk concerns the query.
template <typename Traits, typename IsQueried>
uint32_t NearestChunk(const Traits& traits, const ChunkedTree& tree,
                      const typename Traits::Query& query, double bound,
                      IsQueried is_queried) {
  const ChunkLevels& levels = tree.levels();
  uint32_t nearest = kNoChunk;
  double least = bound;
  // Computed only if gaps are equal.
  std::optional<double> reach;
  levels.VisitNear(
      traits.GapFrom(query), [&] { return least; },
      [&](size_t i, double gap) {
        if (is_queried(i)) return;
        std::optional<double> own;
        if (nearest != kNoChunk && gap == least) {
          if (!reach) reach = traits.Reach(query, tree.table()[nearest]);
          own = traits.Reach(query, tree.table()[i]);
          if (!(*own < *reach)) return;
        }
        nearest = static_cast<uint32_t>(i);
        least = gap;
        reach = own;
      });
  return nearest;
}

// Returns the nearest of all chunks.
template <typename Traits>
uint32_t NearestChunk(const Traits& traits, const ChunkedTree& tree,
                      const typename Traits::Query& query) {
  return NearestChunk(traits, tree, query,
                      traits.Bound(typename Traits::Answer{}),
                      [](size_t) { return false; });
}

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_NEAREST_CHUNK_H_
