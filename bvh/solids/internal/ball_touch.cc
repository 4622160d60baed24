// SPDX-License-Identifier: Apache-2.0

// The triangles that a ball inside both solids can touch.
//
// A ball inside both solids A and B that touches a triangle of A touches it at
// a point of B. (In a search, that point may be outside B by no more than the
// margin below, because balls may shrink while they move.) Call a triangle of A
// away if it is farther than the margin from the boundary of B. A triangle that
// is away is entirely inside or entirely outside B. If it is outside, balls do
// not touch it.
//
// Triangles that are away and share a corner are on one side of B. Take some
// that are inside B, and all that are away and connected to them by corners.
// Either these are a whole component of A, or one of their corners belongs to a
// triangle that is not away. So no triangle that is away is inside B if
// - no component has a first triangle that is away and inside B;
// - no triangle that is not away has a corner that is inside B, and farther
//   than the margin from the boundary of B.
// Then balls touch only triangles that are not away. All this holds for any
// set of triangles, closed or not.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/solids/internal/ball_search.h"

namespace orbox {

void BallSearch::KeepTouchable(const Goal& goal, size_t i,
                               std::vector<uint32_t>* ids) const {
  if (sides_[0].is_sheet || sides_[1].is_sheet || sides_[1].is_outside) return;
  const Solid& solid = *sides_[i].solid;
  const Solid& other = *sides_[1 - i].solid;
  const Mesh& mesh = solid.boundary().tree().mesh();
  // A wide margin, because corners may be a little inside.
  const double margin = 16 * error_ + goal.touching;
  std::vector<bool> is_known(mesh.vertex_count(), false);
  // Tests whether a corner that is not yet known is inside and away.
  const auto is_inside = [&](uint32_t vertex) {
    if (is_known[vertex]) return false;
    is_known[vertex] = true;
    const Vec3 p = solid.vertex(vertex);
    // All of the box is within the margin, also in a turned frame.
    return orbox::Contains(other.bounds(), p) &&
           other.IsOnOneSide(GrownBy({p, p}, margin / 4)) && other.IsInside(p);
  };
  const auto is_any_inside = [&](uint32_t id) {
    const TriangleIndices& t = mesh.triangles()[id];
    return std::any_of(t.begin(), t.end(), is_inside);
  };
  const MeshComponents components = MeshComponents::Of(mesh);
  for (const uint32_t first : components.first_triangles()) {
    if (is_inside(mesh.triangles()[first][0])) return;
  }
  // Consecutive triangles are often near each other, so that one test tells
  // that all of a run are away.
  constexpr size_t kRun = 32;
  std::vector<uint32_t> near;
  std::vector<Aabb> bounds;
  for (size_t begin = 0; begin < ids->size(); begin += kRun) {
    const size_t end = std::min(begin + kRun, ids->size());
    bounds.clear();
    Aabb all;
    for (size_t k = begin; k < end; ++k) {
      bounds.push_back(BoundsOf(solid.triangle((*ids)[k])));
      all = k == begin ? bounds.back() : Union(all, bounds.back());
    }
    if (other.IsOnOneSide(GrownBy(all, margin))) continue;
    for (size_t k = begin; k < end; ++k) {
      if (other.IsOnOneSide(GrownBy(bounds[k - begin], margin))) continue;
      near.push_back((*ids)[k]);
      if (is_any_inside((*ids)[k])) return;
    }
  }
  if (near.size() == ids->size()) return;
  // Triangles that are left out connect others, like those that are not away.
  for (uint32_t id = 0; id < solid.surface().left_out().size(); ++id) {
    if (solid.IsLeftOut(id) && is_any_inside(id)) return;
  }
  ids->swap(near);
}

}  // namespace orbox
