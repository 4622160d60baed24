// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/solid.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "orbox/bvh/mesh/internal/even_edges.h"
#include "orbox/bvh/mesh/internal/weld.h"

namespace orbox {
namespace {

// A triangle by its three corners in ascending order.
struct SortedCorners {
  uint64_t others;  // the larger corners, the largest in the low half
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
  return {uint64_t{t[1]} << 32 | t[2], triangle, is_even};
}

// The first triangle of those with the same corners stays, unless as many face
// one way as the other. Returns whether any is left out.
bool LeaveOutCopies(std::span<const TriangleIndices> triangles,
                    size_t vertex_count, std::vector<bool>* left_out) {
  // In buckets by the lowest corner: most have one or two triangles.
  const auto lowest = [](const TriangleIndices& t) {
    return std::min(t[0], std::min(t[1], t[2]));
  };
  std::vector<uint32_t> ends(vertex_count + 1, 0);
  for (const TriangleIndices& t : triangles) ++ends[lowest(t) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<SortedCorners> sorted(triangles.size());
  std::vector<uint32_t> next(ends.begin(), ends.end() - 1);
  for (uint32_t i = 0; i < triangles.size(); ++i) {
    sorted[next[lowest(triangles[i])]++] = Sorted(triangles[i], i);
  }
  bool any = false;
  for (size_t bucket = 0; bucket + 1 < ends.size(); ++bucket) {
    const auto bucket_end = sorted.begin() + ends[bucket + 1];
    auto run = sorted.begin() + ends[bucket];
    if (bucket_end - run < 2) continue;
    std::sort(run, bucket_end,
              [](const SortedCorners& x, const SortedCorners& y) {
                return x.others != y.others ? x.others < y.others
                                            : x.triangle < y.triangle;
              });
    while (run != bucket_end) {
      auto end = run + 1;
      while (end != bucket_end && end->others == run->others) ++end;
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
  }
  return any;
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
  bool any = LeaveOutCopies(triangles, mesh.vertex_count(), &left_out_);
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

void BoxedTriangles::Add(const Triangle& t) {
  triangles.push_back(t);
  boxes.push_back(BoundsOf(t));
}

Aabb BoxedTriangles::Bounds() const {
  Aabb bounds = boxes[0];
  for (const Aabb& box : boxes) bounds = Union(bounds, box);
  return bounds;
}

Solid::Solid(const PosedTree& posed, const SolidSurface& surface)
    : posed_(posed), surface_(surface) {
  const size_t count = posed.tree().mesh().triangle_count();
  boundary_.triangles.reserve(count);
  boundary_.boxes.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (!surface.IsLeftOut(i)) boundary_.Add(posed.triangle(i));
  }
  bounds_ = boundary_.Bounds();
}

}  // namespace orbox
