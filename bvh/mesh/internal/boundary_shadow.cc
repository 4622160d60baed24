// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/boundary_shadow.h"

#include <algorithm>

#include "orbox/bvh/mesh/internal/even_edges.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {
namespace {

// Edges along which the triangle sides in the two directions differ in number.
struct UnbalancedEdges {
  std::vector<BoundaryShadow::Edge> odd;  // with an odd number of sides
  size_t even = 0;                        // number of the others
};

UnbalancedEdges FindUnbalanced(const Mesh& mesh, const Workers& workers) {
  struct Edge {
    uint32_t low;
    uint32_t high;
    int64_t balance;
  };
  // Joining equal vertices adds up balances, so edges with a balance of 0 can
  // be omitted.
  std::vector<Vec3> ends;
  std::vector<int64_t> balances;
  const auto visit = [&](const EdgeSides& edge) {
    if (edge.balance != 0) {
      ends.push_back(mesh.vertices()[edge.low]);
      ends.push_back(mesh.vertices()[edge.high]);
      balances.push_back(edge.balance);
    }
    return true;
  };
  VisitEdges(mesh.triangles(), mesh.vertex_count(), visit, workers);
  const Welded welded = Weld(ends, workers);
  std::vector<Edge> edges;
  edges.reserve(balances.size());
  for (size_t i = 0; i < balances.size(); ++i) {
    const uint32_t from = welded.id[2 * i];
    const uint32_t to = welded.id[2 * i + 1];
    if (from < to) edges.push_back({from, to, balances[i]});
    if (to < from) edges.push_back({to, from, -balances[i]});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return x.low != y.low ? x.low < y.low : x.high < y.high;
  });
  UnbalancedEdges result;
  for (size_t i = 0; i < edges.size();) {
    Edge sum = edges[i];
    for (++i; i < edges.size() && edges[i].low == sum.low &&
              edges[i].high == sum.high;
         ++i) {
      sum.balance += edges[i].balance;
    }
    if (sum.balance % 2 != 0) {
      result.odd.emplace_back(ends[welded.first[sum.low]],
                              ends[welded.first[sum.high]]);
    } else if (sum.balance != 0) {
      ++result.even;
    }
  }
  return result;
}

}  // namespace

BoundaryShadow::BoundaryShadow(const Aabb& bounds,
                               const std::vector<Edge>& edges, size_t unequal)
    : origin_(bounds.lo), edge_count_(edges.size()), unequal_(unequal) {
  if (edges.empty()) return;
  const Vec3 size = bounds.hi - bounds.lo;
  for (size_t axis = 1; axis < 3; ++axis) {
    scale_[axis] = size[axis] > 0 ? kCells / size[axis] : 0;
  }
  constexpr size_t kRow = kCells + 1;
  sums_.resize(kRow * kRow);
  for (const auto& [a, b] : edges) {
    const Vec3 lo = Min(a, b);
    const Vec3 hi = Max(a, b);
    for (size_t y = CellOf(lo, 1); y <= CellOf(hi, 1); ++y) {
      for (size_t z = CellOf(lo, 2); z <= CellOf(hi, 2); ++z) {
        sums_[(y + 1) * kRow + z + 1] = 1;
      }
    }
  }
  for (size_t y = 1; y < kRow; ++y) {
    for (size_t z = 1; z < kRow; ++z) {
      sums_[y * kRow + z] += sums_[(y - 1) * kRow + z] +
                             sums_[y * kRow + z - 1] -
                             sums_[(y - 1) * kRow + z - 1];
    }
  }
}

size_t BoundaryShadow::CellOf(const Vec3& p, size_t axis) const {
  const double cell = (p[axis] - origin_[axis]) * scale_[axis];
  return cell > 0 ? static_cast<size_t>(std::min(cell, kCells - 1.0)) : 0;
}

bool BoundaryShadow::MayOverlap(const Aabb& box) const {
  if (is_empty()) return false;
  constexpr size_t kRow = kCells + 1;
  const size_t above = CellOf(box.lo, 1) * kRow;
  const size_t below = (CellOf(box.hi, 1) + 1) * kRow;
  const size_t left = CellOf(box.lo, 2);
  const size_t right = CellOf(box.hi, 2) + 1;
  return sums_[below + right] + sums_[above + left] !=
         sums_[above + right] + sums_[below + left];
}

const BoundaryShadow& BoundaryOf(const Mesh& mesh, const Workers& workers) {
  return MeshAccess::Shadow(mesh).Or([&] {
    const UnbalancedEdges edges = FindUnbalanced(mesh, workers);
    return BoundaryShadow(mesh.bounds(), edges.odd, edges.even);
  });
}

}  // namespace orbox::mesh_internal
