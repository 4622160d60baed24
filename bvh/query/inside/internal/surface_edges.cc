// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/surface_edges.h"

#include <algorithm>

namespace orbox {
namespace {

// An edge of a triangle, stored at the end with the lower id.
struct TriangleSide {
  uint32_t high;  // the other end
  uint32_t triangle;
  uint32_t edge;     // 0, 1, 2
  uint32_t goes_up;  // 1 from low to high, else 0

  friend bool operator<(const TriangleSide& x, const TriangleSide& y) {
    return x.high != y.high ? x.high < y.high : x.triangle < y.triangle;
  }
};

constexpr std::array<uint32_t, 3> kAlone = {
    SurfaceEdges::kNobody, SurfaceEdges::kNobody, SurfaceEdges::kNobody};

// Sides sorted by their lower ends. Those of vertex v are [begin[v], begin[v +
// 1]).
struct SidesByVertex {
  std::vector<uint64_t> begin;
  std::vector<TriangleSide> sides;
};

template <typename Visit>
void ForEachSide(const Mesh& mesh, std::span<const uint32_t> ids, Visit visit) {
  for (uint32_t triangle = 0; triangle < mesh.triangle_count(); ++triangle) {
    const TriangleIndices& t = mesh.triangles()[triangle];
    const uint32_t ends[] = {ids[t[0]], ids[t[1]], ids[t[2]], ids[t[0]]};
    for (uint32_t k = 0; k < 3; ++k) visit(triangle, k, ends[k], ends[k + 1]);
  }
}

SidesByVertex SortSides(const Mesh& mesh, std::span<const uint32_t> ids,
                        SurfaceEdges* edges) {
  SidesByVertex by;
  const size_t count = edges->is_regular.size();
  by.begin.resize(count + 1);
  ForEachSide(mesh, ids, [&](uint32_t, uint32_t, uint32_t from, uint32_t to) {
    if (from == to) {
      edges->is_regular[from] = false;
    } else {
      ++by.begin[std::min(from, to)];
    }
  });
  // by.begin holds the end of each vertex's sides first. Filling the sides in
  // moves it to the begin.
  uint64_t end = 0;
  for (uint64_t& at : by.begin) at = end += at;
  by.sides.resize(end);
  ForEachSide(mesh, ids,
              [&](uint32_t triangle, uint32_t k, uint32_t from, uint32_t to) {
                if (from == to) return;
                by.sides[--by.begin[std::min(from, to)]] = {
                    std::max(from, to), triangle, k, from < to ? 1u : 0u};
              });
  for (size_t v = 0; v < count; ++v) {
    const auto first = by.sides.begin() + static_cast<ptrdiff_t>(by.begin[v]);
    std::sort(first,
              by.sides.begin() + static_cast<ptrdiff_t>(by.begin[v + 1]));
  }
  return by;
}

// Evaluates the sides of one edge.
void JoinSides(std::span<const TriangleSide> sides, uint32_t low,
               SurfaceEdges* edges) {
  size_t up = 0;
  for (const TriangleSide& side : sides) up += side.goes_up;
  const size_t down = sides.size() - up;
  if (up == 1 && down == 1) {
    edges->across[sides[0].triangle][sides[0].edge] = sides[1].triangle;
    edges->across[sides[1].triangle][sides[1].edge] = sides[0].triangle;
    return;
  }
  edges->is_regular[low] = edges->is_regular[sides[0].high] = false;
  if (up == down) return;
  ++(sides.size() % 2 != 0 ? edges->open : edges->unequal);
  edges->first = std::min(edges->first, sides[0].triangle);
}

}  // namespace

SurfaceEdges JoinEdges(const Mesh& mesh, std::span<const uint32_t> ids,
                       size_t id_count) {
  SurfaceEdges edges;
  edges.across.resize(mesh.triangle_count(), kAlone);
  edges.is_regular.resize(id_count, true);
  const SidesByVertex by = SortSides(mesh, ids, &edges);
  for (uint32_t low = 0; low < id_count; ++low) {
    for (size_t i = by.begin[low]; i < by.begin[low + 1];) {
      size_t end = i + 1;
      while (end < by.begin[low + 1] && by.sides[end].high == by.sides[i].high)
        ++end;
      JoinSides(std::span(by.sides).subspan(i, end - i), low, &edges);
      i = end;
    }
  }
  return edges;
}

std::vector<uint32_t> ComponentsOf(const SurfaceEdges& edges,
                                   const std::vector<bool>& excluded) {
  std::vector<uint32_t> components(edges.across.size(), SurfaceEdges::kNobody);
  std::vector<uint32_t> waiting;
  for (uint32_t first = 0; first < components.size(); ++first) {
    if (components[first] != SurfaceEdges::kNobody) continue;
    components[first] = first;
    if (!excluded[first]) waiting.push_back(first);
    while (!waiting.empty()) {
      const uint32_t triangle = waiting.back();
      waiting.pop_back();
      for (const uint32_t next : edges.across[triangle]) {
        if (next == SurfaceEdges::kNobody || excluded[next] ||
            components[next] != SurfaceEdges::kNobody) {
          continue;
        }
        components[next] = first;
        waiting.push_back(next);
      }
    }
  }
  return components;
}

}  // namespace orbox
