// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/even_edges.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace orbox::mesh_internal {

bool AreEdgesEven(std::span<const TriangleIndices> triangles,
                  size_t vertex_count) {
  // The sides, bucketed by the smaller of their two ends. Within a bucket the
  // other end identifies a side.
  std::vector<size_t> bucket(vertex_count + 1, 0);
  auto for_each_side = [&](auto&& visit) {
    for (const TriangleIndices& t : triangles) {
      for (size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        if (low != high) visit(low, high);
      }
    }
  };
  for_each_side([&](uint32_t low, uint32_t) { ++bucket[low + 1]; });
  std::partial_sum(bucket.begin(), bucket.end(), bucket.begin());
  std::vector<uint32_t> others(bucket.back());
  std::vector<size_t> next(bucket.begin(), bucket.end() - 1);
  for_each_side(
      [&](uint32_t low, uint32_t high) { others[next[low]++] = high; });

  for (size_t low = 0; low + 1 < bucket.size(); ++low) {
    const auto begin = others.begin() + static_cast<ptrdiff_t>(bucket[low]);
    const auto end = others.begin() + static_cast<ptrdiff_t>(bucket[low + 1]);
    std::sort(begin, end);
    for (auto run = begin; run != end;) {
      const auto run_end = std::upper_bound(run, end, *run);
      if ((run_end - run) % 2 != 0) return false;
      run = run_end;
    }
  }
  return true;
}

}  // namespace orbox::mesh_internal
