// SPDX-License-Identifier: Apache-2.0

// The edges of triangles, each with its number of triangles; and a test for a
// surface without boundary: each edge belongs to an even number of triangles.
//
//   bool closed = AreEdgesEven(triangles, vertex_count);
//   VisitEdges(triangles, vertex_count,
//              [&](uint32_t low, uint32_t high, size_t count) { ... });
//
// Corners are equal if their indices are. Sides from a corner to itself do not
// count. Requires indices below `vertex_count`. O(n) for vertices of bounded
// degree.
#ifndef ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_
#define ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

// Calls visit(low, high, count) for each edge, in ascending order of its ends,
// until a call returns false.
template <typename Visit>
void VisitEdges(std::span<const TriangleIndices> triangles, size_t vertex_count,
                Visit visit) {
  // The sides in buckets by the smaller of their ends. Within a bucket, the
  // other end identifies a side.
  std::vector<uint32_t> bucket(vertex_count + 1, 0);
  auto for_each_side = [&](auto&& take) {
    for (const TriangleIndices& t : triangles) {
      for (size_t k = 0; k < 3; ++k) {
        const uint32_t low = std::min(t[k], t[(k + 1) % 3]);
        const uint32_t high = std::max(t[k], t[(k + 1) % 3]);
        if (low != high) take(low, high);
      }
    }
  };
  for_each_side([&](uint32_t low, uint32_t) { ++bucket[low + 1]; });
  std::partial_sum(bucket.begin(), bucket.end(), bucket.begin());
  std::vector<uint32_t> others(bucket.back());
  std::vector<uint32_t> next(bucket.begin(), bucket.end() - 1);
  for_each_side(
      [&](uint32_t low, uint32_t high) { others[next[low]++] = high; });

  for (size_t low = 0; low + 1 < bucket.size(); ++low) {
    const auto begin = others.begin() + static_cast<ptrdiff_t>(bucket[low]);
    const auto end = others.begin() + static_cast<ptrdiff_t>(bucket[low + 1]);
    std::sort(begin, end);
    for (auto run = begin; run != end;) {
      auto run_end = run + 1;
      while (run_end != end && *run_end == *run) ++run_end;
      if (!visit(static_cast<uint32_t>(low), *run,
                 static_cast<size_t>(run_end - run))) {
        return;
      }
      run = run_end;
    }
  }
}

bool AreEdgesEven(std::span<const TriangleIndices> triangles,
                  size_t vertex_count);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_
