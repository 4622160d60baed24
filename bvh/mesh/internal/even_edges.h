// SPDX-License-Identifier: Apache-2.0

// Visits the edges of triangles, with the number of triangle sides along each
// edge and the difference between the two directions. Tests if every edge has
// an even number of sides.
//
//   bool closed = AreEdgesEven(triangles, vertex_count);
//   VisitEdges(triangles, vertex_count, [&](const EdgeSides& e) { ... });
//
// Corners are equal if their indices are. Triangles with two equal corners do
// not count: two of their sides are one edge, there and back. Requires indices
// below `vertex_count`, which is at most 2^31. O(n) for vertices of bounded
// degree.
#ifndef ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_
#define ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {

// The sides of triangles along one edge.
struct EdgeSides {
  uint32_t low;  // the ends
  uint32_t high;
  size_t count;
  // Sides from `low` to `high` minus sides from `high` to `low`.
  int64_t balance;
};

// Calls visit(edge) for each edge, in ascending order of its ends, until the
// call returns false. Polls the workers.
template <typename Visit>
void VisitEdges(std::span<const TriangleIndices> triangles, size_t vertex_count,
                Visit visit, const Workers& workers = Workers(1)) {
  // The sides, bucketed by the smaller one of their two ends. An entry of a
  // bucket is twice the other end, plus 1 if the side starts there.
  std::vector<uint32_t> bucket(vertex_count + 1, 0);
  auto for_each_side = [&](auto&& visit_side) {
    for (size_t i = 0; i < triangles.size();) {
      for (const size_t end = workers.EndOfBlock(i, triangles.size()); i < end;
           ++i) {
        const TriangleIndices& t = triangles[i];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        for (size_t k = 0; k < 3; ++k) {
          const uint32_t low = std::min(t[k], t[(k + 1) % 3]);
          const uint32_t high = std::max(t[k], t[(k + 1) % 3]);
          visit_side(low, 2 * high + (t[k] == high ? 1 : 0));
        }
      }
    }
  };
  for_each_side([&](uint32_t low, uint32_t) { ++bucket[low + 1]; });
  std::partial_sum(bucket.begin(), bucket.end(), bucket.begin());
  std::vector<uint32_t> others(bucket.back());
  std::vector<uint32_t> next(bucket.begin(), bucket.end() - 1);
  for_each_side(
      [&](uint32_t low, uint32_t other) { others[next[low]++] = other; });

  constexpr size_t kPolled = 4096;  // a power of two
  for (size_t low = 0; low + 1 < bucket.size(); ++low) {
    if (low % kPolled == kPolled - 1) workers.Poll();
    const auto begin = others.begin() + static_cast<ptrdiff_t>(bucket[low]);
    const auto end = others.begin() + static_cast<ptrdiff_t>(bucket[low + 1]);
    std::sort(begin, end);
    for (auto run = begin; run != end;) {
      EdgeSides edge{static_cast<uint32_t>(low), *run / 2, 0, 0};
      for (; run != end && *run / 2 == edge.high; ++run) {
        ++edge.count;
        edge.balance += *run % 2 == 0 ? 1 : -1;
      }
      if (!visit(edge)) return;
    }
  }
}

inline bool AreEdgesEven(std::span<const TriangleIndices> triangles,
                         size_t vertex_count) {
  bool even = true;
  VisitEdges(triangles, vertex_count, [&even](const EdgeSides& edge) {
    even = edge.count % 2 == 0;
    return even;
  });
  return even;
}

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_EVEN_EDGES_H_
