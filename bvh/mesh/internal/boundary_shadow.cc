// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/boundary_shadow.h"

#include <algorithm>

#include "orbox/bvh/mesh/internal/even_edges.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/bvh/mesh/mesh.h"

namespace orbox::mesh_internal {
namespace {

std::vector<BoundaryShadow::Edge> BoundaryEdges(const Mesh& mesh) {
  // Welding equal vertices adds the counts of their edges. Edges with even
  // counts do not change the parity, so they are omitted.
  std::vector<Vec3> ends;
  VisitEdges(mesh.triangles(), mesh.vertex_count(),
             [&](uint32_t low, uint32_t high, size_t count) {
               if (count % 2 != 0) {
                 ends.push_back(mesh.vertices()[low]);
                 ends.push_back(mesh.vertices()[high]);
               }
               return true;
             });
  const Welded welded = Weld(ends);
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  edges.reserve(welded.id.size() / 2);
  for (size_t i = 0; i < welded.id.size(); i += 2) {
    if (welded.id[i] != welded.id[i + 1]) {
      edges.push_back(std::minmax(welded.id[i], welded.id[i + 1]));
    }
  }
  std::sort(edges.begin(), edges.end());
  std::vector<BoundaryShadow::Edge> odd;
  for (auto run = edges.begin(); run != edges.end();) {
    const auto end = std::upper_bound(run, edges.end(), *run);
    if ((end - run) % 2 != 0) {
      odd.emplace_back(ends[welded.first[run->first]],
                       ends[welded.first[run->second]]);
    }
    run = end;
  }
  return odd;
}

}  // namespace

BoundaryShadow::BoundaryShadow(const Aabb& bounds,
                               const std::vector<Edge>& edges)
    : origin_(bounds.lo), edge_count_(edges.size()) {
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
  // A NaN, which sizes out of the range of double cause, is in the first cell,
  // like all other points then.
  return cell > 0 ? static_cast<size_t>(std::min(cell, kCells - 1.0)) : 0;
}

bool BoundaryShadow::MayMeet(const Aabb& box) const {
  if (is_empty()) return false;
  constexpr size_t kRow = kCells + 1;
  const size_t above = CellOf(box.lo, 1) * kRow;
  const size_t below = (CellOf(box.hi, 1) + 1) * kRow;
  const size_t left = CellOf(box.lo, 2);
  const size_t right = CellOf(box.hi, 2) + 1;
  return sums_[below + right] + sums_[above + left] !=
         sums_[above + right] + sums_[below + left];
}

const BoundaryShadow& BoundaryOf(const Mesh& mesh) {
  return MeshAccess::Shadow(mesh).Or(
      [&] { return BoundaryShadow(mesh.bounds(), BoundaryEdges(mesh)); });
}

}  // namespace orbox::mesh_internal
