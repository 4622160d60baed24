// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/solid.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "orbox/bvh/mesh/internal/even_edges.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox {
namespace {

// A triangle by its three corners in ascending order.
struct SortedCorners {
  std::array<uint32_t, 3> corners;
  uint32_t triangle;
  bool is_even;  // whether it takes an even number of swaps to sort them
};

SortedCorners Sorted(TriangleIndices t, uint32_t triangle) {
  bool is_even = true;
  const auto order = [&](size_t i, size_t j) {
    if (t[i] <= t[j]) return;
    std::swap(t[i], t[j]);
    is_even = !is_even;
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  return {t, triangle, is_even};
}

// Of triangles with the same corners, the first stays, unless as many face one
// way as the other. Returns whether any is left out.
bool LeaveOutCopies(std::span<const TriangleIndices> triangles,
                    std::vector<bool>* left_out) {
  std::vector<SortedCorners> sorted;
  sorted.reserve(triangles.size());
  for (uint32_t i = 0; i < triangles.size(); ++i) {
    sorted.push_back(Sorted(triangles[i], i));
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const SortedCorners& x, const SortedCorners& y) {
              return x.corners != y.corners ? x.corners < y.corners
                                            : x.triangle < y.triangle;
            });
  bool any = false;
  for (auto run = sorted.begin(); run != sorted.end();) {
    auto end = run + 1;
    while (end != sorted.end() && end->corners == run->corners) ++end;
    if (end - run > 1) {
      any = true;
      const auto even = std::count_if(
          run, end, [](const SortedCorners& s) { return s.is_even; });
      const bool cancels = 2 * even == end - run;
      for (auto copy = cancels ? run : run + 1; copy != end; ++copy) {
        (*left_out)[copy->triangle] = true;
      }
    }
    run = end;
  }
  return any;
}

Aabb BoundsOfAll(std::span<const Triangle> triangles) {
  Aabb bounds = BoundsOf(triangles[0]);
  for (const Triangle& t : triangles) bounds = Union(bounds, BoundsOf(t));
  return bounds;
}

}  // namespace

SolidSurface::SolidSurface(const Mesh& mesh) {
  const std::vector<uint32_t> id = mesh_internal::Weld(mesh.vertices()).id;
  std::vector<TriangleIndices> triangles;
  triangles.reserve(mesh.triangle_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    triangles.push_back({id[t[0]], id[t[1]], id[t[2]]});
  }
  left_out_.assign(triangles.size(), false);
  bool any = LeaveOutCopies(triangles, &left_out_);
  std::vector<TriangleIndices> kept;
  kept.reserve(triangles.size());
  for (size_t i = 0; i < triangles.size(); ++i) {
    const TriangleIndices& t = triangles[i];
    // What is a segment or a point by its corners has no sides that matter.
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      left_out_[i] = true;
      any = true;
    }
    if (!left_out_[i]) kept.push_back(t);
  }
  if (!any) left_out_.clear();
  is_closed_ =
      !kept.empty() && mesh_internal::AreEdgesEven(kept, mesh.vertex_count());
  // A surface that is open as it is has no boundary to speak of.
  if (!is_closed_) left_out_.clear();
}

Solid::Solid(const PosedTree& posed, const SolidSurface& surface)
    : posed_(posed), surface_(surface) {
  const size_t count = posed.tree().mesh().triangle_count();
  triangles_.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (!surface.IsLeftOut(i)) triangles_.push_back(posed.triangle(i));
  }
  bounds_ = BoundsOfAll(triangles_);
}

}  // namespace orbox
